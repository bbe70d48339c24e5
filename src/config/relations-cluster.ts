/**
 * A cluster needs all of its engines, or none: half of a configuration is told with everything
 * that is missing (L4), because a node that fell back to its folder would crawl the same web
 * a second time.
 */
import type { SettingKey, Settings } from './settings.ts';

export interface Missing {
  readonly key: SettingKey;
  readonly message: string;
  readonly hint: string;
}

/** Is this a node of a cluster? */
export function isClustered({ cluster }: Pick<Settings, 'cluster'>): boolean {
  const { kafka, redis, postgres, cassandra, bucket } = cluster;
  const records = postgres ?? cassandra;
  return kafka.length + redis.length > 0 || records !== undefined || bucket !== undefined;
}

/** `given` says which settings somebody gave: a name alone asks for a cluster, too. */
export function missingIn(
  settings: Pick<Settings, 'cluster' | 'broker'>,
  given: (key: SettingKey) => boolean,
): Missing[] {
  const { kafka, redis, postgres, cassandra, bucket } = settings.cluster;
  const { kafkaUser, kafkaPassword } = settings.broker;
  const isHalf = (kafkaUser === undefined) !== (kafkaPassword === undefined);
  const asked = (['cluster.name', 'cluster.s3Endpoint', 'cluster.term'] as const).some(given);
  if (!isClustered(settings) && !asked) return [];
  const lacks: readonly (readonly [boolean, SettingKey, string, string])[] = [
    [kafka.length === 0, 'cluster.kafka', 'nodes meet at a Kafka broker', '--kafka HOST:9092'],
    [
      redis.length === 0,
      ...(['cluster.redis', 'the filter of known URLs is in Redis'] as const),
      '--redis redis://HOST:6379',
    ],
    [
      (postgres ?? cassandra) === undefined,
      ...(['cluster.postgres', 'records are in PostgreSQL, or in Cassandra'] as const),
      'ORB_CLUSTER_POSTGRES=postgres://USER:PASSWORD@HOST/DATABASE',
    ],
    [bucket === undefined, 'cluster.bucket', 'bodies are in an S3 bucket', '--bucket NAME'],
    [
      ...([isHalf, kafkaUser === undefined ? 'broker.kafkaUser' : 'broker.kafkaPassword'] as const),
      ...(['Kafka wants both or neither', '--kafka-user and ORB_BROKER_KAFKA_PASSWORD'] as const),
    ],
  ];
  return lacks.flatMap(([isMissing, key, what, cure]) => {
    const message = `A node of a cluster needs ${key}: ${what}.`;
    return isMissing ? [{ key, message, hint: `Add ${cure}` }] : [];
  });
}

/** Of two places for the records, a part would be in each. */
export function recordsProblem({ cluster }: Pick<Settings, 'cluster'>): string | undefined {
  const isBoth = cluster.postgres !== undefined && cluster.cassandra !== undefined;
  return isBoth ? 'Records are in PostgreSQL or in Cassandra, and both are given.' : undefined;
}

/** Makes requests for other nodes, over HTTP, and nothing else (K3, A2). */
export function isFetcher({ cluster }: Pick<Settings, 'cluster'>): boolean {
  return cluster.roles.length === 1 && cluster.roles[0] === 'fetch';
}

/** Reads or renders pages for other nodes, over HTTP, and nothing else (K3). */
export function handRoleOf({ cluster }: Pick<Settings, 'cluster'>): 'parse' | 'render' | undefined {
  const [role] = cluster.roles;
  if (cluster.roles.length !== 1) return undefined;
  return role === 'parse' || role === 'render' ? role : undefined;
}

/** Owns hosts, and leaves their pages to parsers elsewhere. */
export function readsElsewhere({ cluster }: Pick<Settings, 'cluster'>): boolean {
  return cluster.roles.includes('frontier') && !cluster.roles.includes('parse');
}

/** … and to browsers elsewhere. */
export function rendersElsewhere({ cluster }: Pick<Settings, 'cluster'>): boolean {
  return cluster.roles.includes('frontier') && !cluster.roles.includes('render');
}

/**
 * Who owns hosts decides about them; requests may be made and pages be read by others, over HTTP
 * (A2). Told with what to write instead.
 */
export function rolesProblem(
  settings: Pick<Settings, 'cluster' | 'fetcher'>,
): readonly [problem: string, hint: string] | undefined {
  const { roles } = settings.cluster;
  const { frontier } = settings.fetcher;
  if (isFetcher(settings) || handRoleOf(settings) !== undefined) {
    const problem = `--roles ${roles[0]} leases work from other nodes, and none is named.`;
    return frontier.length > 0 ? undefined : [problem, 'Add --frontier http://HOST:7070'];
  }
  if (frontier.length > 0) {
    const hint = 'Add --roles fetch, parse or render, one of them, or leave it out.';
    return ['--frontier is for a node that only fetches, reads or renders.', hint];
  }
  const works = (['fetch', 'parse'] as const).some((one) => roles.includes(one));
  if (roles.includes('frontier') || !works) return undefined;
  const problem = `--roles ${roles.join(',')} has nobody to work for: no frontier is among them.`;
  const hint = 'Add frontier; or start a node for each: --roles fetch --frontier http://HOST:7070';
  return [problem, hint];
}
