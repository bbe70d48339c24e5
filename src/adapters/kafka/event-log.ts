/**
 * The `pages` topic (E1, K1): every fetch, keyed by its host, in the partition of its arc, so
 * that each host's fetches are read in their order by whoever reads them.
 *
 * What is in a topic stays until its retention ends: it cannot be scrubbed (G1). An erasure
 * leaves a tombstone event behind instead, for readers to follow.
 */
import type { FetchEvent } from '../../events/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { EventCursor, EventLog, LoggedEvent } from '../../ports/event-log.ts';
import { hostKeyOf } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import { type Broker, brokerDown, type Driver, loadDriver } from './driver.ts';
import { type Offsets, openConsumer, Reader } from './reader.ts';
import { Sender } from './sender.ts';
import { ARCS, ensureTopics, topicName } from './topics.ts';

export class KafkaEventLog implements EventLog {
  readonly #driver: Driver;
  readonly #broker: Broker;
  readonly #sender: Sender;

  private constructor(driver: Driver, broker: Broker, sender: Sender) {
    this.#driver = driver;
    this.#broker = broker;
    this.#sender = sender;
  }

  static async open(
    broker: Broker,
    clock: Clock,
    onTrouble?: (error: unknown) => void,
  ): Promise<KafkaEventLog> {
    const driver = await loadDriver();
    await ensureTopics(driver, broker);
    const sender = new Sender(driver, broker, topicName(broker, 'pages'), clock, onTrouble);
    return new KafkaEventLog(driver, broker, sender);
  }

  publish(events: readonly FetchEvent[]): Promise<void> {
    return this.#sender.send(
      events.map((event) => ({
        partition: arcOf(hostKeyOf(event.host), ARCS),
        key: event.host,
        value: Buffer.from(JSON.stringify(event)),
      })),
    );
  }

  /** What is there when it is called, and then it ends. */
  read(after?: EventCursor): AsyncIterable<LoggedEvent> {
    return this.#read(after, () => true);
  }

  /** Of some of the whole arcs alone. */
  readOf(arcs: ReadonlySet<number>, after?: EventCursor): AsyncIterable<LoggedEvent> {
    return this.#read(after, (partition) => arcs.has(partition));
  }

  async *#read(
    after: EventCursor | undefined,
    isMeant: (partition: number) => boolean,
  ): AsyncIterable<LoggedEvent> {
    const consumer = openConsumer(this.#driver, this.#broker, 'orbweaver-readers');
    try {
      const reader = new Reader(consumer, topicName(this.#broker, 'pages'));
      const { starts, ends } = await reader.bounds();
      const places = after === undefined ? starts : placesOf(after, starts);
      const at = new Map([...places].filter(([partition]) => isMeant(partition)));
      for (let open = unread(at, ends); open.size > 0; open = unread(at, ends)) {
        for (const { partition, messages, next } of await reader.read(open)) {
          for (const { offset, value } of messages) {
            at.set(partition, offset + 1n);
            const event = eventOf(value);
            if (event !== undefined) yield { cursor: cursorAt(at), event };
          }
          at.set(partition, next);
        }
      }
    } catch (error) {
      throw brokerDown(this.#broker, error);
    } finally {
      await consumer.close(true);
    }
  }

  close(): Promise<void> {
    return this.#sender.close();
  }
}

/** Messages that are not ours, or no fetches, are passed over. */
function eventOf(value: Buffer): FetchEvent | undefined {
  try {
    const event = JSON.parse(value.toString()) as Partial<FetchEvent>;
    const isFetch = event.v === 1 && typeof event.host === 'string' && event.kind !== 'erased';
    return isFetch ? (event as FetchEvent) : undefined;
  } catch {
    return undefined;
  }
}

function unread(at: Offsets, ends: Offsets): Map<number, bigint> {
  return new Map([...at].filter(([partition, offset]) => offset < (ends.get(partition) ?? 0n)));
}

/** Where each partition was read to, in order of partitions. */
export function cursorAt(at: Offsets): EventCursor {
  return Array.from({ length: ARCS }, (_, i) => at.get(i) ?? 0n).join('.');
}

export function placesIn(cursor: EventCursor): Offsets {
  return new Map(cursor.split('.').map((place, partition) => [partition, BigInt(place || 0)]));
}

/** Where a partition's oldest messages are gone by now, it goes on with those that are left. */
function placesOf(cursor: EventCursor, starts: Offsets): Offsets {
  const places = placesIn(cursor);
  return new Map(
    [...starts].map(([partition, start]) => {
      const place = places.get(partition) ?? 0n;
      return [partition, place > start ? place : start];
    }),
  );
}
