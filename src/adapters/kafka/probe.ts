/** For `orb doctor`: do the brokers answer, and are our topics as they must be (K1, L6)? */
import { type EngineCheck, failedCheck } from '../../ports/engine-check.ts';
import { type Broker, brokerDown, clientOptions, type Driver, loadDriver } from './driver.ts';
import { ARCS, topicName } from './topics.ts';

/** Copies that a broker's loss does not take. */
const BROKERS_SAFE = 3;

export async function probeKafka(broker: Broker): Promise<readonly EngineCheck[]> {
  let admin: InstanceType<Driver['Admin']> | undefined;
  try {
    const driver = await loadDriver();
    admin = new driver.Admin(clientOptions(broker));
    const { brokers } = await admin.metadata({ forceUpdate: true });
    const known = new Set(await admin.listTopics());
    const topics: EngineCheck[] = [];
    for (const name of ['urls', 'pages'] as const) {
      const topic = topicName(broker, name);
      topics.push(known.has(topic) ? await topicCheck(admin, topic) : missingCheck(topic));
    }
    return [brokersCheck(brokers.size, broker), ...topics];
  } catch (error) {
    return [failedCheck('kafka', brokerDown(broker, error))];
  } finally {
    await admin?.close();
  }
}

function brokersCheck(count: number, { addresses }: Broker): EngineCheck {
  const what = `${count} broker(s) answer at ${addresses.join(', ')}`;
  if (count >= BROKERS_SAFE) return { name: 'kafka', state: 'ok', what };
  const fix = `With ${BROKERS_SAFE} brokers no URL is lost when one of them is.`;
  return { name: 'kafka', state: 'warn', what, fix };
}

function missingCheck(name: string): EngineCheck {
  return { name: 'kafka', state: 'ok', what: `topic ${name} is made by the first node` };
}

async function topicCheck(
  admin: InstanceType<Driver['Admin']>,
  name: string,
): Promise<EngineCheck> {
  const { topics } = await admin.metadata({ topics: [name], forceUpdate: true });
  const count = topics.get(name)?.partitionsCount ?? 0;
  const what = `topic ${name} has ${count} partitions`;
  if (count === ARCS) return { name: 'kafka', state: 'ok', what };
  const fix = `A crawl needs ${ARCS}: delete the topic if it holds nothing of worth, or choose another --name.`;
  return { name: 'kafka', state: 'fail', what, fix };
}
