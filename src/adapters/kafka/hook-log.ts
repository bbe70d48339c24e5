/**
 * The `pages` topic as webhooks read it (A5): each node the partitions of its own arcs, from where
 * they were told to last, whoever told it. How far that is, Kafka keeps itself: for each webhook the
 * offsets of a group that nobody ever joins.
 *
 * Offsets of such a group are kept as long as the broker says (a week, as a rule, after the last of
 * them): then it begins with the oldest message that is there, and what is told twice does no harm.
 */
import { createHash } from 'node:crypto';
import type { Bookmarks } from '../../ports/bookmarks.ts';
import type { EventCursor, EventLog } from '../../ports/event-log.ts';
import { type Broker, brokerDown, clientOptions, type Driver, loadDriver } from './driver.ts';
import type { KafkaEventLog } from './event-log.ts';
import { cursorAt, placesIn } from './event-log.ts';
import { topicName } from './topics.ts';

type Admin = InstanceType<Driver['Admin']>;

export interface HookLog {
  readonly events: Pick<EventLog, 'read'>;
  readonly bookmarks: Bookmarks;
}

export class KafkaHookLog {
  readonly #broker: Broker;
  readonly #admin: Admin;
  readonly #log: KafkaEventLog;

  private constructor(broker: Broker, admin: Admin, log: KafkaEventLog) {
    this.#broker = broker;
    this.#admin = admin;
    this.#log = log;
  }

  static async open(broker: Broker, log: KafkaEventLog): Promise<KafkaHookLog> {
    const driver = await loadDriver();
    return new KafkaHookLog(broker, new driver.Admin(clientOptions(broker)), log);
  }

  /** As far as it is about some of the whole arcs. */
  of(arcs: ReadonlySet<number>): HookLog {
    return {
      events: { read: (after) => this.#log.readOf(arcs, after) },
      bookmarks: {
        get: (reader) => this.#told(() => this.#get(reader, arcs)),
        set: (reader, cursor) => this.#told(() => this.#set(reader, cursor, arcs)),
      },
    };
  }

  async close(): Promise<void> {
    await this.#admin.close();
  }

  async #get(reader: string, arcs: ReadonlySet<number>): Promise<EventCursor | undefined> {
    const topics = [{ name: this.#topic, partitionIndexes: [...arcs] }];
    const groups = [{ groupId: this.#groupOf(reader), topics }];
    const [group] = await this.#admin.listConsumerGroupOffsets({ groups });
    const found = group?.topics[0]?.partitions ?? [];
    const places = found.filter(({ committedOffset }) => committedOffset >= 0n);
    if (places.length === 0) return undefined;
    return cursorAt(new Map(places.map((one) => [one.partitionIndex, one.committedOffset])));
  }

  async #set(reader: string, cursor: EventCursor, arcs: ReadonlySet<number>): Promise<void> {
    const all = [...placesIn(cursor)].filter(([arc, offset]) => arcs.has(arc) && offset > 0n);
    const partitionOffsets = all.map(([partition, offset]) => ({ partition, offset }));
    if (partitionOffsets.length === 0) return;
    const topics = [{ name: this.#topic, partitionOffsets }];
    await this.#admin.alterConsumerGroupOffsets({ groupId: this.#groupOf(reader), topics });
  }

  async #told<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw brokerDown(this.#broker, error);
    }
  }

  get #topic(): string {
    return topicName(this.#broker, 'pages');
  }

  /** The address may hold a password: it is not told to the broker. */
  #groupOf(reader: string): string {
    const name = createHash('sha256').update(reader).digest('hex').slice(0, 32);
    return `${this.#broker.prefix}hook.${name}`;
  }
}
