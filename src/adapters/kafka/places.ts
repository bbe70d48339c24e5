/**
 * How far each arc of `urls` was read. Of a whole arc that is the offset of its partition in the
 * nodes' own group. Parts of an arc that was split share its partition (K1 keeps 64 of them), and
 * each has a group of its own that nobody ever joins, for nothing but its offset (F8). One that
 * has none yet goes on where its whole had come to: what is told twice does no harm.
 */
import { formerOf, isPart, wholeOf } from '../../url/index.ts';
import { type Broker, clientOptions, type Driver } from './driver.ts';
import type { Consumer } from './membership.ts';

type Admin = InstanceType<Driver['Admin']>;

export class Places {
  readonly #driver: Driver;
  readonly #broker: Broker;
  readonly #topic: string;
  #admin: Admin | undefined;

  constructor(driver: Driver, broker: Broker, topic: string) {
    this.#driver = driver;
    this.#broker = broker;
    this.#topic = topic;
  }

  /** -1 where nobody has read any of it. */
  async committed(consumer: Consumer, arcs: readonly number[]): Promise<Map<number, bigint>> {
    const partitions = [...new Set(arcs.map(wholeOf))];
    const topics = [{ topic: this.#topic, partitions }];
    const found = (await consumer.listCommittedOffsets({ topics })).get(this.#topic) ?? [];
    const places = new Map(partitions.map((arc, nth) => [arc, found[nth] ?? -1n]));
    const parts = new Set(arcs.flatMap((arc) => [arc, ...formerOf(arc)]).filter(isPart));
    for (const [part, place] of await this.#ofParts([...parts])) places.set(part, place);
    const placeOf = (arc: number) =>
      [arc, ...formerOf(arc)].map((one) => places.get(one) ?? -1n).find((place) => place >= 0n);
    return new Map(arcs.map((arc) => [arc, placeOf(arc) ?? -1n]));
  }

  async commit(consumer: Consumer, arc: number, offset: bigint): Promise<void> {
    const [topic, partition] = [this.#topic, wholeOf(arc)];
    if (!isPart(arc)) {
      await consumer.commit({ offsets: [{ topic, partition, offset, leaderEpoch: -1 }] });
      return;
    }
    const topics = [{ name: topic, partitionOffsets: [{ partition, offset }] }];
    await this.#opened().alterConsumerGroupOffsets({ groupId: this.#groupOf(arc), topics });
  }

  async close(): Promise<void> {
    await this.#admin?.close();
  }

  async #ofParts(parts: readonly number[]): Promise<Map<number, bigint>> {
    if (parts.length === 0) return new Map();
    const groups = parts.map((part) => {
      const topics = [{ name: this.#topic, partitionIndexes: [wholeOf(part)] }];
      return { groupId: this.#groupOf(part), topics };
    });
    const answers = await this.#opened().listConsumerGroupOffsets({ groups });
    const found = new Map(
      answers.map(({ groupId, topics }) => [groupId, topics[0]?.partitions[0]?.committedOffset]),
    );
    return new Map(parts.map((part) => [part, found.get(this.#groupOf(part)) ?? -1n]));
  }

  #groupOf(part: number): string {
    return `${this.#broker.prefix}nodes.${part}`;
  }

  #opened(): Admin {
    this.#admin ??= new this.#driver.Admin(clientOptions(this.#broker));
    return this.#admin;
  }
}
