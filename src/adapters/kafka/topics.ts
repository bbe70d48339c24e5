/**
 * The two topics, one partition for each arc: made if they are missing, and refused if they
 * have another number of partitions, because then another node would own the host (K1).
 */
import { CrawlError } from '../../base/errors.ts';
import { type Broker, brokerDown, clientOptions, type Driver, wordsOf } from './driver.ts';

export const ARCS = 64;

export type TopicName = 'urls' | 'pages';

export interface Topic {
  readonly name: string;
  readonly id: string;
  /** The broker that leads each partition. */
  readonly leaders: readonly number[];
}

export function topicName(broker: Broker, name: TopicName): string {
  return `${broker.prefix}${name}`;
}

/** Copies of each message: as many as there are brokers, three at most. */
const REPLICAS_MAX = 3;

/** Each of them takes a second, by the driver's own pauses. */
const KNOWN_TRIES_MAX = 15;

export async function ensureTopics(driver: Driver, broker: Broker): Promise<void> {
  const admin = new driver.Admin(clientOptions(broker));
  try {
    const names = (['urls', 'pages'] as const).map((name) => topicName(broker, name));
    const { brokers } = await admin.metadata({ forceUpdate: true });
    const replicas = Math.min(brokers.size, REPLICAS_MAX);
    const known = new Set(await admin.listTopics());
    for (const name of names.filter((name) => !known.has(name))) {
      await admin
        .createTopics({ topics: [name], partitions: ARCS, replicas })
        .catch((error) => unlessThere(name, error));
    }
    for (const name of names) checkPartitions(name, await partitionsOf(admin, name));
  } catch (error) {
    throw error instanceof CrawlError ? error : brokerDown(broker, error);
  } finally {
    await admin.close();
  }
}

/** What was made a moment ago is not known to every broker yet. */
async function partitionsOf(admin: InstanceType<Driver['Admin']>, name: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      const { topics } = await admin.metadata({ topics: [name], forceUpdate: true });
      return topics.get(name)?.partitionsCount ?? 0;
    } catch (error) {
      if (tries === KNOWN_TRIES_MAX) throw error;
    }
  }
}

/** Another node was faster; or we may not, and somebody else has to. */
function unlessThere(name: string, error: unknown): void {
  const words = wordsOf(error);
  if (/exist/i.test(words)) return;
  if (!/authoriz|polic/i.test(words)) throw error;
  throw new CrawlError(
    'E_BROKER_TOPIC',
    `there is no topic ${name} that we may see, and we may not make it: ${words}`,
    `make it with ${ARCS} partitions, and let us read and write it; or let us make it`,
    error,
  );
}

function checkPartitions(name: string, count: number): void {
  if (count === ARCS) return;
  throw new CrawlError(
    'E_BROKER_TOPIC',
    `the topic ${name} has ${count} partitions; a crawl needs ${ARCS}, one for each arc`,
    'delete the topic if it holds nothing of worth, or choose another prefix for the topics',
  );
}
