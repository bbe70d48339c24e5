/** Work that others do, in virtual time (K3, K5): whoever dies, each piece is done once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../test/sim/clock.ts';
import { seededRandom } from '../base/random.ts';
import { Outwork } from './outwork.ts';

const SECOND = 1_000;

function desk(bytesOf: (job: string) => number = (job) => job.length) {
  const clock = new VirtualClock();
  const news: string[] = [];
  const work = new Outwork<string, string>(
    { clock, random: seededRandom(1) },
    {
      ...{ bytesOf, givenUp: (job, workers) => `${job} given up by ${workers}` },
      onAlone: (waiting) => news.push(`${waiting} wait`),
      onCompany: () => news.push('somebody is there'),
    },
  );
  const lease = (worker: string, more: object = {}) =>
    work.lease({ worker, n: 10, seconds: 6, waitMs: 0, ...more });
  const sleep = (seconds: number) => clock.sleepUntil(clock.now() + seconds * SECOND);
  return { clock, work, lease, sleep, news };
}

test('outwork: a worker dies with a lease: another does it, what the first brings late is lost', async () => {
  const { work, lease, sleep } = desk();
  const made = work.do('a');
  const [first] = await lease('one');
  assert.deepEqual(await lease('two'), [], 'it is out');
  await sleep(7);
  const [second] = await lease('two');
  assert.ok(first && second && first.id !== second.id);
  assert.equal(work.bring('one', first.id, 'late'), 'lost');
  assert.equal(work.bring('two', second.id, 'done'), 'taken');
  assert.equal(work.bring('two', second.id, 'again'), 'lost');
  assert.equal(await made, 'done');
  assert.deepEqual([work.waiting, work.out, work.done, work.returned], [0, 0, 1, 1]);
});

test('outwork: brought after the lease has ended, and before anybody else has it: lost, too', async () => {
  const { work, lease, clock } = desk();
  const made = work.do('a');
  const [piece] = await lease('one');
  await clock.sleepUntil(clock.now() + 6 * SECOND);
  assert.equal(work.bring('one', piece?.id ?? '', 'late'), 'lost');
  const [again] = await lease('one', { waitMs: 2 * SECOND });
  assert.equal(work.bring('one', again?.id ?? '', 'in time'), 'taken');
  assert.equal(await made, 'in time');
});

test('outwork: who says that it is still at it keeps it, and nobody else can', async () => {
  const { work, lease, sleep } = desk();
  const made = work.do('a');
  const [piece] = await lease('one');
  const id = piece?.id ?? '';
  assert.equal(work.keep('two', id), 'lost');
  for (let nth = 0; nth < 5; nth++) {
    await sleep(4);
    assert.equal(work.keep('one', id), 'kept');
  }
  assert.equal(work.bring('two', id, 'stolen'), 'lost');
  assert.equal(work.bring('one', id, 'done'), 'taken');
  assert.equal(work.keep('one', id), 'lost');
  assert.equal(await made, 'done');
});

test('outwork: what is handed back is at once with the next, before what came later', async () => {
  const { work, lease } = desk();
  const both = [work.do('a'), work.do('b')];
  const [first] = await lease('one', { n: 1 });
  assert.equal(work.handBack('one', first?.id ?? ''), 'returned');
  const pieces = await lease('two');
  assert.deepEqual(
    pieces.map(({ job }) => job),
    ['a', 'b'],
  );
  for (const { id, job } of pieces) work.bring('two', id, job.toUpperCase());
  assert.deepEqual(await Promise.all(both), ['A', 'B']);
});

test('outwork: a piece that kills whoever takes it is given up, its neighbours are done', async () => {
  const { work, lease, sleep } = desk();
  const [bad, good] = [work.do('bad'), work.do('good')];
  let taken = 0;
  for (let done = false; !done; ) {
    const pieces = await lease(`worker ${taken++}`);
    for (const { id, job } of pieces) {
      if (job === 'good') work.bring(`worker ${taken - 1}`, id, 'done');
    }
    await sleep(7);
    done = work.waiting + work.out === 0;
  }
  assert.deepEqual([await bad, await good], ['bad given up by 5', 'done']);
});

test('outwork: who asks before there is anything has it the moment it comes, one who hung up never', async () => {
  const { work, lease, clock } = desk();
  const from = clock.now();
  let isGone = false;
  const gone = lease('gone', { waitMs: 2 * SECOND, isGone: () => isGone });
  const there = lease('there', { waitMs: 2 * SECOND });
  isGone = true;
  void work.do('a').catch(() => undefined);
  assert.deepEqual(await gone, []);
  assert.deepEqual(
    (await there).map(({ job }) => job),
    ['a'],
  );
  assert.equal(clock.now(), from);
  assert.deepEqual(await lease('one', { waitMs: 2 * SECOND }), []);
  assert.equal(clock.now(), from + 2 * SECOND, 'and else after a while');
  work.stop(new Error('over'));
});

test('outwork: nobody asks: told once, nothing should be added; somebody asks: told once', async () => {
  const { work, lease, sleep, news } = desk();
  const made = work.do('a');
  assert.ok(!work.isBehind, 'it may only be a moment');
  await sleep(20);
  assert.deepEqual(news, ['1 wait']);
  assert.ok(work.isBehind);
  const [piece] = await lease('one');
  assert.ok(!work.isBehind);
  work.bring('one', piece?.id ?? '', 'done');
  await made;
  await lease('one');
  assert.deepEqual(news, ['1 wait', 'somebody is there']);
});

test('outwork: a lease is bounded by bytes, and so is what waits; a large piece goes alone', async () => {
  const { work, lease } = desk(() => 10 << 20);
  for (let nth = 0; nth < 7; nth++) void work.do(String(nth)).catch(() => undefined);
  assert.ok(work.isBehind, '70 MB wait');
  assert.equal((await lease('one')).length, 2);
  assert.ok(!work.isBehind);
  work.stop(new Error('over'));
  assert.deepEqual([work.waiting, work.out], [0, 0]);
});

test('outwork: at the end what somebody is at is waited for, what nobody takes comes to the error', async () => {
  const { work, lease, sleep } = desk();
  const made = work.do('a');
  const [piece] = await lease('one');
  work.drain(new Error('over'));
  await sleep(3);
  assert.equal(work.bring('one', piece?.id ?? '', 'done'), 'taken');
  assert.equal(await made, 'done');
  await assert.rejects(work.do('b'), /over/, 'nobody asks any more');
  await assert.rejects(work.do('c'), /over/);
});

test('outwork: with patience, what waits is given up when nobody was heard of for so long', async () => {
  const clock = new VirtualClock();
  const work = new Outwork<string, string>(
    { clock, random: seededRandom(1) },
    {
      ...{ bytesOf: () => 1, patienceMs: 30 * SECOND },
      givenUp: (job, workers) => `${job}: ${workers} tried`,
    },
  );
  const from = clock.now();
  assert.equal(await work.do('a'), 'a: 0 tried');
  assert.equal(clock.now() - from, 30 * SECOND);
  assert.ok(!work.wasHeard(30 * SECOND));
  assert.equal(work.waiting, 0);
});
