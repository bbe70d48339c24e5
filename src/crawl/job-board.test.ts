import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryShardStore } from '../adapters/memory/index.ts';
import { MemoryJobBook } from '../adapters/memory/job-book.ts';
import type { JobEntry } from '../ports/job-book.ts';
import { type JobCounts, NO_COUNTS } from '../ports/job-counts.ts';
import { JobBoard } from './job-board.ts';
import { jobView, refusalOf } from './job-view.ts';
import { SeedScope } from './seed-scope.ts';

const NOW = Date.UTC(2026, 0, 1);

function entryOf(id: number, more: Partial<JobEntry> = {}): JobEntry {
  const spec = { priority: 'normal', scope: 'host', seeds: 1 } as const;
  return { id, name: `job ${id}`, createdAt: NOW, ...spec, ...more };
}

function rulesWith(seeds: readonly string[]) {
  return { scope: new SeedScope({ kind: 'host', seeds }), depthMax: 5, pathDepthMax: 9 };
}

function boardAt(now: () => number, counts = new Map<number, JobCounts>()): JobBoard {
  const plan = {
    own: entryOf(0),
    stripWww: false,
    rulesFor: (_: JobEntry, s: readonly string[]) => rulesWith(s),
  };
  return new JobBoard(rulesWith(['https://own.example/']), plan, now, () => counts);
}

test('gate: running is asked, paused shelved, ended forgotten; the crawl itself like any', () => {
  const board = boardAt(() => NOW);
  board.open(entryOf(1), []);
  board.open(entryOf(2, { pausedAt: NOW }), []);
  board.open(entryOf(3, { pausedAt: NOW, endedBy: 'cancelled' }), []);
  assert.deepEqual(
    [0, 1, 2, 3].map((job) => board.gate(job, 0)),
    [undefined, undefined, 'shelve', 'forget'],
  );
  board.put(entryOf(0, { pausedAt: NOW }));
  assert.equal(board.gate(0, 0), 'shelve');
  assert.equal(board.gate(99, 0), undefined, 'a job that nobody knows holds nothing back');
});

test('limit of pages: requests under way count as made; the last of them ends the job', () => {
  const counts = new Map([[1, { ...NO_COUNTS, asked: 3 }]]);
  const board = boardAt(() => NOW, counts);
  board.open(entryOf(1, { pagesMax: 5 }), ['https://a.example/']);
  assert.deepEqual(
    [0, 1, 2].map((out) => board.gate(1, out)),
    [undefined, undefined, 'shelve'],
  );
  assert.ok(board.rulesOf(1));
  counts.set(1, { ...NO_COUNTS, asked: 5 });
  assert.deepEqual(
    [board.gate(1, 0), board.endOf(1), board.rulesOf(1)],
    ['forget', 'page_limit', undefined],
  );
});

test('limit of time: from that instant on nothing is asked or named', () => {
  let now = NOW;
  const board = boardAt(() => now);
  board.open(entryOf(1, { until: NOW + 10 }), ['https://a.example/']);
  assert.deepEqual([board.gate(1, 0), board.endOf(1)], [undefined, undefined]);
  now += 10;
  assert.deepEqual(
    [board.gate(1, 0), board.endOf(1), board.rulesOf(1)],
    ['forget', 'time_limit', undefined],
  );
});

test('scope: each job has its own, also from the book; that of an ended one counts no more', async () => {
  const book = new MemoryJobBook();
  for (const [id, host] of [
    [1, 'a'],
    [2, 'b'],
  ] as const) {
    await book.put(entryOf(id, id === 2 ? { endedBy: 'cancelled' } : {}));
    await book.addSeeds(id, [`https://${host}.example/`]);
  }
  const board = boardAt(() => NOW);
  await board.read(book, new MemoryShardStore());
  const urls = ['own', 'a', 'b'].map((host) => `https://${host}.example/x`);
  assert.deepEqual(
    urls.map((url) => board.isInScope(url)),
    [true, true, false],
  );
  assert.equal(board.rulesOf(1)?.scope.judge('https://own.example/x').in, false);
});

test('view: finished when nothing of it is left, and not while its seeds are read', () => {
  const stateOf = (entry: JobEntry, counts: Partial<JobCounts>) => {
    const { state, endedBy, endedAt } = jobView(entry, { ...NO_COUNTS, ...counts });
    return [state, endedBy, endedAt];
  };
  assert.equal(jobView(entryOf(1), NO_COUNTS, undefined, false).state, 'running');
  assert.deepEqual(stateOf(entryOf(1, { endedAt: NOW }), { fetched: 1 }), [
    'done',
    'finished',
    NOW,
  ]);
  for (const left of ['waiting', 'held', 'retrying'] as const) {
    assert.deepEqual(stateOf(entryOf(1), { [left]: 1 }), ['running', undefined, undefined], left);
  }
  assert.equal(jobView(entryOf(1, { pausedAt: NOW }), { ...NO_COUNTS, held: 1 }).state, 'paused');
  assert.equal(jobView(entryOf(0), NO_COUNTS).state, 'running', 'the crawl itself never ends');
});

test('words: what a state does not allow is refused with a sentence', () => {
  const running = jobView(entryOf(1), { ...NO_COUNTS, waiting: 1 });
  const paused = jobView(entryOf(1, { pausedAt: NOW }), { ...NO_COUNTS, waiting: 1 });
  const over = jobView(entryOf(1), NO_COUNTS, 'page_limit');
  assert.equal(refusalOf(running, 'pause') ?? refusalOf(paused, 'resume'), undefined);
  assert.equal(refusalOf(running, 'resume'), 'Job 1 is not paused.');
  assert.equal(refusalOf(paused, 'pause'), 'Job 1 is paused already.');
  assert.equal(refusalOf(over, 'cancel'), 'Job 1 is over: it reached its limit of pages.');
  assert.match(refusalOf(jobView(entryOf(0), NO_COUNTS), 'cancel') ?? '', /cannot be cancelled/);
});
