/**
 * Turns at addresses on real servers (P4): the contract on one server and on a cluster, and what
 * only a server can do to us: be killed, be flushed, hang, be full, come back with old data.
 */
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { systemClock } from '../../src/adapters/node/index.ts';
import {
  connectRedis,
  RedisAddressTurns,
  type RedisConnection,
} from '../../src/adapters/redis/index.ts';
import { addressTurnsContract } from '../../src/ports/address-turns.contract.ts';
import type { TurnAnswer } from '../../src/ports/address-turns.ts';
import { redis, redisCluster } from '../../tools/engines/redis.ts';
import { breakable, liveEngine } from '../kit/live.ts';

const server = liveEngine(redis);
const cluster = liveEngine(redisCluster);
const clock = systemClock();
const FORGET_MS = 400;
const TERMS = { holdMs: 30_000, pauseMs: 500 };
let count = 0;

const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);

function contract(name: string, urls: readonly string[], isCluster: boolean): void {
  const connected = connectRedis({ urls, isCluster });
  after(async () => (await connected).close());
  addressTurnsContract(name, async () => {
    const prefix = `a${process.pid}-${count++}:`;
    const connection = await connected;
    const options = { connection, clock, prefix, forgetMs: FORGET_MS, isNew: true };
    const one = await RedisAddressTurns.open({ ...options, node: 'one' });
    const two = await RedisAddressTurns.open({ ...options, node: 'two' });
    const three = await RedisAddressTurns.open({ ...options, node: 'three' });
    const forget = () => forgetAll(connection, prefix);
    return { one, two, three, pass, forget, forgetMs: FORGET_MS };
  });
}

/** As if it had been flushed, but for what others have there. */
async function forgetAll(connection: RedisConnection, prefix: string): Promise<void> {
  const names = ['run', 'blank', ...[1, 2, 3].map((n) => `turn:192.0.2.${n}`)];
  for (let tag = 0; tag < 32; tag++) {
    const keys = names.map((name) => `${prefix}address:{${tag}}:${name}`);
    await connection.send(keys[0] as string, ['DEL', ...keys]);
  }
}

if (!server.skip) contract('redis', [server.address], false);
else it('redis', { skip: server.skip }, () => undefined);
if (!cluster.skip) contract('redis-cluster', cluster.address.split(','), true);
else it('redis-cluster', { skip: cluster.skip }, () => undefined);

async function openOwn(t: TestContext) {
  const engine = await breakable(t, redis);
  const connection = await connectRedis({ urls: [engine.address] });
  t.after(() => connection.close());
  const notices: string[] = [];
  const notice = (text: string) => notices.push(text);
  const options = { connection, clock, prefix: 'own:', forgetMs: FORGET_MS, isNew: true };
  const one = await RedisAddressTurns.open({ ...options, node: 'one', notice });
  const two = await RedisAddressTurns.open({ ...options, node: 'two' });
  return { engine, connection, one, two, notices, options };
}

/** Claims until it is answered by a server that works. */
async function untilThere(turns: RedisAddressTurns, address: string): Promise<TurnAnswer> {
  for (const endAt = clock.now() + 20_000; ; await pass(50)) {
    const answer = await turns.claim(address, TERMS);
    if (answer.kind !== 'away') return answer;
    await turns.rest(answer.turn, 0);
    assert.ok(clock.now() < endAt, 'it is back');
  }
}

describe('redis address-turns, its server', { skip: server.skip }, () => {
  it('killed: says so once and at once, never rejects; back and empty: blank at first', async (t) => {
    const { engine, one, notices } = await openOwn(t);
    await engine.kill();
    for (let n = 0; n < 20; n++) {
      const answer = await one.claim(`192.0.2.${n}`, TERMS);
      assert.equal(answer.kind, 'away');
      if (answer.kind === 'away') await one.rest(answer.turn, 500);
    }
    assert.equal(notices.length, 1);
    assert.match(notices[0] ?? '', /^the table of addresses in Redis fails \(.+\): hosts of/);
    await engine.restart();
    assert.equal((await untilThere(one, '192.0.2.9')).kind, 'wait');
    await pass(FORGET_MS + 50);
    assert.equal((await one.claim('192.0.2.9', TERMS)).kind, 'yours');
    assert.deepEqual(notices.slice(1), ['the table of addresses in Redis answers again']);
  });

  it('restarted with an older snapshot: what it does not know of is waited for', async (t) => {
    const { engine, connection, one, two } = await openOwn(t);
    await connection.send('any', ['SAVE']);
    const answer = await one.claim('192.0.2.1', TERMS);
    assert.equal(answer.kind, 'yours');
    await engine.kill();
    await engine.restart();
    assert.equal((await untilThere(two, '192.0.2.1')).kind, 'wait');
    await untilThere(one, '192.0.2.2');
    await pass(FORGET_MS + 50);
    assert.equal((await two.claim('192.0.2.1', TERMS)).kind, 'wait', 'held by one, who said so');
    assert.equal((await two.claim('192.0.2.3', TERMS)).kind, 'yours');
  });

  it('hangs: claims are answered in time, and none of them holds an address afterwards', async (t) => {
    const { engine, one, two } = await openOwn(t);
    engine.signal('SIGSTOP');
    const startedAt = clock.now();
    const claims = Array.from({ length: 20 }, (_, n) => one.claim(`192.0.2.${n}`, TERMS));
    const answers = await Promise.all(claims);
    assert.ok(clock.now() - startedAt < 6_000);
    const rested = answers.map(async (answer) => {
      assert.equal(answer.kind, 'away');
      if (answer.kind === 'away') await one.rest(answer.turn, 1);
    });
    engine.signal('SIGCONT');
    await Promise.all(rested);
    await untilThere(two, '192.0.2.100');
    await pass(50);
    for (let n = 0; n < 20; n++) {
      assert.equal((await two.claim(`192.0.2.${n}`, TERMS)).kind, 'yours', `${n}`);
    }
  });

  it('full: away, and said so', async (t) => {
    const { connection, one, notices } = await openOwn(t);
    await connection.send('any', ['CONFIG', 'SET', 'maxmemory', '1']);
    assert.equal((await one.claim('192.0.2.1', TERMS)).kind, 'away');
    assert.match(notices[0] ?? '', /OOM|memory/);
  });

  it('keys end by themselves: an hour of crawling leaves next to nothing behind', async (t) => {
    const { connection, one } = await openOwn(t);
    for (let n = 0; n < 50; n++) {
      const answer = await one.claim(`192.0.2.${n}`, { holdMs: 50, pauseMs: 50 });
      if (n % 2 === 0 && answer.kind === 'yours') await one.rest(answer.turn, 50);
    }
    await pass(120);
    const left = (await connection.send('any', ['KEYS', '*'])) as string[];
    const living: string[] = [];
    for (const key of left) {
      if ((await connection.send(key, ['EXISTS', key])) === 1) living.push(key);
    }
    assert.deepEqual(
      living.filter((key) => !key.endsWith(':run')),
      [],
    );
  });

  it('two crawls with names of their own: neither waits for the other', async (t) => {
    const { one, options } = await openOwn(t);
    const other = await RedisAddressTurns.open({ ...options, prefix: 'other:', node: 'one' });
    assert.equal((await one.claim('192.0.2.1', TERMS)).kind, 'yours');
    assert.equal((await other.claim('192.0.2.1', TERMS)).kind, 'yours');
  });
});
