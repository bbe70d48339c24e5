/**
 * A node's place in the consumer group: joined, kept by heartbeats, joined anew when it was lost.
 *
 * While it is not sure to be missed by nobody, it is assigned nothing: a broker that does not
 * hear of us gives our arcs to others when the session ends, so we stop believing before that.
 */
import type { Instant } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import { withPartsOf } from '../../url/index.ts';
import { assignArcs, withParts } from './assign.ts';
import { type Broker, clientOptions, type Driver } from './driver.ts';
import { ARCS } from './topics.ts';

export type Consumer = InstanceType<Driver['Consumer']>;

export interface MembershipOptions {
  readonly topic: string;
  readonly groupId: string;
  /** A member that was not heard of for so long is not one any more. */
  readonly sessionMs: number;
}

const BEATS_PER_SESSION = 6;

/** To a member that is alone the driver assigns all partitions, without asking for parts. */
function allOf(assigned: readonly number[]): readonly number[] {
  return assigned.length === ARCS ? assigned.flatMap(withPartsOf) : assigned;
}

export class Membership {
  readonly #driver: Driver;
  readonly #broker: Broker;
  readonly #options: MembershipOptions;
  readonly #clock: Clock;
  readonly #assigned: (arcs: readonly number[]) => void;
  readonly #closed = new AbortController();
  #consumer: Consumer | undefined;
  #watching: Promise<void> | undefined;
  #isSure = false;
  /** When the last heartbeat that was answered was sent. */
  #heardAt: Instant = 0;

  constructor(
    driver: Driver,
    broker: Broker,
    options: MembershipOptions,
    clock: Clock,
    assigned: (arcs: readonly number[]) => void,
  ) {
    this.#driver = driver;
    this.#broker = broker;
    this.#options = options;
    this.#clock = clock;
    this.#assigned = assigned;
  }

  /** Undefined while we are not in the group. */
  get consumer(): Consumer | undefined {
    return this.#isSure ? this.#consumer : undefined;
  }

  async open(): Promise<void> {
    await this.#join();
    this.#watching = this.#watch();
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#watching;
    await this.#part();
  }

  async #join(): Promise<void> {
    const consumer = this.#makeConsumer();
    this.#consumer = consumer;
    consumer.topics.track(this.#options.topic);
    let beganAt = this.#clock.now();
    const isOurs = () => consumer === this.#consumer;
    consumer.on('consumer:heartbeat:start', () => {
      beganAt = this.#clock.now();
    });
    consumer.on('consumer:heartbeat:end', () => {
      if (isOurs()) this.#heardAt = beganAt;
    });
    consumer.on('consumer:group:join', ({ assignments = [] }) => {
      if (!isOurs()) return;
      this.#heardAt = this.#clock.now();
      this.#isSure = true;
      const ours = assignments.find(({ topic }) => topic === this.#options.topic);
      this.#assigned(allOf(ours?.partitions ?? []));
    });
    // A group that cannot be joined again: without a listener the driver would end the process.
    consumer.on('error', () => {
      if (isOurs()) this.#doubt();
    });
    await consumer.joinGroup({});
  }

  #makeConsumer(): Consumer {
    const { groupId, sessionMs, topic } = this.#options;
    return new this.#driver.Consumer({
      ...{ ...clientOptions(this.#broker), groupId, sessionTimeout: sessionMs },
      ...{ heartbeatInterval: this.#beatMs, rebalanceTimeout: sessionMs },
      partitionAssigner: (_, members) => {
        const shares = withParts(assignArcs([...members.keys()].sort(), ARCS));
        return [...shares].map(([memberId, partitions]) => ({
          memberId,
          assignments: new Map([[topic, { topic, partitions }]]),
        }));
      },
    });
  }

  get #beatMs(): number {
    return Math.floor(this.#options.sessionMs / BEATS_PER_SESSION);
  }

  async #watch(): Promise<void> {
    while (!this.#closed.signal.aborted) {
      await this.#clock.sleepUntil(this.#clock.now() + this.#beatMs, this.#closed.signal);
      if (this.#closed.signal.aborted || this.#isHeard()) continue;
      this.#doubt();
      await this.#part().catch(() => undefined);
      await this.#join().catch(() => undefined);
    }
  }

  #isHeard(): boolean {
    const silentMs = this.#clock.now() - this.#heardAt;
    return this.#isSure && silentMs < this.#options.sessionMs - 2 * this.#beatMs;
  }

  #doubt(): void {
    if (!this.#isSure) return;
    this.#isSure = false;
    this.#assigned([]);
  }

  async #part(): Promise<void> {
    const consumer = this.#consumer;
    this.#isSure = false;
    this.#consumer = undefined;
    if (consumer === undefined) return;
    try {
      await consumer.leaveGroup(true);
    } catch {
      // A broker that does not hear it misses us when the session ends.
    }
    await consumer.close(true);
  }
}
