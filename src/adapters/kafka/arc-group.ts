/**
 * The group of a cluster's nodes on Kafka (K1): partition i of `urls` is arc i, the consumer
 * group says who should own it, and the partition holds what others have named for its hosts.
 *
 *   hand ──▶ sender.ts ──▶ urls ──▶ reader.ts ──▶ arrived ──▶ offset committed
 *                           ▲ membership.ts: who is assigned what   places.ts: how far it was read
 *
 * An offset is committed only after its mentions are durable. A partition is not read on before
 * that: what is under way here is bounded by one answer of the broker for each arc. Who follows a
 * part of an arc that was split reads its partition too, and passes over the rest (F8).
 */
import { decodeMentions, encodeMentions, type Mention } from '../../events/index.ts';
import type { ArcGroup, GroupMember } from '../../ports/arc-group.ts';
import type { Clock } from '../../ports/clock.ts';
import { hostKeyOf } from '../../record/index.ts';
import { arcOf, covers, hostOf, isPart, wholeOf } from '../../url/index.ts';
import { type Broker, brokerDown, type Driver, loadDriver } from './driver.ts';
import { type Consumer, Membership } from './membership.ts';
import { Places } from './places.ts';
import { type Arrived, Reader } from './reader.ts';
import { type Message, Sender } from './sender.ts';
import { ARCS, ensureTopics, topicName } from './topics.ts';

export interface KafkaGroupOptions {
  readonly broker: Broker;
  readonly sessionMs: number;
  readonly clock: Clock;
  /** Told once for each outage, and for each message that is not ours. */
  readonly onTrouble?: (error: unknown) => void;
}

const IDLE_MS = 20;
const RETRY_MS = 500;
/** Who leaves waits for what is being made durable, but not for ever. */
const CLOSE_MS = 10_000;
/** A message stays below what brokers take by default. */
const MENTIONS_PER_MESSAGE = 500;

export class KafkaArcGroup implements ArcGroup<Mention> {
  readonly #options: KafkaGroupOptions;
  readonly #driver: Driver;
  readonly #topic: string;
  readonly #sender: Sender;
  readonly #kept: Places;
  readonly #closed = new AbortController();
  #membership: Membership | undefined;
  #member: GroupMember<Mention> | undefined;
  #reading: Promise<void> | undefined;
  /** Where each followed arc is read on; undefined until its offset is known. */
  readonly #places = new Map<number, bigint | undefined>();
  readonly #busy = new Map<number, Promise<void>>();

  private constructor(driver: Driver, options: KafkaGroupOptions) {
    this.#driver = driver;
    this.#options = options;
    this.#topic = topicName(options.broker, 'urls');
    const { broker, clock, onTrouble } = options;
    this.#kept = new Places(driver, broker, this.#topic);
    this.#sender = new Sender(driver, broker, this.#topic, clock, onTrouble);
  }

  static async connect(options: KafkaGroupOptions): Promise<KafkaArcGroup> {
    const driver = await loadDriver();
    await ensureTopics(driver, options.broker);
    return new KafkaArcGroup(driver, options);
  }

  async open(member: GroupMember<Mention>): Promise<void> {
    const { broker, clock, sessionMs } = this.#options;
    const group = { topic: this.#topic, groupId: `${broker.prefix}nodes`, sessionMs };
    this.#member = member;
    this.#membership = new Membership(this.#driver, broker, group, clock, (arcs) =>
      member.assigned(arcs),
    );
    try {
      await this.#membership.open();
    } catch (error) {
      await this.close();
      throw brokerDown(broker, error);
    }
    this.#reading = this.#read();
  }

  hand(mentions: readonly Mention[]): Promise<void> {
    return this.#sender.send(messagesOf(mentions));
  }

