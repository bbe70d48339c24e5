/**
 * Messages on their way to a topic, in the order in which they were given.
 *
 * One request is under way at a time; what comes meanwhile goes with the next. A broker that
 * does not answer is asked again until it does: the callers wait, so nothing is lost, and
 * whoever waits leases nothing new (K5: buffer, then pause).
 */
import { SECOND_MS } from '../../base/instant.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Broker, brokerDown, clientOptions, type Driver } from './driver.ts';

export interface Message {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
}

type Producer = InstanceType<Driver['Producer']>;

interface Waiter {
  readonly messages: readonly Message[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** All brokers that keep a copy have it. */
const ACKS_ALL = -1;
/** Longer than the driver tries by itself; it has been seen to wait for ever after restarts. */
const SEND_MS = 30 * SECOND_MS;
const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 5_000;
/** A request has no more messages, unless one call alone brings more. */
const MESSAGES_MAX = 5_000;

export class Sender {
  readonly #broker: Broker;
  readonly #topic: string;
  readonly #clock: Clock;
  readonly #driver: Driver;
  #producer: Producer;
  readonly #onTrouble: (error: unknown) => void;
  readonly #closed = new AbortController();
  #queue: Waiter[] = [];
  #running: Promise<void> | undefined;

  /** `onTrouble` is told once for each outage. */
  constructor(
    driver: Driver,
    broker: Broker,
    topic: string,
    clock: Clock,
    onTrouble: (error: unknown) => void = () => undefined,
  ) {
    this.#broker = broker;
    this.#clock = clock;
    this.#topic = topic;
    this.#driver = driver;
    this.#producer = this.#opened();
    this.#onTrouble = onTrouble;
  }

  /** Resolves when they are durable; rejects only if it is closed before. */
  send(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#queue.push({ messages, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#running;
    await this.#producer.close();
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#next();
      try {
        await this.#deliver(batch.flatMap(({ messages }) => messages));
        for (const waiter of batch) waiter.resolve();
      } catch (error) {
        for (const waiter of batch) waiter.reject(error);
      }
    }
    this.#running = undefined;
  }

  #next(): Waiter[] {
    let messages = 0;
    const over = this.#queue.findIndex((waiter, nth) => {
      messages += waiter.messages.length;
      return nth > 0 && messages > MESSAGES_MAX;
    });
    return this.#queue.splice(0, over === -1 ? this.#queue.length : over);
  }

  async #deliver(messages: readonly Message[]): Promise<void> {
    const topic = this.#topic;
    const records = messages.map(({ key, ...rest }) => ({ ...rest, topic, key: Buffer.from(key) }));
    for (let pauseMs = PAUSE_MS_MIN; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
      try {
        return await this.#sent(records);
      } catch (error) {
        if (this.#closed.signal.aborted) throw brokerDown(this.#broker, error);
        if (pauseMs === PAUSE_MS_MIN) this.#onTrouble(brokerDown(this.#broker, error));
        await this.#clock.sleepUntil(this.#clock.now() + pauseMs, this.#closed.signal);
      }
    }
  }

  /** One that does not come back is given up with all that it holds, and another one sends. */
  async #sent(messages: Parameters<Producer['send']>[0]['messages']): Promise<void> {
    const producer = this.#producer;
    const isOver = new AbortController();
    let isLate = false;
    const late = this.#clock.sleepUntil(this.#clock.now() + SEND_MS, isOver.signal).then(() => {
      isLate = !isOver.signal.aborted;
    });
    const sent = producer.send({ messages, acks: ACKS_ALL });
    try {
      await Promise.race([sent, late]);
    } finally {
      isOver.abort();
    }
    if (!isLate) return;
    this.#producer = this.#opened();
    sent.catch(() => undefined);
    producer.close().catch(() => undefined);
    throw new Error(`no answer within ${SEND_MS / SECOND_MS} s`);
  }

  #opened(): Producer {
    return new this.#driver.Producer({ ...clientOptions(this.#broker), idempotent: true });
  }
}
