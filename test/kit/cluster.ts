/**
 * A cluster of `orb serve` processes on the engines of `npm run test:live`, crawling the test web.
 *
 * Each has a name of its own, so that clusters share engines without meeting; what it made in
 * them is gone after the test: schema, topics, keys, objects.
 */
import assert from 'node:assert/strict';
import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { Admin } from '@platformatic/kafka';
import pg from 'pg';
import { createClient } from 'redis';
import { Link } from '../../src/adapters/cassandra/link.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { cassandra, kafka, postgres, redis, s3 } from '../../tools/engines/index.ts';
import { liveEngine } from './live.ts';
import { type OrbRun, startOrb } from './orb.ts';
import type { Cleanup } from './place.ts';
import { type ServingNode, servingNode } from './serving.ts';
import type { TestWeb } from './web.ts';

const engines = [kafka, postgres, redis, s3].map(liveEngine);
const [kafkaAt = '', postgresAt = '', redisAt = '', s3At = ''] = engines.map((one) => one.address);

/** `describe(name, { skip: clusterSkip }, …)`: why there can be none here. */
export const clusterSkip: string | false =
  engines.find(({ skip }) => skip !== false)?.skip ?? false;

/** The other engine for records. */
const cassandraLive = liveEngine(cassandra);
export const cassandraSkip: string | false = clusterSkip || cassandraLive.skip;

/** Where the engines are that lines may be drawn to. */
export const engineUrls = {
  ...{ redis: redisAt, postgres: postgresAt, s3: s3At === '' ? '' : new URL(s3At).origin },
};

export interface ClusterPlan {
  readonly web: TestWeb;
  /** For every node: pace, roles, limits. */
  readonly flags?: readonly string[];
  /** Where the records are; PostgreSQL unless told. */
  readonly records?: 'postgres' | 'cassandra';
  /** Engines of its own, gone after the test; others are those that all tests share. */
  readonly at?: Partial<EngineAddresses>;
}

export interface EngineAddresses {
  readonly kafka: string;
  readonly redis: string;
  readonly s3: string;
  /** Of PostgreSQL or Cassandra. */
  readonly records: string;
}

export type ClusterNode = ServingNode;

export interface TestCluster {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  /** One more node; resolves when it answers. */
  start(more?: readonly string[], env?: Readonly<Record<string, string>>): Promise<ClusterNode>;
  /** Until nothing waits anywhere, for as long as a message may be under way. */
  quiet(node: ClusterNode): Promise<void>;
}

let clusters = 0;

export function testCluster(t: Cleanup, plan: ClusterPlan): TestCluster {
  const name = `t${process.pid}_${clusters++}`;
  const at = { ...sharedFor(plan.records), ...plan.at };
  const { origin, username, password, pathname } = new URL(at.s3);
  const env = {
    ...{ ORB_CLUSTER_NAME: name, ORB_CLUSTER_KAFKA: at.kafka, ORB_CLUSTER_REDIS: at.redis },
    ...(plan.records === 'cassandra'
      ? { ORB_CLUSTER_CASSANDRA: at.records, ORB_CLUSTER_KEYSPACE: name }
      : { ORB_CLUSTER_POSTGRES: at.records }),
    ORB_CLUSTER_BUCKET: pathname.slice(1),
    ...{ ORB_CLUSTER_S3_ENDPOINT: origin, AWS_ACCESS_KEY_ID: username },
    AWS_SECRET_ACCESS_KEY: password,
  };
  const nodes: OrbRun[] = [];
  const start: TestCluster['start'] = async (more = [], other = {}) => {
    const flags = ['--port', '0', ...plan.web.flags, ...(plan.flags ?? []), ...more];
    const place = { env: { ...env, ...other } };
    const run = startOrb({ after: () => undefined }, ['serve', ...flags], place);
    nodes.push(run);
    return servingNode(run);
  };
  t.after(async () => {
    for (const run of nodes) if (!run.isOver) run.kill('SIGKILL');
    await Promise.all(nodes.map(({ ended }) => ended));
    if (clusterSkip !== false) return;
    if (plan.records === 'cassandra') await clearKeyspace(name);
    await clear(name);
  });
  return { name, env, start, quiet };
}

function sharedFor(records: ClusterPlan['records']): EngineAddresses {
  const at = records === 'cassandra' ? cassandraLive.address : postgresAt;
  return { kafka: kafkaAt, redis: redisAt, s3: s3At, records: at };
}

const LOOK_MS = 250;
/** Looks in a row that find nothing to do: a mention is on its way for less than that. */
const QUIET_LOOKS = 20;

async function quiet(node: ClusterNode): Promise<void> {
  for (let looks = 0, last = -1; looks < QUIET_LOOKS; looks++) {
    await new Promise((look) => setTimeout(look, LOOK_MS));
    assert.ok(!node.isOver, `the node has ended: ${node.stderr}`);
    const { totals } = await node.ask('/crawl/stats');
    const isQuiet = totals.waiting + totals.retrying === 0 && totals.known === last;
    if (!isQuiet || totals.known === 0) looks = -1;
    last = totals.known;
  }
}

async function clear(name: string): Promise<void> {
  await Promise.all([
    clearRecords(name),
    clearTopics(name),
    clearKeys(name),
    clearBodies(`${name}/`),
  ]);
}

async function clearRecords(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresAt });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await client.end();
}

async function clearKeyspace(keyspace: string): Promise<void> {
  const link = await Link.open({
    ...{ url: cassandraLive.address, keyspace, crawl: keyspace, clock: systemClock() },
  });
  await link.run(`DROP KEYSPACE IF EXISTS ${keyspace}`);
  await link.close();
}

async function clearTopics(name: string): Promise<void> {
  const admin = new Admin({ clientId: 'test', bootstrapBrokers: [kafkaAt] });
  const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(`${name}-`));
  if (topics.length > 0) await admin.deleteTopics({ topics });
  await admin.close();
}

async function clearKeys(name: string): Promise<void> {
  const client = await createClient({ url: redisAt }).connect();
  for await (const keys of client.scanIterator({ MATCH: `*${name}:*`, COUNT: 1_000 })) {
    if (keys.length > 0) await client.unlink(keys);
  }
  client.destroy();
}

async function clearBodies(Prefix: string): Promise<void> {
  const { origin: endpoint, username, password, pathname } = new URL(s3At);
  const credentials = { accessKeyId: username, secretAccessKey: password };
  const client = new S3Client({
    ...{ endpoint, credentials, region: 'us-east-1', forcePathStyle: true },
  });
  const Bucket = pathname.slice(1);
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    if (Contents.length === 0) break;
    const Objects = Contents.map(({ Key }) => ({ Key }));
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  }
  client.destroy();
}