  follow(arcs: readonly number[]): void {
    const followed = new Set(arcs);
    for (const arc of this.#places.keys()) if (!followed.has(arc)) this.#places.delete(arc);
    for (const arc of followed) if (!this.#places.has(arc)) this.#places.set(arc, undefined);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#reading;
    await this.#toldAll();
    await this.#membership?.close();
    await this.#kept.close();
    await this.#sender.close();
  }

  /** What has become durable is not told again: its offsets are committed first. */
  async #toldAll(): Promise<void> {
    const { clock } = this.#options;
    const isOver = new AbortController();
    const told = Promise.all(this.#busy.values());
    await Promise.race([told, clock.sleepUntil(clock.now() + CLOSE_MS, isOver.signal)]);
    isOver.abort();
  }

  async #read(): Promise<void> {
    let readers: { readonly consumer: Consumer; readonly reader: Reader } | undefined;
    while (!this.#closed.signal.aborted) {
      const consumer = this.#membership?.consumer;
      const free = [...this.#places.keys()].filter((arc) => !this.#busy.has(arc));
      if (consumer === undefined || free.length === 0) {
        await this.#pause(IDLE_MS);
        continue;
      }
      if (readers?.consumer !== consumer) {
        readers = { consumer, reader: new Reader(consumer, this.#topic) };
      }
      try {
        await this.#findPlaces(consumer, readers.reader);
        await this.#readOnce(consumer, readers.reader);
      } catch {
        this.#forgetPlaces();
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** They may not be there any more: a topic made anew, or what was due to be deleted. */
  #forgetPlaces(): void {
    for (const arc of this.#places.keys()) {
      if (!this.#busy.has(arc)) this.#places.set(arc, undefined);
    }
  }

  async #readOnce(consumer: Consumer, reader: Reader): Promise<void> {
    const free = new Map<number, bigint>();
    const from = new Map<number, bigint>();
    for (const [arc, place] of this.#places) {
      if (place === undefined || this.#busy.has(arc)) continue;
      free.set(arc, place);
      const first = from.get(wholeOf(arc));
      if (first === undefined || place < first) from.set(wholeOf(arc), place);
    }
    if (from.size === 0) return;
    for (const arrived of await reader.read(from)) {
      for (const [arc, place] of free) {
        const isNews = wholeOf(arc) === arrived.partition && arrived.next > place;
        // What is followed may have changed while the broker was asked.
        if (isNews && this.#places.get(arc) === place)
          this.#busy.set(arc, this.#tell(consumer, arc, place, arrived));
      }
    }
  }

  /** Where whoever had the arc before has come to. */
  async #findPlaces(consumer: Consumer, reader: Reader): Promise<void> {
    const arcs = [...this.#places].flatMap(([arc, at]) => (at === undefined ? [arc] : []));
    if (arcs.length === 0) return;
    const committed = await this.#kept.committed(consumer, arcs);
    const { starts, ends } = await reader.bounds();
    for (const [arc, place] of committed) {
      const partition = wholeOf(arc);
      const [start, end] = [starts.get(partition) ?? 0n, ends.get(partition) ?? 0n];
      const isThere = place >= start && place <= end;
      if (this.#places.has(arc)) this.#places.set(arc, isThere ? place : start);
    }
  }

  async #tell(
    consumer: Consumer,
    arc: number,
    place: bigint,
    { messages, next }: Arrived,
  ): Promise<void> {
    try {
      const mentions = messages.flatMap(({ value, offset }) =>
        offset < place ? [] : this.#decoded(value, arc, offset),
      );
      if (mentions.length > 0) await this.#member?.arrived(arc, mentions);
      if (!this.#places.has(arc)) return;
      this.#places.set(arc, next);
      await this.#kept.commit(consumer, arc, next);
    } catch (error) {
      // Not durable, or not committed: told again, by us or by the next owner.
      if (!this.#closed.signal.aborted) this.#options.onTrouble?.(error);
      await this.#pause(RETRY_MS);
    } finally {
      this.#busy.delete(arc);
    }
  }

  #decoded(value: Buffer, arc: number, offset: bigint): Mention[] {
    const mentions = decodeMentions(value);
    if (mentions !== undefined) return mentions.filter(({ url }) => isFor(arc, url));
    const where = `${this.#topic}, partition ${wholeOf(arc)}, offset ${offset}`;
    this.#options.onTrouble?.(new Error(`a message that is not of this version: ${where}`));
    return [];
  }

  #pause(ms: number): Promise<void> {
    const { clock } = this.#options;
    return clock.sleepUntil(clock.now() + ms, this.#closed.signal);
  }
}

/** Of a partition that is read as a whole everything is. */
function isFor(arc: number, url: string): boolean {
  return !isPart(arc) || covers(arc, hostKeyOf(hostOf(url)));
}

/** One message for each host, in the order of their first mention. */
function messagesOf(mentions: readonly Mention[]): Message[] {
  const byHost = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const host = hostOf(mention.url);
    const named = byHost.get(host);
    if (named === undefined) byHost.set(host, [mention]);
    else named.push(mention);
  }
  return [...byHost].flatMap(([host, named]) => {
    const partition = arcOf(hostKeyOf(host), ARCS);
    const parts = Math.ceil(named.length / MENTIONS_PER_MESSAGE);
    return Array.from({ length: parts }, (_, i) => {
      const part = named.slice(i * MENTIONS_PER_MESSAGE, (i + 1) * MENTIONS_PER_MESSAGE);
      return { partition, key: host, value: encodeMentions(part) };
    });
  });
}
