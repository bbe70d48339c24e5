/**
 * What a broker can do to us: refuse us, restart while we hand or take, forget its topics, hold
 * what others left there. Each is a clear error, or a right result (K1, K5).
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Admin, Producer } from '@platformatic/kafka';
import { type Driver, loadDriver } from '../../src/adapters/kafka/driver.ts';
import { type Broker, KafkaArcGroup, KafkaEventLog } from '../../src/adapters/kafka/index.ts';
import { type Consumer, Membership } from '../../src/adapters/kafka/membership.ts';
import { probeKafka } from '../../src/adapters/kafka/probe.ts';
import { ensureTopics } from '../../src/adapters/kafka/topics.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { encodeMentions, type FetchEvent, type Mention } from '../../src/events/index.ts';
import { hostKeyOf, NO_BYTES } from '../../src/record/index.ts';
import { arcOf, isPart } from '../../src/url/index.ts';
import { guardedKafka, KAFKA_USERS, kafka } from '../../tools/engines/kafka.ts';
import { breakable, liveEngine } from '../kit/live.ts';

const { address, skip } = liveEngine(kafka);
const clock = systemClock();
const SESSION_MS = 6_000;
let count = 0;

function brokerAt(place: string): Broker {
  return { addresses: [place], prefix: `f${process.pid}-${count++}-` };
}

function mention(nth: number): Mention {
  const places = { depth: nth, hops: 0, outside: 0, parent: NO_BYTES };
  return { url: `https://host-${nth % 20}.test/${nth}`, kind: 'page', priority: 0.5, ...places };
}

const mentions = (from: number, end: number) =>
  Array.from({ length: end - from }, (_, i) => mention(from + i));

/** A node that follows what it is assigned, and notes what arrives in its order. */
class Taker {
  readonly got: Mention[] = [];
  readonly troubles: unknown[] = [];
  readonly #broker: Broker;
  #group: KafkaArcGroup | undefined;
  #wake = () => {};
  #work: (mentions: readonly Mention[]) => Promise<void>;

  constructor(broker: Broker, work = async (_: readonly Mention[]) => {}) {
    this.#broker = broker;
    this.#work = work;
  }

