/** A book that several nodes write: what one says, the others know (K1, A1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryShardStore } from '../adapters/memory/index.ts';
import { MemoryJobBook } from '../adapters/memory/job-book.ts';
import type { JobEntry } from '../ports/job-book.ts';
import type { Due } from '../ports/shard-store.ts';
import { seedMention } from './admit.ts';
import { JobBoard } from './job-board.ts';
import { SharedBook } from './job-shared.ts';
import { SeedScope } from './seed-scope.ts';

const NOW = Date.UTC(2026, 0, 1);

function entryOf(id: number, more: Partial<JobEntry> = {}): JobEntry {
  const spec = { priority: 'normal', scope: 'host', seeds: 1 } as const;
  return { id, name: `job ${id}`, createdAt: NOW, ...spec, ...more };
}

/** A node's own view of a book that is everybody's. */
function nodeWith(book: MemoryJobBook) {
  const store = new MemoryShardStore();
  const rulesFor = (_: unknown, seeds: readonly string[]) => ({
    ...{ scope: new SeedScope({ kind: 'host', seeds }), depthMax: 5, pathDepthMax: 9 },
  });
  const plan = { own: entryOf(0), stripWww: false, rulesFor };
  const board = new JobBoard(
    rulesFor({}, []),
    plan,
    () => NOW,
    () => new Map(),
  );
  const asked: Due[] = [];
  const comeback = { askAgain: async (dues: readonly Due[]) => void asked.push(...dues) };
  const clock = { now: () => NOW, sleepUntil: async () => undefined };
  const shared = new SharedBook({ book, board, store, clock, comeback });
  return { board, shared, store, asked };
}

test('mention of a job that another node opened: its scope is read before it is judged', async () => {
  const book = new MemoryJobBook();
  const { board, shared } = nodeWith(book);
  await book.open(entryOf(3));
  await book.addSeeds(3, ['https://a.example/', 'https://b.example/']);
  await shared.learn([seedMention('https://a.example/', 'page', 0.5, 3)]);
  const judge = (url: string) => board.rulesOf(3)?.scope.judge(url).in;
  assert.deepEqual([judge('https://b.example/x'), judge('https://c.example/')], [true, false]);
});

test('seeds that came after the first look are known when something of them arrives', async () => {
  const book = new MemoryJobBook();
  const { board, shared } = nodeWith(book);
  await book.open(entryOf(1));
  await book.addSeeds(1, ['https://a.example/']);
  await shared.look();
  await book.addSeeds(1, ['https://b.example/']);
  const link = { ...seedMention('https://b.example/deep', 'page', 0.5, 1), depth: 2 };
  await shared.learn([link]);
  assert.equal(board.rulesOf(1)?.scope.judge('https://b.example/deep').in, true);
});

test('a seed that was redirected widens the scope of its owner, too', async () => {
  const book = new MemoryJobBook();
  const { board, shared } = nodeWith(book);
  await book.open(entryOf(1));
  await book.addSeeds(1, ['https://a.example/']);
  await shared.learn([{ ...seedMention('https://www.a.example/', 'page', 0.5, 1), hops: 1 }]);
  assert.equal(board.rulesOf(1)?.scope.judge('https://www.a.example/x').in, true);
});

test('paused elsewhere: held back here from the next look on, and asked again after resume', async () => {
  const book = new MemoryJobBook();
  const { board, shared } = nodeWith(book);
  await book.open(entryOf(1));
  await shared.look();
  await book.put(entryOf(1, { pausedAt: NOW }));
  await shared.look();
  assert.equal(board.gate(1, 0), 'shelve');
  await book.put(entryOf(1));
  await shared.look();
  assert.equal(board.gate(1, 0), undefined);
});

test('a word of our own is not undone by a look that began before it', async () => {
  const book = new MemoryJobBook();
  const { board, shared } = nodeWith(book);
  await book.open(entryOf(1));
  await shared.look();
  await book.put(entryOf(1, { name: 'renamed elsewhere' }));
  const looking = shared.look();
  await Promise.resolve();
  await book.put(entryOf(1, { pausedAt: NOW }));
  shared.said(1);
  board.put(entryOf(1, { pausedAt: NOW }));
  await looking;
  assert.equal(board.gate(1, 0), 'shelve');
});
