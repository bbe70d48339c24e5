/**
 * Messages of a topic's partitions, from a place on: one request to each broker that leads one
 * of them. Who reads which partition is for the caller to know; nothing here joins a group.
 */
import { type Broker, clientOptions, type Driver } from './driver.ts';
import { ARCS, type Topic } from './topics.ts';

export type Offsets = ReadonlyMap<number, bigint>;

export interface Arrived {
  readonly partition: number;
  readonly messages: readonly ArrivedMessage[];
  /** Where to read on. */
  readonly next: bigint;
}

export interface ArrivedMessage {
  readonly offset: bigint;
  readonly value: Buffer;
}

/** A reader that has no news waits for some at the broker, this long. */
const WAIT_MS = 250;
const BYTES_MAX = 8 << 20;
const PARTITION_BYTES_MAX = 1 << 20;
const EARLIEST = -2n;
/** No reader of ours reads what is not committed. */
const READ_COMMITTED = 1;

type Consumer = InstanceType<Driver['Consumer']>;

export class Reader {
  readonly #consumer: Consumer;
  readonly #name: string;
  #topic: Topic | undefined;

  constructor(consumer: Consumer, topicName: string) {
    this.#consumer = consumer;
    this.#name = topicName;
  }

  /** What is there from these offsets on; empty when there was nothing for a moment. */
  async read(from: Offsets): Promise<Arrived[]> {
    this.#topic ??= await this.#find();
    const { leaders } = this.#topic;
    const nodes = [...new Set([...from.keys()].map((partition) => leaders[partition] ?? -1))];
    try {
      const asked = nodes.map((node) => {
        const led = [...from.keys()].filter((partition) => leaders[partition] === node);
        return this.#ask(node, led, from);
      });
      return (await Promise.all(asked)).flat();
    } catch (error) {
      this.#topic = undefined;
      throw error;
    }
  }

  /** Where each partition begins, and where its next message will be. */
  async bounds(): Promise<{ readonly starts: Offsets; readonly ends: Offsets }> {
    const topics = [this.#name];
    const [starts, ends] = await Promise.all([
      this.#consumer.listOffsets({ topics, timestamp: EARLIEST }),
      this.#consumer.listOffsets({ topics }),
    ]);
    return { starts: offsetsOf(starts.get(this.#name)), ends: offsetsOf(ends.get(this.#name)) };
  }

  async #ask(node: number, partitions: readonly number[], from: Offsets): Promise<Arrived[]> {
    const asked = partitions.map((partition) => ({
      ...{ partition, fetchOffset: from.get(partition) ?? 0n },
      ...{ currentLeaderEpoch: -1, lastFetchedEpoch: -1, partitionMaxBytes: PARTITION_BYTES_MAX },
    }));
    const topics = [{ topicId: this.#topic?.id ?? '', partitions: asked }];
    const limits = { minBytes: 1, maxBytes: BYTES_MAX, maxWaitTime: WAIT_MS };
    const isolationLevel = READ_COMMITTED;
    const { responses } = await this.#consumer.fetch({ node, topics, ...limits, isolationLevel });
    return responses.flatMap((topic) =>
      topic.partitions.flatMap(({ partitionIndex, records }) => {
        const start = from.get(partitionIndex) ?? 0n;
        return records ? [arrivedOf(partitionIndex, records, start)] : [];
      }),
    );
  }

  async #find(): Promise<Topic> {
    const options = { topics: [this.#name], forceUpdate: true };
    const topic = (await this.#consumer.metadata(options)).topics.get(this.#name);
    if (topic === undefined) throw new Error(`there is no topic ${this.#name}`);
    const leaders = Array.from({ length: ARCS }, (_, i) => topic.partitions[i]?.leader ?? -1);
    return { name: this.#name, id: topic.id, leaders };
  }
}

type Batches = NonNullable<
  Awaited<ReturnType<Consumer['fetch']>>['responses'][0]['partitions'][0]['records']
>;

/** A batch is sent whole: what comes before the place asked for is passed over. */
function arrivedOf(partition: number, batches: Batches, start: bigint): Arrived {
  let next = start;
  const messages: ArrivedMessage[] = [];
  for (const { firstOffset, lastOffsetDelta, records } of batches) {
    for (const { offsetDelta, value } of records) {
      const offset = firstOffset + BigInt(offsetDelta);
      if (offset >= start && value !== null) messages.push({ offset, value });
    }
    const after = firstOffset + BigInt(lastOffsetDelta) + 1n;
    if (after > next) next = after;
  }
  return { partition, messages, next };
}

function offsetsOf(found: readonly bigint[] | undefined): Offsets {
  return new Map(Array.from({ length: ARCS }, (_, i) => [i, found?.[i] ?? 0n]));
}

export function openConsumer(driver: Driver, broker: Broker, groupId: string): Consumer {
  return new driver.Consumer({ ...clientOptions(broker), groupId });
}
