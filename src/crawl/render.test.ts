/** Which pages are let into the browser, and when; the browser itself is a promise here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Digest } from '../content/index.ts';
import type { Answered } from '../fetch/index.ts';
import type { PageLease } from '../frontier/index.ts';
import type { Renderer, RenderJob, RenderOutcome } from '../ports/renderer.ts';
import type { Walk } from './context.ts';
import { type Deferred, Renders } from './render.ts';

const LIMITS = { pageMs: 1, wholeMs: 1, requests: 1, bytes: 1, domBytes: 1, scrolls: 0 };

function setUp(rules: { share?: number; when?: 'auto' | 'always'; missing?: boolean } = {}) {
  const begun: string[] = [];
  const ended: string[] = [];
  const said: string[] = [];
  const open = new Map<string, (outcome: RenderOutcome) => void>();
  const renderer: Renderer = {
    find: async () =>
      rules.missing
        ? { kind: 'missing', problem: 'none', fix: 'get one' }
        : { kind: 'found', what: 'a browser' },
    render: ({ url }: RenderJob, signal) => {
      begun.push(url);
      return new Promise((resolve) => {
        open.set(url, resolve);
        signal?.addEventListener('abort', () =>
          resolve({ kind: 'failed', reason: 'aborted', detail: 'stopped', ms: 0 }),
        );
      });
    },
    stats: () => ({ open: open.size, starts: 1, deaths: 0 }),
    close: async () => undefined,
  };
  const { share = 0.05, when = 'auto' } = rules;
  const plan = { when, share, pagesAtOnce: 2, screenshot: false, limits: LIMITS };
  const renders = new Renders(renderer, plan, {
    finish: async ({ lease }, outcome) => void ended.push(`${lease.url} ${outcome.kind}`),
    wake: () => undefined,
    onMissing: (problem) => said.push(problem),
    onFailure: (error) => assert.fail(String(error)),
  });
  const totals = { asked: 0 };
  const walk = { settling: { totals }, rules: { headersOf: () => ({}) } } as unknown as Walk;
  const finish = async (url: string) => {
    const html = { html: '', base: url, screenshot: undefined, isCut: false };
    open.get(url)?.({ kind: 'rendered', ...html, requests: 0, ms: 5 });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { renders, walk, totals, begun, ended, said, finish };
}

function page(url: string, rank: number, bytes = 10): Deferred {
  const lease = { url, waiting: { rank, kind: 'page' } } as PageLease;
  const digest = { body: Buffer.alloc(bytes), bodyBytes: bytes } as unknown as Digest;
  const outcome = { kind: 'answered', status: 200, headers: {} } as unknown as Answered;
  return { lease, outcome, digest } as Deferred;
}

test('renders: while others wait no more than their share, the best first', async () => {
  const { renders, walk, totals, begun, finish } = setUp();
  for (const [url, rank] of [
    ['c', 3],
    ['a', 1],
    ['b', 2],
  ] as const) {
    await renders.defer(page(url, rank), walk);
  }
  renders.pump(walk, false);
  assert.deepEqual(begun, [], 'no page was asked for yet, so 5% are none');
  totals.asked = 20;
  renders.pump(walk, false);
  assert.deepEqual(begun, ['a']);
  await finish('a');
  renders.pump(walk, false);
  assert.deepEqual(begun, ['a'], 'one of twenty was rendered');
  renders.pump(walk, true);
  assert.deepEqual(begun, ['a', 'b', 'c'], 'when nothing else is to do, all are');
});

test('renders: no more at a time than there is room for', async () => {
  const { renders, walk, begun, ended, finish } = setUp({ when: 'always' });
  for (const url of ['a', 'b', 'c']) await renders.defer(page(url, 1), walk);
  renders.pump(walk, false);
  assert.deepEqual([begun.length, renders.waiting, renders.open], [2, 1, 2]);
  await finish('a');
  renders.pump(walk, false);
  await finish('b');
  await finish('c');
  assert.deepEqual(ended, ['a rendered', 'b rendered', 'c rendered']);
  assert.ok(renders.isIdle);
  assert.deepEqual([renders.rendered, renders.ms], [3, 15]);
});

test('renders: without a browser pages end at once, and that is said once', async () => {
  const { renders, walk, ended, said } = setUp({ missing: true });
  await Promise.all(['a', 'b'].map((url) => renders.defer(page(url, 1), walk)));
  assert.deepEqual(ended, ['a failed', 'b failed']);
  assert.deepEqual(said, ['none']);
  assert.equal(renders.failures['no-browser'], 2);
});

test('renders: a page for which there is no room is settled as it is', async () => {
  const { renders, walk, ended } = setUp();
  await renders.defer(page('large', 1, 63 << 20), walk);
  await renders.defer(page('one more', 1, 2 << 20), walk);
  assert.deepEqual(ended, ['one more failed']);
  assert.equal(renders.failures['queue-full'], 1);
});

test('renders: when the crawl stops nothing is settled; all of it stays queued in the store', async () => {
  const { renders, walk, begun, ended } = setUp({ when: 'always' });
  for (const url of ['a', 'b', 'c']) await renders.defer(page(url, 1), walk);
  renders.pump(walk, false);
  renders.stop();
  await new Promise((resolve) => setImmediate(resolve));
  renders.pump(walk, true);
  assert.deepEqual([begun.length, ended, renders.isIdle], [2, [], true]);
});
