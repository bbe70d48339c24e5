/** Links that belong to other owners: with them before the page that named them is settled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../adapters/memory/index.ts';
import { Frontier, POLITE } from '../frontier/index.ts';
import type { Ownership } from '../ports/ownership.ts';
import { NO_TOTALS } from '../ports/shard-store.ts';
import { queuedRecord, urlKeyOf } from '../record/index.ts';
import { Recent } from '../seen/index.ts';
import { Admit, type Mention, seedMention, waitingFrom } from './admit.ts';
import { SeedScope } from './seed-scope.ts';
import { Settling } from './settle.ts';

const NOW = Date.UTC(2026, 10, 15);
const OURS = 'http://ours.example/';
const THEIRS = 'http://theirs.example/';

function world() {
  const handed: string[] = [];
  let letGo = (): void => undefined;
  const ownership: Ownership<Mention> = {
    isMine: (key) => Buffer.from(key).equals(urlKeyOf(OURS)),
    async hand(mentions) {
      if (mentions.length === 0) return;
      await new Promise<void>((done) => {
        letGo = done;
      });
      handed.push(...mentions.map(({ url }) => url));
    },
  };
  const store = new MemoryShardStore();
  const frontier = new Frontier(POLITE, 70_000, () => 0.5);
  const settling = new Settling(
    {
      clock: { now: () => NOW, sleepUntil: async () => undefined },
      ...{ store, ownership, blobs: new MemoryBlobStore(), near: new MemoryNearIndex() },
      events: new MemoryEventLog(),
      filter: openMemoryFilter({ expectedKeys: 1_000, falsePositiveRate: 0.01, complete: true }),
    },
    frontier,
    NO_TOTALS,
  );
  const rules = { scope: new SeedScope({ kind: 'any', seeds: [] }), depthMax: 9, pathDepthMax: 9 };
  const admit = new Admit(() => rules, frontier, ownership, new Recent(1_000));
  return { store, settling, admit, handed, letGo: () => letGo() };
}

test('a page that names URLs of another owner: settled when that one has them, not before', async () => {
  const { store, settling, admit, handed, letGo } = world();
  const page = waitingFrom(seedMention('http://page.example/', 'page', 0.5), 0, NOW);
  const links = { urls: [OURS, THEIRS], contexts: new Uint8Array([200, 200]), sitemaps: 0 };
  const admitted = admit.links(page, links, NOW);
  assert.deepEqual(
    admitted.candidates.map(({ url }) => url),
    [OURS],
  );
  assert.deepEqual(
    admitted.foreign?.map(({ url, depth }) => ({ url, depth })),
    [{ url: THEIRS, depth: 1 }],
  );
  const record = { ...queuedRecord(page), state: 'indexed' as const };
  const settled = settling.add({ settled: { waiting: page, record }, ...admitted, change: {} });
  await new Promise(setImmediate);
  assert.deepEqual(await store.urls([page.key]), [undefined], 'not before they are handed on');
  letGo();
  await settled;
  assert.deepEqual(handed, [THEIRS]);
  assert.equal((await store.urls([page.key]))[0]?.state, 'indexed');
});
