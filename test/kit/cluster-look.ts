/** What is in the engines of a test cluster, without asking the cluster: bodies, messages. */
import { loadDriver } from '../../src/adapters/kafka/driver.ts';
import { openConsumer, Reader } from '../../src/adapters/kafka/reader.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { openS3Blobs } from '../../src/adapters/s3/index.ts';
import type { FetchEvent } from '../../src/events/index.ts';
import type { TestCluster } from './cluster.ts';

/** Those of the hashes, in hex, that the bucket has a body for. */
export async function storedBodies(
  { name, env }: TestCluster,
  hashes: Iterable<string>,
): Promise<Set<string>> {
  const credentials = {
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
  };
  const blobs = await openS3Blobs({
    ...{ bucket: env.ORB_CLUSTER_BUCKET ?? '', endpoint: env.ORB_CLUSTER_S3_ENDPOINT ?? '' },
    ...{ pathStyle: true, credentials, prefix: `${name}/`, clock: systemClock() },
  });
  const stored = new Set<string>();
  for (const hash of hashes) {
    if ((await blobs.get(Buffer.from(hash, 'hex'))) !== undefined) stored.add(hash);
  }
  await blobs.close();
  return stored;
}

/** Every message of `pages`, as whoever reads the topic sees it. */
export async function pageMessages({ name, env }: TestCluster): Promise<FetchEvent[]> {
  const addresses = [env.ORB_CLUSTER_KAFKA ?? ''];
  const broker = { addresses, prefix: `${name}-`, isTls: false, login: undefined };
  const consumer = openConsumer(await loadDriver(), broker, 'look');
  const reader = new Reader(consumer, `${name}-pages`);
  const { starts, ends } = await reader.bounds();
  const at = new Map(starts);
  const events: FetchEvent[] = [];
  const left = () =>
    new Map([...at].filter(([partition, from]) => from < (ends.get(partition) ?? 0n)));
  for (let open = left(); open.size > 0; open = left()) {
    for (const { partition, messages, next } of await reader.read(open)) {
      for (const { value } of messages) events.push(JSON.parse(value.toString()) as FetchEvent);
      at.set(partition, next);
    }
  }
  await consumer.close(true);
  return events;
}