  async open(): Promise<KafkaArcGroup> {
    const group = await KafkaArcGroup.connect({
      ...{ broker: this.#broker, sessionMs: SESSION_MS, clock },
      onTrouble: (error) => void this.troubles.push(error),
    });
    this.#group = group;
    await group.open({
      assigned: (arcs) => group.follow(arcs.filter((arc) => !isPart(arc))),
      arrived: async (_, named) => {
        await this.#work(named);
        this.got.push(...named);
        this.#wake();
      },
    });
    return group;
  }

  async until(isSo: (urls: ReadonlySet<string>) => boolean): Promise<void> {
    while (!isSo(new Set(this.got.map(({ url }) => url)))) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
  }

  close(): Promise<void> | undefined {
    return this.#group?.close();
  }
}

async function refusalOf(broker: Broker): Promise<CrawlError> {
  const error = await KafkaEventLog.open(broker, clock).then(
    (log) => log.close(),
    (error: unknown) => error,
  );
  assert.ok(error instanceof CrawlError, `${error}`);
  return error;
}

/** Per host, each URL's first arrival: in the order of its number. */
function assertInOrder(got: readonly Mention[]): void {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  for (const { url, depth } of got) {
    if (seen.has(url)) continue;
    seen.add(url);
    const { host } = new URL(url);
    assert.ok(depth > (last.get(host) ?? -1), `${url} before ${last.get(host)}`);
    last.set(host, depth);
  }
}

describe('kafka, who may come in', { skip }, () => {
  let guarded = '';
  const ends: (() => unknown)[] = [];

  before(async () => {
    const running = await breakable({ after: (end) => void ends.push(end) }, guardedKafka);
    guarded = running.address;
  });

  const login = (user: string, password: string) =>
    ({ login: { mechanism: 'PLAIN', user, password } }) as const;

  it('a right password: topics are made, and events come back', async () => {
    const broker = { ...brokerAt(guarded), ...login('admin', KAFKA_USERS.admin) };
    const log = await KafkaEventLog.open(broker, clock);
    await log.publish([event('a')]);
    const read: string[] = [];
    for await (const { event } of log.read()) read.push(event.id);
    await log.close();
    assert.deepEqual(read, ['a']);
  });

  it('a wrong password: said as such, without the password', async () => {
    const broker = { ...brokerAt(guarded), ...login('admin', 'hush-hush') };
    const error = await refusalOf(broker);
    assert.equal(error.code, 'E_CONFIG');
    assert.match(`${error.message} ${error.hint}`, /does not let us in.*--kafka-user/s);
    assert.ok(!`${error.message} ${error.hint}`.includes('hush-hush'));
    const [check] = await probeKafka(broker);
    assert.equal(check?.state, 'fail');
  });

  it('no password where one is wanted: a clear error, not a wait for ever', async () => {
    const error = await refusalOf(brokerAt(guarded));
    assert.ok(['E_CONFIG', 'E_BROKER_DOWN'].includes(error.code));
    assert.match(error.message, new RegExp(guarded));
  });

  it('a user who may not make topics: told which one, and what to do', async () => {
    const broker = { ...brokerAt(guarded), ...login('weak', KAFKA_USERS.weak) };
    const error = await refusalOf(broker);
    assert.equal(error.code, 'E_BROKER_TOPIC');
    assert.match(`${error.message} ${error.hint}`, /urls.*64 partitions/s);
  });

  it('TLS with a broker that does not speak it: a clear error', async () => {
    const error = await refusalOf({ ...brokerAt(address), isTls: true });
    assert.equal(error.code, 'E_BROKER_DOWN');
  });

  it('the guarded broker is ended', async () => {
    for (const end of ends) await end();
  });
});

describe('kafka, a broker that restarts', { skip }, () => {
  it('in the middle of hand() and of arrived(): nothing is lost, each host in order', async (t) => {
    const running = await breakable(t, kafka);
    const broker = brokerAt(running.address);
    let isBroken: Promise<void> | undefined;
    const breakOnce = async () => {
      await running.kill();
      await running.restart();
    };
    const taker = new Taker(broker, async (named) => {
      if (named.some(({ depth }) => depth >= 500)) isBroken ??= breakOnce();
      await isBroken;
    });
    const group = await taker.open();
    for (let from = 0; from < 1_000; from += 100) await group.hand(mentions(from, from + 100));
    await taker.until((urls) => urls.size === 1_000);
    assertInOrder(taker.got);
    assert.ok(isBroken !== undefined);
    await taker.close();
  });
});

describe('kafka, what is in its topics', { skip }, () => {
  it('messages that came twice, late, or from nobody of ours: what is ours arrives', async () => {
    const broker = brokerAt(address);
    const taker = new Taker(broker);
    const group = await taker.open();
    await group.hand(mentions(0, 20));
    const again = mention(3);
    const values = [encodeMentions([again]), Buffer.from('{"v":2,"urls":[]}'), Buffer.from('\0')];
    const partition = arcOf(hostKeyOf('host-3.test'), 64);
    await send(`${broker.prefix}urls`, partition, [...values, encodeMentions([again])]);
    await group.hand(mentions(20, 40));
    await taker.until((urls) => urls.size === 40);
    await taker.close();
    assert.equal(taker.got.filter(({ url }) => url === again.url).length, 3);
    const told = taker.troubles.filter((error) => /not of this version/.test(`${error}`));
    assert.equal(told.length, 2, 'whoever looks at the log is told of what was passed over');
  });

  it('events of a version to come and bytes in `pages`: passed over, and the rest is read', async () => {
    const broker = brokerAt(address);
    const log = await KafkaEventLog.open(broker, clock);
    await log.publish([event('a')]);
    const litter = ['', '[]', 'null', '\u0000', '{"v":2,"host":"a.test"}', '{"v":1}'];
    const partition = arcOf(hostKeyOf('a.test'), 64);
    await send(`${broker.prefix}pages`, partition, litter.map(Buffer.from));
    await log.publish([event('b')]);
    const read: string[] = [];
    for await (const { event } of log.read()) read.push(event.id);
    await log.close();
    assert.deepEqual(read, ['a', 'b']);
  });

  it('a group that cannot be joined again: nothing is ours, nobody dies, and we join anew', async () => {
    const broker = brokerAt(address);
    const driver = await loadDriver();
    await ensureTopics(driver, broker);
    const made: Consumer[] = [];
    const Watched = new Proxy(driver.Consumer, {
      construct: (Original, given) => {
        const consumer = Reflect.construct(Original, given);
        made.push(consumer);
        return consumer;
      },
    });
    let [told, wake] = [[] as number[], () => {}];
    const options = {
      topic: `${broker.prefix}urls`,
      groupId: broker.prefix,
      sessionMs: SESSION_MS,
    };
    const ours: Driver = { ...driver, Consumer: Watched };
    const membership = new Membership(ours, broker, options, clock, ({ length }) => {
      told = [...told, length];
      wake();
    });
    await membership.open();
    assert.deepEqual([made.length, told.length], [1, 1]);
    made[0]?.emit('error', new Error('joinGroup failed 6 times.'));
    assert.equal(membership.consumer, undefined);
    while (told.length < 3) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    await membership.close();
    assert.deepEqual(told, [told[0], 0, told[0]]);
    assert.equal(made.length, 2);
  });

  it('a topic that is deleted and made again: its new messages arrive', async () => {
    const broker = brokerAt(address);
    const taker = new Taker(broker);
    const group = await taker.open();
    await group.hand(mentions(0, 200));
    await taker.until((urls) => urls.size === 200);
    const admin = new Admin({ clientId: 'test', bootstrapBrokers: [address] });
    const topics = [`${broker.prefix}urls`];
    await admin.deleteTopics({ topics });
    await admin.createTopics({ topics, partitions: 64, replicas: 1 });
    await admin.close();
    let isThere = false;
    const arrived = taker
      .until((urls) => urls.size === 220)
      .then(() => {
        isThere = true;
      });
    // What a broker takes while it is still deleting is gone with the old topic.
    while (!isThere) {
      await group.hand(mentions(200, 220));
      await Promise.race([arrived, clock.sleepUntil(clock.now() + 500)]);
    }
    await taker.close();
  });
});

async function send(topic: string, partition: number, values: readonly Buffer[]): Promise<void> {
  const producer = new Producer({ clientId: 'test', bootstrapBrokers: [address] });
  await producer.send({ messages: values.map((value) => ({ topic, partition, value })), acks: -1 });
  await producer.close();
}

function event(id: string): FetchEvent {
  return {
    ...{ v: 1, id, kind: 'page', url: 'https://a.test/', host: 'a.test', address: '127.0.0.1' },
    ...{ startedAt: 1, answeredAt: 2, endedAt: 3, delayMs: 1_000, status: 200, bytes: 4 },
    urlHash: '',
  };
}
