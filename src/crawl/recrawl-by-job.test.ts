import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryJobBook } from '../adapters/memory/index.ts';
import type { Mention } from '../events/index.ts';
import { askByJob } from './recrawl-by-job.ts';

const NOW = Date.UTC(2026, 10, 16);
const URLS = ['http://a.example/1', 'http://b.example/2'];

test('asked again by a command: a job in the book before its URLs are with their owners', async () => {
  const book = new MemoryJobBook();
  const own = { name: 'own', createdAt: NOW, seeds: 0, priority: 'normal', scope: 'any' } as const;
  await book.open({ id: 0, ...own });
  await book.open({ id: 1, ...own });
  const handed: Mention[] = [];
  const clock = { now: () => NOW, sleepUntil: async () => undefined };
  const hand = async (mentions: readonly Mention[]) => {
    assert.deepEqual(await book.seeds(2), URLS, 'whoever hears of it finds its scope');
    handed.push(...mentions);
  };
  const { id, scope, ttlHours, depth, receipt } = await askByJob({ book, hand, clock }, URLS);
  assert.deepEqual({ id, scope, ttlHours, depth }, { id: 2, scope: 'any', ttlHours: 0, depth: 0 });
  assert.equal(receipt?.queued, 2);
  assert.deepEqual(
    handed.map(({ url, job, depth, hops }) => ({ url, job, depth, hops })),
    URLS.map((url) => ({ url, job: 2, depth: 0, hops: 0 })),
  );
});

test('asked again by two commands at once: two jobs', async () => {
  const book = new MemoryJobBook();
  const clock = { now: () => NOW, sleepUntil: async () => undefined };
  const ports = { book, hand: async () => undefined, clock };
  const jobs = await Promise.all(URLS.map((url) => askByJob(ports, [url])));
  assert.deepEqual(new Set(jobs.map(({ id }) => id)).size, 2);
});
