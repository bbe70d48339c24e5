import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryNearIndex } from '../adapters/memory/near-index.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import { blankRecord, type UrlRecord, urlKeyOf, type Waiting } from '../record/index.ts';
import { findCopies } from './copies.ts';
import type { Ending } from './ending.ts';

const TEXT = 0x0123456789abcdefn;
const NEARLY = TEXT ^ 0b101n;
const OTHER = 0xff00ff00ff00ff00n;

function urlOf(name: string): string {
  return `https://copies.test/${name}`;
}

function recordOf(name: string, simhash: bigint, more: Partial<UrlRecord> = {}): UrlRecord {
  const contentHash = Buffer.alloc(32, name);
  return { ...blankRecord(urlOf(name), 0), state: 'indexed', simhash, contentHash, ...more };
}

function endingOf(record: UrlRecord, words = 100, before?: UrlRecord): Ending {
  const waiting = { key: urlKeyOf(record.url), url: record.url } as Waiting;
  const print = { simhash: record.simhash, words, pairs: 0n };
  const settled = { waiting, record };
  return { settled, print, ...(before && { before }), candidates: [], change: {} };
}

/** A store that has these records, and an index of them. */
async function worldOf(...records: readonly UrlRecord[]) {
  const near = new MemoryNearIndex();
  await near.write(records.map(fingerprintOf), []);
  const byKey = new Map(records.map((r) => [urlKeyOf(r.url).toString('hex'), r]));
  const urls: ShardStore['urls'] = async (keys) =>
    keys.map((key) => byKey.get(key.toString('hex')));
  return { near, store: { urls } as ShardStore };
}

function fingerprintOf({ url, simhash }: UrlRecord) {
  return { key: urlKeyOf(url), simhash, pairs: 0n };
}

test('copies: nearly the words of a stored page: near to it, and not an original', async () => {
  const { near, store } = await worldOf(recordOf('a', TEXT));
  const copies = await findCopies([endingOf(recordOf('b', NEARLY))], near, store);
  assert.deepEqual(copies.of, [{ isExact: false, nearTo: urlKeyOf(urlOf('a')) }]);
  assert.deepEqual([copies.added, copies.removed], [[], []]);
});

test('copies: the bytes of a stored page: exact, and not near', async () => {
  const a = recordOf('a', TEXT);
  const { near, store } = await worldOf(a);
  const b = recordOf('b', TEXT, { contentHash: a.contentHash });
  const copies = await findCopies([endingOf(b)], near, store);
  assert.deepEqual(copies.of, [{ isExact: true, nearTo: undefined }]);
  assert.deepEqual(copies.added, []);
});

test('copies: too few words, no words, no new body: nothing is asked, nothing kept', async () => {
  const { near, store } = await worldOf(recordOf('a', TEXT));
  const { print: _, ...unread } = endingOf(recordOf('e', NEARLY));
  const endings = [endingOf(recordOf('c', NEARLY), 63), endingOf(recordOf('d', 0n)), unread];
  const copies = await findCopies(endings, near, store);
  assert.deepEqual(
    copies.of,
    endings.map(() => ({ isExact: false, nearTo: undefined })),
  );
  assert.deepEqual([copies.added, copies.removed], [[], []]);
});

test('copies: an original that says something else by now: no original, and forgotten', async () => {
  const { near } = await worldOf(recordOf('a', TEXT));
  const { store } = await worldOf(recordOf('a', OTHER));
  const copies = await findCopies([endingOf(recordOf('b', NEARLY))], near, store);
  assert.deepEqual(copies.of, [{ isExact: false, nearTo: undefined }]);
  const [gone] = copies.removed;
  assert.deepEqual([gone?.key, gone?.simhash], [urlKeyOf(urlOf('a')), TEXT]);
  assert.deepEqual(copies.added, [fingerprintOf(recordOf('b', NEARLY))]);
});

for (const [what, original] of [
  ['is gone', { state: 'dead' }],
  ['has no body', { contentHash: new Uint8Array(0) }],
] as const) {
  test(`copies: an original that ${what}: the page takes its place`, async () => {
    const { near, store } = await worldOf(recordOf('a', TEXT, original));
    const copies = await findCopies([endingOf(recordOf('b', NEARLY))], near, store);
    assert.equal(copies.of[0]?.nearTo, undefined);
    assert.equal(copies.added.length, 1);
  });
}

test('copies: an original that the store does not know: the page is kept', async () => {
  const { near } = await worldOf(recordOf('a', TEXT));
  const { store } = await worldOf();
  const copies = await findCopies([endingOf(recordOf('b', NEARLY))], near, store);
  assert.deepEqual(copies.of, [{ isExact: false, nearTo: undefined }]);
});

test('copies: visited again and the same: its own earlier fingerprint is no original of it', async () => {
  const a = recordOf('a', TEXT);
  const { near, store } = await worldOf(a);
  const copies = await findCopies([endingOf(a, 100, a)], near, store);
  assert.deepEqual(copies.of, [{ isExact: false, nearTo: undefined }]);
  assert.deepEqual(copies.removed, []);
});

test('copies: visited again and changed: the old fingerprint leaves, the new one comes', async () => {
  const before = recordOf('a', TEXT);
  const { near, store } = await worldOf(before);
  const copies = await findCopies([endingOf(recordOf('a', OTHER), 100, before)], near, store);
  await near.write(copies.added, copies.removed);
  const [old] = await near.find([fingerprintOf(recordOf('b', TEXT))]);
  const [now] = await near.find([fingerprintOf(recordOf('b', OTHER))]);
  assert.deepEqual([old, now?.key], [undefined, urlKeyOf(urlOf('a'))]);
});

test('copies: original and copy in one batch: the later is near to the earlier', async () => {
  const { near, store } = await worldOf();
  const endings = [endingOf(recordOf('a', TEXT)), endingOf(recordOf('b', NEARLY))];
  const copies = await findCopies(endings, near, store);
  assert.deepEqual(copies.of[1], { isExact: false, nearTo: urlKeyOf(urlOf('a')) });
  assert.deepEqual(copies.added, [fingerprintOf(recordOf('a', TEXT))]);
});
