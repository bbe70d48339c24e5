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
/** Started more often than it is kept busy: most of its CPU in a few minutes was its compiler's. */
const QUICK = ['-XX:TieredStopAtLevel=1'];

export const kafka: Engine = kafkaCalled('kafka', 'ORB_LIVE_KAFKA');

/** Users of the guarded broker with their passwords: one may do everything, one nothing. */
export const KAFKA_USERS = { admin: 'orb-live', weak: 'weak-word' } as const;

/** One that wants a name and a password, and lets nobody but its admin make or see topics. */
export const guardedKafka: Engine = kafkaCalled('kafka-guarded', 'ORB_LIVE_KAFKA_GUARDED', {
  ...{ listener: 'SASL_PLAINTEXT', login: KAFKA_USERS.admin },
  properties: {
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.sasl_plaintext.plain.sasl.jaas.config': jaasOf(KAFKA_USERS),
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:admin;User:ANONYMOUS',
  },
});

interface Guard {
  readonly listener: string;
  readonly login?: string;
  readonly properties: Readonly<Record<string, string>>;
}

function jaasOf(users: Readonly<Record<string, string>>): string {
  const own = `username="admin" password="${users.admin}"`;
  const others = Object.entries(users).map(([user, word]) => `user_${user}="${word}"`);
  const login = 'org.apache.kafka.common.security.plain.PlainLoginModule';
  return `${login} required ${own} ${others.join(' ')};`;
}

function kafkaCalled(
  name: string,
  variable: string,
  guard: Guard = { listener: 'PLAINTEXT', properties: {} },
): Engine {
  return {
    ...{ name, variable },
    async obtain(shelf) {
      if (onPath('java') === undefined) throw new NotHad('Kafka: there is no java here to run it');
      return maven(shelf, `kafka-${VERSION}`, [`org.apache.kafka:kafka_2.13:${VERSION}`]);
    },
    async plan(site) {
      const [port, controller] = [await site.port(), await site.port()];
      const properties = join(site.dir, 'server.properties');
      await writeFile(properties, propertiesOf(site, port, controller, guard));
      const jars = [...QUICK, '-cp', join(site.programs, '*')];
      const id = newClusterId();
      await run('java', [...jars, 'kafka.tools.StorageTool', 'format', '-t', id, '-c', properties]);
      const args = [...MEMORY, ...jars, 'kafka.Kafka', properties];
      return {
        address: `127.0.0.1:${port}`,
        commands: [{ name: 'broker', program: 'java', args }],
      };
    },
    answers: (address) => listTopics(address, guard.login),
  };
}

/** Begins with an A: one in 64 of random ids begins with a dash, and would be read as a flag. */
function newClusterId(): string {
  return Buffer.concat([Buffer.of(0), randomBytes(15)]).toString('base64url');
}

async function listTopics(address: string, password: string | undefined): Promise<void> {
  const timeouts = { connectTimeout: ANSWER_MS, requestTimeout: ANSWER_MS, retries: 0 };
  const sasl = password && ({ mechanism: 'PLAIN', username: 'admin', password } as const);
  const admin = new Admin({
    ...{ clientId: 'look', bootstrapBrokers: [address], ...timeouts },
    ...(sasl && { sasl }),
  });
  try {
    await admin.listTopics();
  } finally {
    await admin.close();
  }
}

function propertiesOf(
  site: Site,
  port: number,
  controller: number,
  { listener, properties }: Guard,
): string {
  const all = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `${listener}://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `${listener}://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': listener,
    'listener.security.protocol.map': `${listener}:${listener},CONTROLLER:PLAINTEXT`,
    'log.dirs': join(site.dir, 'data'),
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1_000,
    'auto.create.topics.enable': false,
    ...properties,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}
