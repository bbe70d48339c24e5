/**
 * Redis' adapters against real servers: the contracts on one server and on a cluster, and what
 * only a server can do to us: be killed, be flushed, be full, hang, come back with old data.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/adapters/node/index.ts';
import {
  connectRedis,
  openRedisFilter,
  type RedisConnection,
  type RedisFilterOptions,
  RedisSharedCache,
} from '../../src/adapters/redis/index.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { seenFilterContract } from '../../src/ports/seen-filter.contract.ts';
import { sharedCacheContract } from '../../src/ports/shared-cache.contract.ts';
import { type UrlKey, urlKeyOf } from '../../src/record/index.ts';
import { redis, redisCluster } from '../../tools/engines/redis.ts';
import { breakable, liveEngine } from '../kit/live.ts';

const server = liveEngine(redis);
const cluster = liveEngine(redisCluster);
const { skip } = server;
const clock = systemClock();
/** Promises are about answers, not about a machine that has much to do. */
const PATIENT_MS = 20_000;
const SIZE = { expectedKeys: 20_000, falsePositiveRate: 0.001 };
let count = 0;

function prefix(): string {
  return `t${process.pid}-${count++}:`;
}

function contracts(name: string, urls: readonly string[], isCluster: boolean): void {
  const connected = connectRedis({ urls, isCluster, deadlineMs: PATIENT_MS });
  after(async () => (await connected).close());
  seenFilterContract(name, {
    open: async (options) =>
      openRedisFilter({ ...options, connection: await connected, clock, prefix: prefix() }),
  });
  sharedCacheContract(name, async () => {
    const options = { connection: await connected, clock, prefix: prefix() };
    const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);
    return { cache: new RedisSharedCache(options), other: new RedisSharedCache(options), pass };
  });
}

if (!server.skip) contracts('redis', [server.address], false);
else it('redis', { skip }, () => undefined);
if (!cluster.skip) contracts('redis-cluster', cluster.address.split(','), true);
else it('redis-cluster', { skip: cluster.skip }, () => undefined);

function keysOf(from: number, to: number): UrlKey[] {
  return Array.from({ length: to - from }, (_, i) =>
    urlKeyOf(`https://h${i % 50}.test/${from + i}`),
  );
}

/** What a store would know: the keys that were admitted, in runs by range. */
class Known {
  readonly keys = new Map<string, UrlKey>();

  add(keys: readonly UrlKey[]): void {
    for (const key of keys) this.keys.set(key.toString('hex'), key);
  }

  async *in({ from, to }: { from: number; to: number }): AsyncIterable<Buffer> {
    const within = (key: UrlKey) => (key[0] as number) >= from && (key[0] as number) <= to;
    yield Buffer.concat([...this.keys.values()].filter(within));
  }
}

async function openOwn(t: TestContext, kind = redis) {
  const engine = await breakable(t, kind);
  const isCluster = kind === redisCluster;
  const urls = engine.address.split(',');
  const connection = await connectRedis({ urls, isCluster, deadlineMs: 1_000 });
  const known = new Known();
  const notices: string[] = [];
  const options: RedisFilterOptions = {
    ...{ connection, clock, prefix: prefix(), ...SIZE, complete: true },
    ...{ known: (range) => known.in(range), notice: (text) => notices.push(text) },
  };
  const filter = await openRedisFilter(options);
  t.after(async () => {
    await filter.close();
    await connection.close();
  });
  return { engine, connection, known, notices, options, filter };
}

type Own = Awaited<ReturnType<typeof openOwn>>;

function news(answers: Uint8Array): number {
  return answers.filter((maybe) => maybe === 0).length;
}

/** Asks as a crawl would: whatever is not known is admitted. Counts wrong 'new's. */
async function admit({ filter, known }: Own, keys: readonly UrlKey[]): Promise<number> {
  const answers = await filter.checkAndAdd(keys);
  const wrong = keys.filter((key, i) => answers[i] === 0 && known.keys.has(key.toString('hex')));
  known.add(keys);
  return wrong.length;
}

