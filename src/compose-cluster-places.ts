/**
 * Where the engines of a cluster are, from its settings: a part of the composition root. One
 * name makes a schema, a prefix of topics, of keys and of objects, so that crawls can share
 * engines without meeting.
 */
import type { CassandraOptions } from './adapters/cassandra/index.ts';
import type { Broker } from './adapters/kafka/index.ts';
import { systemClock } from './adapters/node/clock.ts';
import type { PostgresOptions } from './adapters/postgres/index.ts';
import type { RedisOptions } from './adapters/redis/index.ts';
import type { S3BlobOptions } from './adapters/s3/index.ts';
import { assert } from './base/assert.ts';
import type { Settings } from './config/index.ts';
import { codecFrom } from './crawl/plan.ts';

export type RecordPlace =
  | { readonly kind: 'postgres'; readonly options: PostgresOptions }
  | { readonly kind: 'cassandra'; readonly options: CassandraOptions };

export interface ClusterPlaces {
  readonly broker: Broker;
  readonly redis: RedisOptions;
  /** Before all keys in Redis. */
  readonly prefix: string;
  readonly records: RecordPlace;
  readonly s3: S3BlobOptions;
}

export function placesFrom(settings: Settings): ClusterPlaces {
  const { name, kafka, redis, bucket, s3Endpoint, s3Region } = settings.cluster;
  assert(bucket !== undefined, 'half a cluster is refused before');
  const clock = systemClock();
  const region = s3Region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  return {
    broker: {
      addresses: kafka,
      prefix: `${name}-`,
      isTls: settings.broker.kafkaTls,
      login: loginFrom(settings),
    },
    redis: { urls: redis, isCluster: redis.length > 1 },
    prefix: `${name}:`,
    records: recordsFrom(settings),
    s3: {
      ...{ bucket, prefix: `${name}/`, clock, codec: codecFrom(settings) },
      ...(region && { region }),
      ...(s3Endpoint !== undefined && { endpoint: s3Endpoint, pathStyle: true }),
    },
  };
}

function recordsFrom({ cluster }: Settings): RecordPlace {
  const { name, postgres, cassandra, keyspace } = cluster;
  const clock = systemClock();
  if (postgres !== undefined) {
    return { kind: 'postgres', options: { url: postgres, schema: name, clock } };
  }
  assert(cassandra !== undefined, 'half a cluster is refused before');
  return { kind: 'cassandra', options: { url: cassandra, keyspace, crawl: name, clock } };
}

function loginFrom({ broker }: Settings): Broker['login'] {
  const { kafkaUser: user, kafkaPassword: password, kafkaSasl } = broker;
  if (user === undefined || password === undefined) return undefined;
  return { mechanism: MECHANISMS[kafkaSasl], user, password };
}

const MECHANISMS = {
  ...({ plain: 'PLAIN', 'scram-sha-256': 'SCRAM-SHA-256' } as const),
  'scram-sha-512': 'SCRAM-SHA-512',
} as const;
