/**
 * Many nodes, one crawl (K1, K2): the engines that they share. With none of these, a crawl is
 * one process and its folder.
 */
import { list } from '../kind.ts';
import { cassandraUrl, engineUrl, kafkaBroker } from '../kinds-engine.ts';
import { boolean, choice, duration, text } from '../kinds-plain.ts';
import { webUrl } from '../kinds-web.ts';
import { optional, setting } from '../setting.ts';

/** What a node does for the others (K3). */
export const NODE_ROLES = ['frontier', 'fetch', 'parse', 'render', 'schedule', 'api'] as const;
export type NodeRole = (typeof NODE_ROLES)[number];

/** A schema, a prefix of topics and of keys: what all three can be called. */
const NAME = /^[a-z][a-z0-9_]{0,39}$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

function nameOf(form: string, expects: string, shape: RegExp) {
  const parse = (given: string) =>
    shape.test(given.trim()) ? { value: given.trim() } : { problem: `is not ${expects}` };
  return { ...text(form, expects), parse };
}

export const cluster = {
  name: setting(nameOf('NAME', 'a name of small letters, digits and _', NAME), 'orb', {
    help: "The crawl's name: nodes with the same one work on it together.",
    example: 'news',
    aliases: ['cluster-name', 'crawl-name', 'group'],
  }),
  kafka: setting(list(kafkaBroker()), [], {
    help: 'Kafka broker that nodes meet at; repeatable.',
    example: 'kafka-1:9092',
    aliases: ['brokers', 'bootstrap-servers', 'kafka-brokers'],
  }),
  redis: setting(list(engineUrl('redis')), [], {
    help: 'Redis or Valkey for filter and caches; repeated: nodes of a Redis Cluster.',
    example: 'redis://redis:6379',
    secret: true,
    aliases: ['redis-url', 'valkey'],
  }),
  dueSets: setting(boolean(), true, {
    help: 'Keep what is due in sorted sets of Redis, too: the records are asked less.',
    example: 'false',
    aliases: ['recrawl-sets', 'due-index'],
  }),
  postgres: optional(engineUrl('postgres'), {
    help: 'PostgreSQL database for records; best as ORB_CLUSTER_POSTGRES.',
    example: 'postgres://orb:secret@postgres:5432/orb',
    secret: true,
    aliases: ['postgres-url', 'database', 'database-url'],
  }),
  cassandra: optional(cassandraUrl(), {
    help: 'Cassandra for records, instead of PostgreSQL; best as ORB_CLUSTER_CASSANDRA.',
    example: 'cassandra://orb:secret@cassandra-1:9042,cassandra-2:9042/?dc=datacenter1',
    secret: true,
    aliases: ['cassandra-url', 'contact-points', 'scylla'],
  }),
  keyspace: setting(nameOf('NAME', 'a name of small letters, digits and _', NAME), 'orbweaver', {
    help: 'Keyspace in Cassandra; crawls share it.',
    example: 'crawls',
  }),
  bucket: optional(nameOf('NAME', 'a name of a bucket', BUCKET), {
    help: 'S3 bucket for bodies; keys as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    example: 'crawl-bodies',
    aliases: ['s3-bucket', 's3'],
  }),
  s3Endpoint: optional(webUrl('URL', 'a URL such as http://s3.internal:9000'), {
    help: "S3 server of one's own, asked as ENDPOINT/BUCKET.",
    example: 'http://s3.internal:9000',
    defaultText: "Amazon's",
    aliases: ['endpoint', 'endpoint-url'],
  }),
  s3Region: optional(text('REGION', 'a region of the S3 server'), {
    help: 'Region of the bucket.',
    example: 'eu-central-1',
    defaultText: 'AWS_REGION, else us-east-1',
    aliases: ['aws-region'],
  }),
  term: setting(duration({ min: 2_000, max: 300_000 }), 15_000, {
    help: 'After this long without a word from a node, others may act for its hosts.',
    example: '30s',
    aliases: ['tenure', 'lease-time'],
  }),
  roles: setting(list(choice(...NODE_ROLES)), NODE_ROLES as readonly NodeRole[], {
    help: 'What this node does; repeatable.',
    example: 'frontier,fetch,parse,schedule',
    defaultText: 'all',
    aliases: ['node-roles'],
  }),
};
