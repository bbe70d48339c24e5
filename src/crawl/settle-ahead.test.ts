/** A batch that goes ahead while the one before is committed: what overlaps, and what never does. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fencedStore } from '../adapters/memory/fenced-store.ts';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../adapters/memory/index.ts';
import { localOwnership } from '../adapters/memory/ownership.ts';
import { MemoryTenures } from '../adapters/memory/tenures.ts';
import { CrawlError } from '../base/errors.ts';
import { Frontier, POLITE } from '../frontier/index.ts';
import type { Body } from '../ports/blob-store.ts';
import { NO_TOTALS } from '../ports/shard-store.ts';
import { FLAGS, queuedRecord } from '../record/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import type { Ending } from './ending.ts';
import { Settling } from './settle.ts';
import { Batch } from './settle-batch.ts';

const NOW = Date.UTC(2026, 10, 16);
/** More than begin a batch of their own. */
const MANY = 64;
const TEXT = 0x0123456789abcdefn;

function waitOf(name: string) {
  return waitingFrom(seedMention(`http://a.example/${name}`, 'page', 0.5), 0, NOW);
}

function hashOf(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

function endingOf(name: string, simhash = 0n): Ending {
  const waiting = waitOf(name);
  const hash = hashOf(name);
  const page = { state: 'indexed' as const, visits: 1, contentHash: hash, simhash };
  const record = { ...queuedRecord(waiting), ...page };
  const print = { simhash, words: 100, pairs: 0n };
  const body = { hash, bytes: Buffer.from(name) };
  return { settled: { waiting, record }, body, print, candidates: [], change: { fetched: 1 } };
}

/** Lets all that can go on without us do so. */
async function quiet(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
}

/** Commits wait until they are let go, or are failed. */
function world(ahead: { pagesAhead?: number } = { pagesAhead: MANY }) {
  const engine = new MemoryShardStore();
  const store = fencedStore(engine, new MemoryTenures(() => NOW), 'one');
  const commits: { go: () => void; fail: (error: Error) => void }[] = [];
  store.commit = async (commit) => {
    await new Promise<void>((go, fail) => commits.push({ go, fail }));
    return engine.commit(commit);
  };
  const blobs = new MemoryBlobStore();
  const slow = { puts: Promise.resolve() };
  const far = {
    ...{ ...ahead, get: blobs.get.bind(blobs) },
    put: (bodies: readonly Body[]) => slow.puts.then(() => blobs.put(bodies)),
    ...{ sync: blobs.sync.bind(blobs), close: blobs.close.bind(blobs) },
  };
  const settling = new Settling(
    {
      clock: { now: () => NOW, sleepUntil: async () => undefined },
      ...{ store, blobs: far, near: new MemoryNearIndex(), ownership: localOwnership() },
      events: new MemoryEventLog(),
      filter: openMemoryFilter({ expectedKeys: 1_000, falsePositiveRate: 0.01, complete: true }),
    },
    new Frontier(POLITE, 70_000, () => 0.5),
    NO_TOTALS,
  );
  const hasBody = async (name: string) => (await blobs.get(hashOf(name))) !== undefined;
  const recordOf = async (name: string) => (await engine.urls([waitOf(name).key]))[0];
  const goOn = async () => {
    await quiet();
    for (const { go } of commits.splice(0)) go();
    await quiet();
  };
  const allOf = async (...endings: Promise<unknown>[]) => {
    let isOver = false;
    const over = Promise.all(endings).finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    while (!isOver) await goOn();
    await over;
  };
  /** One page whose commit is under way, and a batch behind it. */
  const begun = async (first: Ending, ...others: Ending[]) => {
    const one = settling.add(first);
    await quiet();
    const rest = Array.from({ length: MANY }, (_, nth) => endingOf(`n${nth}`));
    const all = [...others, ...rest].map((ending) => settling.add(ending));
    await quiet();
    return { one, next: Promise.all(all) };
  };
  return { settling, commits, slow, hasBody, recordOf, goOn, allOf, begun };
}

test('while a batch is committed: bodies of the next are stored, its records only after it', async () => {
  const { commits, begun, hasBody, recordOf, goOn, allOf } = world();
  const { one, next } = await begun(endingOf('first'), endingOf('second'));
  assert.ok(await hasBody('second'), 'stored while the first is committed');
  assert.equal(commits.length, 1, 'one commit at a time');
  await goOn();
  await one;
  assert.ok(await recordOf('first'));
  assert.equal(await recordOf('second'), undefined);
  await allOf(next);
  assert.ok(await recordOf('second'));
});

test('bodies that need no server: a batch begins when the one before has ended', async () => {
  const { begun, hasBody, goOn, allOf } = world({});
  const { one, next } = await begun(endingOf('first'), endingOf('second'));
  assert.ok(!(await hasBody('second')));
  await goOn();
  await one;
  assert.ok(await hasBody('second'));
  await allOf(next);
});

test('alone: what has gone ahead is committed before, and nothing goes ahead meanwhile', async () => {
  const { settling, begun, hasBody, recordOf, goOn, allOf } = world();
  const { one, next } = await begun(endingOf('first'), endingOf('second'));
  let isAlone = false;
  const seen = settling.alone(async () => {
    isAlone = true;
    return [await recordOf('second'), await hasBody('third')];
  });
  await goOn();
  const later = Array.from({ length: MANY }, (_, n) => settling.add(endingOf(`l${n}`)));
  later.push(settling.add(endingOf('third')));
  await quiet();
  assert.ok(!isAlone, 'the batch that went ahead is not committed yet');
  await goOn();
  const [second, isThird] = await seen;
  assert.ok(second);
  assert.equal(isThird, false);
  await allOf(one, next, ...later);
});

test('a batch fails while the next goes ahead: who is alone then finds nothing at work', async () => {
  const { settling, commits, slow, hasBody, allOf } = world();
  const one = settling.add(endingOf('first'));
  await quiet();
  let go = (): void => undefined;
  slow.puts = new Promise((resolve) => {
    go = resolve;
  });
  const others = Array.from({ length: MANY }, (_, n) => settling.add(endingOf(`n${n}`)));
  await quiet();
  commits.splice(0)[0]?.fail(new CrawlError('E_STORE_DOWN', 'no answer', 'wait'));
  const seen = settling.alone(() => hasBody('n0'));
  await quiet();
  go();
  assert.equal(await seen, true, 'its bodies were on their way, and are there by now');
  await assert.rejects(one, { code: 'E_STORE_DOWN' });
  await allOf(...others);
});

test('a commit that is tried again: what its pages say is learned once', () => {
  const waiter = { ending: endingOf('a'), resolve: () => undefined, reject: () => undefined };
  const batch = new Batch([waiter]);
  let times = 0;
  const learn = () => batch.learn(({ ending }) => ({ ...ending, change: { fetched: ++times } }));
  learn();
  learn();
  assert.equal(times, 1);
  assert.deepEqual(batch.endings[0]?.change, { fetched: 1 });
});

test('nearly the words of a page that is being committed: its copy, and no body', async () => {
  const { begun, hasBody, recordOf, allOf } = world();
  const { one, next } = await begun(endingOf('first', TEXT), endingOf('second', TEXT ^ 1n));
  await allOf(one, next);
  const second = await recordOf('second');
  assert.equal((second?.flags ?? 0) & FLAGS.near_duplicate, FLAGS.near_duplicate);
  assert.deepEqual(second?.original, waitOf('first').key);
  assert.ok(!(await hasBody('second')));
});

test('near to a page whose commit has failed: kept for itself, with its body (C2)', async () => {
  const { commits, begun, hasBody, recordOf, allOf } = world();
  const { one, next } = await begun(endingOf('first', TEXT), endingOf('second', TEXT ^ 1n));
  assert.ok(!(await hasBody('second')));
  const failed = assert.rejects(one, { code: 'E_STORE_DOWN' });
  commits.splice(0)[0]?.fail(new CrawlError('E_STORE_DOWN', 'no answer', 'wait'));
  await failed;
  await allOf(next);
  const second = await recordOf('second');
  assert.equal((second?.flags ?? 0) & FLAGS.near_duplicate, 0);
  assert.ok(await hasBody('second'));
});
