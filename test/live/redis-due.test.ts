/**
 * What is due, in Redis' sorted sets, against real servers: the contract on one server and on a
 * cluster, and what only a server can do to us: be killed, be flushed, lose a part, be full, hang.
 */
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/adapters/node/index.ts';
import {
  connectRedis,
  type RedisConnection,
  RedisDueSets,
} from '../../src/adapters/redis/index.ts';
import { dueIndexContract } from '../../src/ports/due-index.contract.ts';
import type { LostArc } from '../../src/ports/due-index.ts';
import type { Due } from '../../src/ports/shard-store.ts';
import { type UrlKey, urlKeyOf } from '../../src/record/index.ts';
import { arcOf } from '../../src/url/index.ts';
import { redis, redisCluster } from '../../tools/engines/redis.ts';
import { breakable, liveEngine } from '../kit/live.ts';

const server = liveEngine(redis);
const cluster = liveEngine(redisCluster);
const clock = systemClock();
const EVER = { from: 0, until: 1e13, limit: 10_000 };
let count = 0;

function prefix(): string {
  return `d${process.pid}-${count++}:`;
}

function contract(name: string, urls: readonly string[], isCluster: boolean): void {
  const connected = connectRedis({ urls, isCluster });
  after(async () => (await connected).close());
  dueIndexContract(name, async () => {
    const options = { connection: await connected, clock, prefix: prefix() };
    const [one, two] = [new RedisDueSets(options), new RedisDueSets(options)];
    return { one, two, forget: () => forget(options.connection, options.prefix) };
  });
}

/** As if flushed, without the keys of other tests. */
async function forget(connection: RedisConnection, start: string): Promise<void> {
  const arcs = Array.from({ length: 512 }, (_, arc) =>
    ['state', 1, 2, 3].map((what) => `${start}due:{${arc}}:${what}`),
  );
  await Promise.all(arcs.map((keys) => connection.send(keys[0] as string, ['DEL', ...keys])));
}

if (!server.skip) contract('redis', [server.address], false);
else it('redis due-index', { skip: server.skip }, () => undefined);
if (!cluster.skip) contract('redis-cluster', cluster.address.split(','), true);
else it('redis-cluster due-index', { skip: cluster.skip }, () => undefined);

const KEYS: readonly UrlKey[] = Array.from({ length: 3_000 }, (_, n) =>
  urlKeyOf(`https://h${n % 40}.test/${n}`),
);
const ARCS = [...new Set(KEYS.map((key) => arcOf(key)))];
const ROWS: readonly Due[] = KEYS.map((key, n) => ({ key, at: 1_000 + n }));

async function openOwn(t: TestContext) {
  const engine = await breakable(t, redis);
  const connection = await connectRedis({ urls: [engine.address], deadlineMs: 500 });
  t.after(() => connection.close());
  const notices: string[] = [];
  const options = {
    connection,
    clock,
    prefix: prefix(),
    notice: (text: string) => notices.push(text),
  };
  const index = new RedisDueSets(options);
  for (const arc of ARCS) index.take(arc, 1);
  await filled(index, (await index.due(EVER, ARCS)).lost);
  return { engine, connection, notices, options, index };
}

async function filled(index: RedisDueSets, lost: readonly LostArc[]): Promise<void> {
  for (const one of lost) {
    const rows = ROWS.filter(({ key }) => arcOf(key) === one.arc);
    assert.ok(await index.fill(one, rows, true), `arc ${one.arc}`);
  }
}

async function told(index: RedisDueSets): Promise<readonly Due[]> {
  const { rows, lost } = await index.due(EVER, ARCS);
  assert.deepEqual(lost, []);
  return rows;
}

/** A difference between thousands of rows takes minutes to be printed. */
function assertSame(rows: readonly Due[], wanted: readonly Due[]): void {
  const textOf = (all: readonly Due[]) => all.map(({ at, key }) => `${at} ${key.toString('hex')}`);
  const [told, right] = [textOf(rows), textOf(wanted)];
  const wrong = right.findIndex((row, n) => row !== told[n]);
  assert.deepEqual([told.length, told[wrong]], [right.length, right[wrong]]);
}

/** Looks until the server answers again. */
async function lostOnceBack(index: RedisDueSets): Promise<readonly LostArc[]> {
  const endAt = clock.now() + 20_000;
  for (;;) {
    const { lost } = await index.due(EVER, ARCS);
    if (lost.every(({ loss }) => loss !== undefined)) return lost;
    assert.ok(clock.now() < endAt, 'still away');
    await clock.sleepUntil(clock.now() + 100);
  }
}

