/**
 * Kafka's adapters against a real broker: the contracts, and what only Kafka can do to us.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Admin, Producer } from '@platformatic/kafka';
import { type Broker, KafkaArcGroup, KafkaEventLog } from '../../src/adapters/kafka/index.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { arcGroupContract } from '../../src/ports/arc-group.contract.ts';
import { eventLogContract } from '../../src/ports/event-log.contract.ts';

const address = process.env.ORB_LIVE_KAFKA;
const skip = address === undefined && 'there is no Kafka: npm run test:live -- kafka';
const clock = systemClock();
const SESSION_MS = 6_000;
let count = 0;

function newBroker(): Broker {
  return { addresses: [address ?? ''], prefix: `t${process.pid}-${count++}-` };
}

describe('kafka', { skip }, () => {
  eventLogContract('kafka', {
    order: 'host',
    async open() {
      const broker = newBroker();
      const log = await KafkaEventLog.open(broker, clock);
      const reopen = async () => {
        await log.close();
        return KafkaEventLog.open(broker, clock);
      };
      return { log, reopen };
    },
  });

  arcGroupContract('kafka', async () => {
    const broker = newBroker();
    const connect = () => KafkaArcGroup.connect({ broker, sessionMs: SESSION_MS, clock });
    return { connect, litter: () => litter(broker) };
  });

  it('topics with another number of partitions: refused, and it says what to do', async () => {
    const broker = newBroker();
    const admin = new Admin({ clientId: 'test', bootstrapBrokers: [address ?? ''] });
    await admin.createTopics({ topics: [`${broker.prefix}urls`], partitions: 3, replicas: 1 });
    await admin.close();
    const error = await KafkaEventLog.open(broker, clock).catch((error: unknown) => error);
    assert.ok(error instanceof CrawlError);
    assert.equal(error.code, 'E_BROKER_TOPIC');
    assert.match(error.message, /has 3 partitions/);
  });

  it('no broker at the address: a clear error, not a wait for ever', async () => {
    const broker = { addresses: ['127.0.0.1:1'], prefix: 'x-' };
    const error = await KafkaEventLog.open(broker, clock).catch((error: unknown) => error);
    assert.ok(error instanceof CrawlError);
    assert.equal(error.code, 'E_BROKER_DOWN');
    assert.match(error.message, /127\.0\.0\.1:1/);
  });
});

/** In every partition: bytes, JSON of another kind, ours of a version to come, and nothing. */
async function litter({ prefix }: Broker): Promise<void> {
  const producer = new Producer({ clientId: 'test', bootstrapBrokers: [address ?? ''] });
  const values = ['\u0000\u0001', '{"hello":1}', '{"v":99,"urls":[]}', ''].map(Buffer.from);
  const messages = Array.from({ length: 64 }, (_, partition) =>
    values.map((value) => ({ topic: `${prefix}urls`, partition, value })),
  );
  await producer.send({ messages: messages.flat(), acks: -1 });
  await producer.close();
}