/** Asks for known keys until the filter is complete again. */
async function untilComplete(own: Own): Promise<void> {
  const asked = [...own.known.keys.values()];
  const endAt = clock.now() + 20_000;
  while (!own.filter.stats().complete) {
    assert.ok(clock.now() < endAt, `still incomplete: ${own.notices.join('; ')}`);
    assert.equal(await admit(own, asked), 0);
    await own.filter.settled();
    await clock.sleepUntil(clock.now() + 50);
  }
}

async function assertWhole(own: Own, unheard: readonly UrlKey[]): Promise<void> {
  await untilComplete(own);
  assert.equal(news(await own.filter.checkAndAdd([...own.known.keys.values()])), 0);
  assert.ok(news(await own.filter.checkAndAdd(unheard)) > unheard.length * 0.99);
}

async function flush(connection: RedisConnection): Promise<void> {
  await connection.send('any', ['FLUSHALL']);
}

describe('redis seen-filter, its server', { skip }, () => {
  it('kill -9 and restart, empty: fails open, says so once, and is rebuilt by itself', async (t) => {
    const own = await openOwn(t);
    assert.equal(news(await own.filter.checkAndAdd(keysOf(0, 2_000))), 2_000);
    own.known.add(keysOf(0, 2_000));
    await own.engine.kill();
    for (let from = 2_000; from < 4_000; from += 500) {
      assert.equal(news(await own.filter.checkAndAdd(keysOf(from, from + 500))), 0);
      own.known.add(keysOf(from, from + 500));
    }
    assert.equal(own.filter.stats().complete, false);
    assert.equal(own.notices.length, 1, own.notices.join('; '));
    await own.engine.restart();
    await assertWhole(own, keysOf(10_000, 11_000));
  });

  it('restart with an older snapshot: what came after it is not called new', async (t) => {
    const own = await openOwn(t);
    await admit(own, keysOf(0, 1_000));
    await own.connection.send('any', ['SAVE']);
    await admit(own, keysOf(1_000, 3_000));
    await own.engine.kill();
    await own.engine.restart();
    assert.equal(await admit(own, keysOf(0, 3_000)), 0);
    await assertWhole(own, keysOf(10_000, 11_000));
  });

  it('flushed between two asks, again and again: nothing known is ever called new', async (t) => {
    const own = await openOwn(t);
    for (let round = 0; round < 5; round++) {
      assert.equal(await admit(own, keysOf(round * 1_000, round * 1_000 + 1_000)), 0);
      await flush(own.connection);
      assert.equal(await admit(own, keysOf(0, round * 1_000 + 1_000)), 0);
    }
    await assertWhole(own, keysOf(10_000, 11_000));
  });

  it('a bitmap evicted by itself: incomplete, not wrong', async (t) => {
    const own = await openOwn(t);
    await admit(own, keysOf(0, 2_000));
    const all = (await own.connection.send('any', ['KEYS', '*:0'])) as string[];
    await own.connection.send('any', ['DEL', ...all.slice(0, 20)]);
    assert.equal(await admit(own, keysOf(0, 2_000)), 0);
    await assertWhole(own, keysOf(10_000, 11_000));
  });

  it('full: fails open, and what could not be added is added when there is room', async (t) => {
    const own = await openOwn(t);
    await admit(own, keysOf(0, 1_000));
    await own.connection.send('any', ['CONFIG', 'SET', 'maxmemory', '1']);
    assert.equal(news(await own.filter.checkAndAdd(keysOf(1_000, 2_000))), 0);
    own.known.add(keysOf(1_000, 2_000));
    assert.match(own.notices[0] ?? '', /OOM|memory/);
    await own.connection.send('any', ['CONFIG', 'SET', 'maxmemory', '0']);
    await assertWhole(own, keysOf(10_000, 11_000));
    assert.ok(!own.notices.some((text) => text.includes('rebuilt')), 'nothing was lost');
  });

  it('hangs: batches are answered in time, and it is caught up with', async (t) => {
    const own = await openOwn(t);
    await admit(own, keysOf(0, 1_000));
    own.engine.signal('SIGSTOP');
    const startedAt = clock.now();
    for (let from = 1_000; from < 6_000; from += 100) {
      assert.equal(await admit(own, keysOf(from, from + 100)), 0);
    }
    assert.ok(clock.now() - startedAt < 10_000);
    own.engine.signal('SIGCONT');
    await assertWhole(own, keysOf(10_000, 11_000));
  });

  it('two nodes, one of which was away: neither calls new what the other admitted', async (t) => {
    const own = await openOwn(t);
    const other = { ...own, filter: await openRedisFilter({ ...own.options, complete: false }) };
    for (let from = 0; from < 4_000; from += 1_000) {
      const [one, two] = await Promise.all([
        own.filter.checkAndAdd(keysOf(from, from + 1_000)),
        other.filter.checkAndAdd(keysOf(from, from + 1_000)),
      ]);
      for (let i = 0; i < 1_000; i++) assert.ok((one[i] as number) + (two[i] as number) >= 1);
      own.known.add(keysOf(from, from + 1_000));
    }
    await flush(own.connection);
    assert.equal(await admit(other, keysOf(0, 4_000)), 0);
    assert.equal(await admit(own, keysOf(0, 4_000)), 0);
    await assertWhole(own, keysOf(10_000, 11_000));
    await other.filter.close();
  });

  it('not there at the start: opens, fails open, and begins when it comes', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    listener.close();
    const connection = await connectRedis({ urls: [`redis://127.0.0.1:${port}`] });
    const filter = await openRedisFilter({
      ...{ connection, clock, prefix: prefix(), ...SIZE, complete: true },
    });
    assert.equal(filter.stats().complete, false);
    assert.equal(news(await filter.checkAndAdd(keysOf(0, 10))), 0);
    await filter.close();
    await connection.close();
  });

  it('a wrong password: a clear error', async (t) => {
    const own = await openOwn(t);
    await own.connection.send('any', ['CONFIG', 'SET', 'requirepass', 'right']);
    const url = own.engine.address.replace('redis://', 'redis://:wrong@');
    const error = await connectRedis({ urls: [url] }).catch((error: unknown) => error);
    assert.ok(error instanceof CrawlError);
    assert.equal(error.code, 'E_CONFIG');
    assert.match(error.message, /does not let us in/);
    assert.ok(!error.message.includes('wrong@'));
  });
});