describe('redis due-sets, its server', { skip: server.skip }, () => {
  it('kill -9 and restart, empty: lost, said once, filled again, and what was noted is there', async (t) => {
    const { engine, index, notices } = await openOwn(t);
    assertSame(await told(index), ROWS);
    await engine.kill();
    const first = ROWS[0] as Due;
    index.note([{ key: first.key, at: 5 }]);
    for (let n = 0; n < 3; n++) {
      const { rows, lost } = await index.due(EVER, ARCS);
      assert.deepEqual([rows.length, lost.length, lost[0]?.loss], [0, ARCS.length, undefined]);
    }
    assert.equal(notices.length, 1, notices.join('; '));
    await engine.restart();
    await filled(index, await lostOnceBack(index));
    assertSame(await told(index), [{ key: first.key, at: 5 }, ...ROWS.slice(1)]);
  });

  it('restarted with what it had: lost all the same, for who knows how old it is', async (t) => {
    const { engine, connection, index } = await openOwn(t);
    await connection.send('any', ['SAVE']);
    await engine.kill();
    await engine.restart();
    assert.equal((await lostOnceBack(index)).length, ARCS.length);
  });

  it('flushed: lost at the next look', async (t) => {
    const { connection, index } = await openOwn(t);
    await connection.send('any', ['FLUSHALL']);
    const { rows, lost } = await index.due(EVER, ARCS);
    assert.deepEqual([rows.length, lost.length], [0, ARCS.length]);
    await filled(index, lost);
    assertSame(await told(index), ROWS);
  });

  it('evicted: one set of one arc is gone: that arc is lost, and no other', async (t) => {
    const { connection, options, index } = await openOwn(t);
    const arc = ARCS[0] as number;
    await connection.send('any', ['DEL', `${options.prefix}due:{${arc}}:3`]);
    const { rows, lost } = await index.due(EVER, ARCS);
    assert.deepEqual(
      lost.map((one) => one.arc),
      [arc],
    );
    assertSame(
      rows,
      ROWS.filter(({ key }) => arcOf(key) !== arc),
    );
  });

  it('full: what cannot be kept is lost, not wrong; with room again it is filled', async (t) => {
    const { connection, index } = await openOwn(t);
    await connection.send('any', [
      'CONFIG',
      'SET',
      'maxmemory',
      '1mb',
      'maxmemory-policy',
      'noeviction',
    ]);
    index.note(ROWS.map(({ key }, n) => ({ key, at: 9_000 + n, tier: 1 })));
    assertSame((await index.due(EVER, ARCS)).rows, []);
    await connection.send('any', ['CONFIG', 'SET', 'maxmemory', '0']);
    await filled(index, await lostOnceBack(index));
    assertSame(
      await told(index),
      ROWS.map(({ key }, n) => ({ key, at: 9_000 + n })),
    );
  });

  it('hangs: given up after the deadline, and nothing that it does late counts', async (t) => {
    const { engine, index } = await openOwn(t);
    const first = ROWS[0] as Due;
    engine.signal('SIGSTOP');
    index.note([{ key: first.key, at: 7 }]);
    assertSame((await index.due(EVER, ARCS)).rows, []);
    index.note([{ key: first.key, at: 3 }]);
    engine.signal('SIGCONT');
    await filled(index, await lostOnceBack(index));
    assertSame(await told(index), [{ key: first.key, at: 3 }, ...ROWS.slice(1)]);
  });

  it('away for long: more was noted than is kept: lost, and filled again', async (t) => {
    const { engine, index } = await openOwn(t);
    const [arc] = ARCS as [number];
    engine.signal('SIGSTOP');
    const key = KEYS.find((one) => arcOf(one) === arc) as UrlKey;
    const many = Array.from({ length: 5_000 }, (_, n) => {
      const other = Buffer.from(key);
      other.writeUInt32BE(n, 10);
      return { key: other, at: 50 + n };
    });
    index.note(many);
    await index.due(EVER, ARCS);
    engine.signal('SIGCONT');
    const lost = await lostOnceBack(index);
    assert.ok(lost.some((one) => one.arc === arc));
    await filled(index, lost);
    assert.ok((await told(index)).length >= ROWS.length);
  });
});
