/**
 * Apache Kafka, one broker that is its own controller (KRaft), from its jars. Its groups wait
 * for nobody, and its log is not written to disk at each message: killed, it keeps what the
 * system has; only a power cut would lose some.
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Admin } from '@platformatic/kafka';
import { type Engine, NotHad, type Site } from './engine.ts';
import { maven, onPath, run } from './obtain.ts';

const VERSION = '4.3.1';
const ANSWER_MS = 1_000;
/** Small, for a machine that runs all engines at once. */
const MEMORY = ['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC'];

export const kafka: Engine = {
  name: 'kafka',
  variable: 'ORB_LIVE_KAFKA',
  async obtain(shelf) {
    if (onPath('java') === undefined) throw new NotHad('Kafka: there is no java here to run it');
    return maven(shelf, `kafka-${VERSION}`, [`org.apache.kafka:kafka_2.13:${VERSION}`]);
  },
  async plan(site) {
    const [port, controller] = [await site.port(), await site.port()];
    const properties = join(site.dir, 'server.properties');
    await writeFile(properties, propertiesOf(site, port, controller));
    const jars = ['-cp', join(site.programs, '*')];
    const id = randomBytes(16).toString('base64url');
    await run('java', [...jars, 'kafka.tools.StorageTool', 'format', '-t', id, '-c', properties]);
    return {
      address: `127.0.0.1:${port}`,
      commands: [
        { name: 'broker', program: 'java', args: [...MEMORY, ...jars, 'kafka.Kafka', properties] },
      ],
    };
  },
  async answers(address) {
    const timeouts = { connectTimeout: ANSWER_MS, requestTimeout: ANSWER_MS, retries: 0 };
    const admin = new Admin({ clientId: 'look', bootstrapBrokers: [address], ...timeouts });
    try {
      await admin.listTopics();
    } finally {
      await admin.close();
    }
  },
};

function propertiesOf(site: Site, port: number, controller: number): string {
  const all = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(site.dir, 'data'),
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    'auto.create.topics.enable': false,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
