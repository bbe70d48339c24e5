/** Copies in a whole crawl, in virtual time: what is flagged, what is stored, what is followed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  localOwnership,
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../../src/adapters/memory/index.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import { seededRandom } from '../../src/base/random.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import { CrawlNode, seedMention } from '../../src/crawl/index.ts';
import * as plan from '../../src/crawl/plan.ts';
import type { Http } from '../../src/ports/http.ts';
import { SEED_PRIORITY } from '../../src/quality/index.ts';
import { flagNames, type UrlRecord, urlKeyOf } from '../../src/record/index.ts';
import { VirtualClock } from './clock.ts';

const SEED = 'https://near.test/';

/** A text of that many words, its own for each name. */
function textOf(name: string, words: number): string[] {
  const random = seededRandom(name);
  const pick = () =>
    `${'bcdfghklmn'[Math.floor(random.next() * 10)]}${Math.floor(random.next() * 900)}`;
  return Array.from({ length: words }, pick);
}

function htmlOf(text: readonly string[], links: readonly string[] = []): string {
  const anchors = links.map((href) => `<li><a href="${href}">x</a></li>`).join('');
  return `<!doctype html><main><p>${text.join(' ')}</p></main><nav>${anchors}</nav>`;
}

function httpOf(pages: ReadonlyMap<string, string>, clock: VirtualClock): Http {
  return {
    async exchange({ url, address: remoteAddress }) {
      const startedAt = clock.now();
      await clock.sleepUntil(startedAt + 10);
      const html = pages.get(url);
      const status = html === undefined ? 404 : 200;
      const headers = { 'content-type': 'text/html' };
      const timing = { startedAt, firstByteMs: 10, wholeMs: 10 };
      const body = Buffer.from(html ?? '');
      return { kind: 'answered', status, headers, body, remoteAddress, httpVersion: '1.1', timing };
    },
    close: async () => {},
  };
}

interface Crawled {
  readonly records: Map<string, UrlRecord>;
  readonly blobs: MemoryBlobStore;
}

class World {
  readonly pages = new Map<string, string>();
  readonly clock = new VirtualClock();
  readonly store = new MemoryShardStore();
  readonly blobs = new MemoryBlobStore();
  readonly near = new MemoryNearIndex();

  async crawl(): Promise<Crawled> {
    const { clock, store, blobs, near } = this;
    const resolved = resolveSettings({ argv: [SEED], options: {} });
    if (isRefusal(resolved)) throw new RangeError(resolved.mistakes[0]?.message);
    const { settings } = resolved;
    const complete = (await store.totals()).known === 0;
    const node = await CrawlNode.open(
      {
        ...{ clock, random: seededRandom('near'), pool: inlinePool(), store, records: store },
        ...{ blobs, near, events: new MemoryEventLog(), http: httpOf(this.pages, clock) },
        resolver: {
          resolve: async () => ({ kind: 'address', address: '127.0.0.9', family: 4 }),
          report: () => {},
          stats: () => ({ asked: 0, hits: 0 }),
        },
        filter: openMemoryFilter({ expectedKeys: 1_000, falsePositiveRate: 0.001, complete }),
        ownership: localOwnership(),
      },
      {
        politeness: plan.politenessFrom(settings),
        admit: plan.admitRulesFrom(settings, [SEED]),
        visit: plan.visitRulesFrom(settings, [SEED]),
        budget: plan.budgetFrom(settings, clock.now()),
        ...{ concurrency: 8, patienceMs: settings.limits.patienceMs, wasClean: true },
        ...{ recrawl: plan.recrawlFrom(settings), keepFresh: false },
      },
    );
    await node.plant([seedMention(SEED, 'page', SEED_PRIORITY.normal)]);
    assert.equal(await node.run(), 'done');
    const urls = await store.scan(undefined, 1_000);
    return { records: new Map(urls.map(({ record }) => [record.url, record])), blobs };
  }
}

function flagsOf(record: UrlRecord | undefined): string[] {
  return flagNames(record?.flags ?? 0);
}

test('near: a copy with one word changed: flagged, its links followed, its body not stored', async () => {
  const world = new World();
  const text = textOf('article', 400);
  const edited = [...text.slice(0, 200), 'changed', ...text.slice(201)];
  world.pages.set(SEED, htmlOf(textOf('home', 100), ['/a', '/b', '/c', '/short', '/short2']));
  world.pages.set(`${SEED}a`, htmlOf(text));
  world.pages.set(`${SEED}b`, htmlOf(edited, ['/only-from-the-copy']));
  world.pages.set(`${SEED}c`, htmlOf(textOf('another', 400)));
  world.pages.set(`${SEED}short`, htmlOf(['nearly', 'nothing', 'here']));
  world.pages.set(`${SEED}short2`, htmlOf(['nearly', 'nothing', 'here'], ['/d']));
  world.pages.set(`${SEED}d`, htmlOf(text));
  world.pages.set(`${SEED}only-from-the-copy`, htmlOf(textOf('deep', 300)));
  const { records, blobs } = await world.crawl();
  const [a, b] = [records.get(`${SEED}a`), records.get(`${SEED}b`)];
  const isFlagged = flagsOf(b).includes('near_duplicate');
  const [original, copy] = isFlagged ? [a, b] : [b, a];
  assert.deepEqual(flagsOf(copy), ['near_duplicate']);
  assert.deepEqual(Buffer.from(copy?.original ?? []), urlKeyOf(original?.url ?? ''));
  assert.equal(copy?.contentHash.length, 32, 'what the copy was is still known');
  assert.equal(await blobs.get(copy?.contentHash ?? new Uint8Array(0)), undefined);
  assert.ok(await blobs.get(original?.contentHash ?? new Uint8Array(0)));
  assert.equal(records.get(`${SEED}only-from-the-copy`)?.httpStatus, 200);
  for (const name of ['', 'c', 'short', 'short2', 'only-from-the-copy']) {
    assert.deepEqual(flagsOf(records.get(`${SEED}${name}`)), [], name);
  }
});

test('near: the same bytes at another address: an alias, not a near-duplicate', async () => {
  const world = new World();
  world.pages.set(SEED, htmlOf(textOf('home', 100), ['/a', '/b']));
  world.pages.set(`${SEED}a`, htmlOf(textOf('article', 400)));
  world.pages.set(`${SEED}b`, htmlOf(textOf('article', 400)));
  const { records } = await world.crawl();
  const flags = ['a', 'b'].map((name) => flagsOf(records.get(`${SEED}${name}`)));
  assert.deepEqual(flags.flat(), ['alias']);
});