describe('redis-cluster seen-filter, its nodes', { skip: cluster.skip }, () => {
  it('a node killed and restarted, then all of them: open, then whole again', async (t) => {
    const own = await openOwn(t, redisCluster);
    assert.equal(await admit(own, keysOf(0, 3_000)), 0);
    await own.engine.kill('node-2');
    for (let from = 3_000; from < 5_000; from += 500) {
      assert.equal(await admit(own, keysOf(from, from + 500)), 0);
    }
    assert.equal(own.filter.stats().complete, false);
    await own.engine.restart();
    await assertWhole(own, keysOf(10_000, 11_000));
    await own.engine.kill();
    assert.equal(await admit(own, keysOf(0, 5_000)), 0);
    await own.engine.restart();
    await assertWhole(own, keysOf(20_000, 21_000));
  });
});

describe('redis shared-cache, its server', { skip }, () => {
  it('killed: knows nothing, keeps nothing, rejects never, says so once; then goes on', async (t) => {
    const { engine, connection } = await openOwn(t);
    const notices: string[] = [];
    const notice = (text: string) => notices.push(text);
    const cache = new RedisSharedCache({ connection, clock, prefix: prefix(), notice });
    const entry = { name: 'a.test', value: Buffer.from('rules'), lifeMs: 60_000 };
    await cache.put('robots', [entry]);
    await engine.kill();
    for (let i = 0; i < 20; i++) {
      assert.deepEqual(await cache.get('robots', ['a.test', 'b.test']), [undefined, undefined]);
      await cache.put('robots', [entry]);
      await cache.forget('robots', ['b.test']);
    }
    assert.equal(notices.length, 1);
    await engine.restart();
    const endAt = clock.now() + 20_000;
    while ((await cache.get('robots', ['a.test']))[0] === undefined) {
      assert.ok(clock.now() < endAt, notices.join('; '));
      await clock.sleepUntil(clock.now() + 50);
      await cache.put('robots', [entry]);
    }
    assert.equal(notices.length, 2);
  });
});
