/**
 * Apache Cassandra, one node, from its jars. Every write is on the disk before it is answered, so
 * that kill -9 loses nothing; it waits for no other node, because there is none.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'cassandra-driver';
import { type Engine, NotHad, type Site } from './engine.ts';
import { maven, onPath } from './obtain.ts';

const VERSION = '5.0.9';
const USER = 'cassandra';
const DATACENTER = 'datacenter1';
const ANSWER_MS = 1_000;
/** Small, for a machine that runs all engines at once. */
const MEMORY = ['-Xms512m', '-Xmx512m', '-XX:+UseSerialGC', '-Xss512k'];
/** Started more often than it is kept busy. */
const QUICK = ['-XX:TieredStopAtLevel=1'];
/** Nobody to gossip with, and nobody whose answer is waited for. */
const ALONE = {
  'cassandra.ring_delay_ms': 0,
  'cassandra.skip_wait_for_gossip_to_settle': 0,
  'cassandra.superuser_setup_delay_ms': 0,
  'cassandra.start_gossip': true,
  'cassandra-foreground': 'yes',
  'java.net.preferIPv4Stack': true,
};
/** What Cassandra reaches into, and Java 17 does not give unasked. */
const EXPORTS = [
  ...['java.base/jdk.internal.misc', 'java.base/jdk.internal.ref', 'java.base/java.lang.ref'],
  ...['java.base/sun.nio.ch', 'java.management.rmi/com.sun.jmx.remote.internal.rmi'],
  ...['java.rmi/sun.rmi.registry', 'java.rmi/sun.rmi.server', 'java.sql/java.sql'],
  ...['jdk.unsupported/sun.misc', 'jdk.compiler/com.sun.tools.javac.file'],
];
const OPENS = [
  ...['java.lang', 'java.lang.module', 'java.lang.reflect', 'java.io', 'java.math', 'java.net'],
  ...['java.nio', 'java.util', 'java.util.concurrent', 'java.util.concurrent.atomic'],
  ...['jdk.internal.loader', 'jdk.internal.math', 'jdk.internal.module', 'jdk.internal.ref'],
  ...['jdk.internal.reflect', 'jdk.internal.util.jar', 'sun.nio.ch'],
].map((name) => `java.base/${name}`);

export const cassandra: Engine = {
  name: 'cassandra',
  variable: 'ORB_LIVE_CASSANDRA',
  async obtain(shelf) {
    if (onPath('java') === undefined) {
      throw new NotHad('Cassandra: there is no java here to run it');
    }
    const jar = `org.apache.cassandra:cassandra-all:${VERSION}`;
    return maven(shelf, `cassandra-${VERSION}`, [jar]);
  },
  async plan(site) {
    const [port, storage] = [await site.port(), await site.port()];
    const yaml = join(site.dir, 'cassandra.yaml');
    await mkdir(join(site.dir, 'conf'));
    await writeFile(join(site.dir, 'conf', 'logback.xml'), LOGS);
    await writeFile(yaml, settingsOf(site, port, storage));
    const properties = { ...ALONE, 'cassandra.config': `file://${yaml}` };
    const args = [
      ...MEMORY,
      ...QUICK,
      ...Object.entries({ ...properties, 'cassandra.storagedir': site.dir }).map(
        ([name, value]) => `-D${name}=${value}`,
      ),
      ...EXPORTS.flatMap((name) => ['--add-exports', `${name}=ALL-UNNAMED`]),
      ...[...OPENS, 'jdk.management/com.sun.management.internal'].flatMap((name) => [
        ...['--add-opens', `${name}=ALL-UNNAMED`],
      ]),
      ...['-cp', `${join(site.dir, 'conf')}:${join(site.programs, '*')}`],
      'org.apache.cassandra.service.CassandraDaemon',
    ];
    const address = `cassandra://${USER}:${USER}@127.0.0.1:${port}/?dc=${DATACENTER}`;
    return { address, commands: [{ name: 'node', program: 'java', args, cwd: site.dir }] };
  },
  async answers(address) {
    const { host, username, password } = new URL(address);
    const client = new Client({
      ...{
        contactPoints: [host],
        localDataCenter: DATACENTER,
        credentials: { username, password },
      },
      socketOptions: { connectTimeout: ANSWER_MS, readTimeout: ANSWER_MS },
    });
    try {
      await client.execute('SELECT key FROM system.local');
    } finally {
      await client.shutdown().catch(() => undefined);
    }
  },
};

const LOGS = `<configuration>
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %date{ISO8601} %logger{0} - %msg%n</pattern></encoder>
  </appender>
  <root level="WARN"><appender-ref ref="OUT"/></root>
</configuration>
`;

function settingsOf(site: Site, port: number, storage: number): string {
  const folder = (name: string) => join(site.dir, name);
  const all = {
    cluster_name: 'orb-live',
    num_tokens: 1,
    partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner',
    endpoint_snitch: 'SimpleSnitch',
    listen_address: '127.0.0.1',
    rpc_address: '127.0.0.1',
    native_transport_port: port,
    storage_port: storage,
    seed_provider: `[{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: "127.0.0.1:${storage}"}]}]`,
    authenticator: 'PasswordAuthenticator',
    data_file_directories: `[${folder('data')}]`,
    commitlog_directory: folder('commitlog'),
    saved_caches_directory: folder('saved_caches'),
    hints_directory: folder('hints'),
    cdc_raw_directory: folder('cdc_raw'),
    commitlog_sync: 'batch',
    commitlog_segment_size: '8MiB',
    commitlog_total_space: '256MiB',
    memtable_heap_space: '96MiB',
    memtable_offheap_space: '64MiB',
    key_cache_size: '8MiB',
    file_cache_enabled: false,
    concurrent_reads: 8,
    concurrent_writes: 8,
    concurrent_compactors: 1,
    disk_optimization_strategy: 'ssd',
    auto_snapshot: false,
    batch_size_warn_threshold: '1MiB',
    batch_size_fail_threshold: '4MiB',
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
