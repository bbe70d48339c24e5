/**
 * The promises of the `ArcCopies` port, proved of any adapter. How rows look as bytes is the
 * adapter's own: a case says how an entry is made, and copies are judged by their sums.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Position } from '../ring/index.ts';
import { type ArcCopies, BadRows, type SavedArc } from './arc-copies.ts';
import { killAfter, stepUntilKilled } from './crash.contract.ts';

export interface CopiesCase {
  readonly copies: ArcCopies;
  /** Those of another node. */
  other(): Promise<ArcCopies>;
  /** Closed, and opened again. */
  reopen(): Promise<ArcCopies>;
  /** The body of an entry that puts rows, or takes them away where there is no value. */
  entry(arc: number, rows: Readonly<Record<string, string | undefined>>): Uint8Array;
  close(): Promise<void>;
}

export interface KilledCopies {
  /** Calls saveUntilKilled. */
  readonly script: URL;
  readonly args: readonly string[];
  open(): Promise<CopiesCase>;
}

type Entry = CopiesCase['entry'];

const [ARC, OTHER_ARC] = [5, 63];
const SEATS = ['00000000000000aa', 'ffffffffffffffff'] as Position[];

/** Rows of as many entries as the index says. */
export function savedAt(index: number): SavedArc {
  const charter = { at: { epoch: 3, index: 1 }, seats: SEATS };
  return { promised: 4, votedFor: SEATS[1], at: { epoch: 3, index }, charter, isChartered: true };
}

export function arcCopiesContract(name: string, open: () => Promise<CopiesCase>): void {
  const using = async (use: (one: CopiesCase) => Promise<void>) => {
    const one = await open();
    try {
      await use(one);
    } finally {
      await one.close();
    }
  };
  describe(`${name} arc-copies`, () => {
    savesInOrder(using);
    comparesAlike(using);
    replacesBuckets(using);
    dropsAll(using);
    refusesStrangers(using);
  });
}

type Using = (use: (one: CopiesCase) => Promise<void>) => Promise<void>;

function savesInOrder(using: Using): void {
  it('promise 1: an arc is found again as it was saved last, and only arcs that were', () =>
    using(async ({ copies, reopen, entry }) => {
      await copies.save(ARC, savedAt(1), entries(entry(ARC, { a: '1' })));
      await copies.save(ARC, savedAt(2));
      const none = { ...savedAt(0), votedFor: undefined, isChartered: false };
      await copies.save(OTHER_ARC, none);
      const sums = await copies.sums(ARC);
      const again = await reopen();
      assert.deepEqual(
        [...(await again.saved())],
        [
          [ARC, savedAt(2)],
          [OTHER_ARC, none],
        ],
      );
      assert.deepEqual(await again.sums(ARC), sums);
    }));

  it('promise 1: saves that were not waited for take effect in their order', () =>
    using(async ({ copies, other, entry }) => {
      const saves = Array.from({ length: 50 }, (_, n) =>
        copies.save(ARC, savedAt(n), entries(entry(ARC, { a: `${n}`, [`b${n}`]: '' }))),
      );
      await Promise.all(saves);
      assert.equal((await copies.saved()).get(ARC)?.at.index, 49);
      const rows = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`b${n}`, '']));
      const like = await filled(other, entry(ARC, { ...rows, a: '49' }));
      assert.deepEqual(await copies.sums(ARC), await like.sums(ARC));
    }));

  it('promise 2: sums and rows see what was saved before, and nothing after', () =>
    using(async ({ copies, other, entry }) => {
      const one = copies.save(ARC, savedAt(1), entries(entry(ARC, { a: '1' })));
      const [sums, rows] = [copies.sums(ARC, 16), allRows(copies, ARC, 1)];
      const two = copies.save(ARC, savedAt(2), entries(entry(ARC, { a: '2', b: '2' })));
      const like = await filled(other, entry(ARC, { a: '1' }));
      assert.deepEqual(await sums, await like.sums(ARC, 16));
      assert.deepEqual(await rows, await allRows(like, ARC, 1));
      await Promise.all([one, two]);
      assert.notDeepEqual(await copies.sums(ARC, 16), await sums);
    }));
}

function comparesAlike(using: Using): void {
  it('promise 3: the same rows, whatever was there before: the same sums, in any number', () =>
    using(async ({ copies, other, entry }) => {
      await copies.save(ARC, savedAt(1), entries(entry(ARC, { a: '1', b: '1', c: '1', d: '4' })));
      await copies.save(
        ARC,
        savedAt(3),
        entries(entry(ARC, { b: undefined }), entry(ARC, { a: '2' })),
      );
      const like = await filled(other, entry(ARC, { d: '4', c: '1', a: '2' }));
      for (const buckets of [undefined, 1, 16, 64, 1_024]) {
        const sums = await copies.sums(ARC, buckets);
        assert.deepEqual(sums, await like.sums(ARC, buckets));
        assert.equal(sums.length, buckets ?? 16, 'few rows');
        assert.ok(sums.every((sum) => Number.isSafeInteger(sum) && sum >= 0));
      }
    }));

  it('promise 3: a row more, less or other: the sums differ, in one bucket', () =>
    using(async ({ copies, entry }) => {
      const put = (rows: Parameters<Entry>[1]) =>
        copies.save(ARC, savedAt(1), entries(entry(ARC, rows)));
      await put({ a: '1', b: '1', c: '1' });
      const before = await copies.sums(ARC, 1_024);
      for (const rows of [{ a: '2' }, { a: undefined }, { a: '11' }, { a: '' }]) {
        await put(rows);
        const differing = (await copies.sums(ARC, 1_024)).filter((sum, i) => sum !== before[i]);
        assert.equal(differing.length, 1, JSON.stringify(rows));
      }
      await put({ a: '1' });
      assert.deepEqual(await copies.sums(ARC, 1_024), before);
    }));

  it('promise 3: the more rows, the more sums', () =>
    using(async ({ copies, entry }) => {
      for (let n = 0; n < 80; n++) {
        const rows = Array.from({ length: 80 }, (_, i) => [`${n}-${i}`, '']);
        await copies.save(ARC, savedAt(n), entries(entry(ARC, Object.fromEntries(rows))));
      }
      assert.equal((await copies.sums(ARC)).length, 32);
    }));
}

function replacesBuckets(using: Using): void {
  it('promise 4: bucket by bucket an arc becomes that of another node, and no other arc', () =>
    using(async ({ copies, other, entry }) => {
      const rows = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`n${n}`, `${n}`]));
      const seat = await filled(other, entry(ARC, { ...rows, n7: 'old', x: '1', y: '1' }));
      await seat.save(OTHER_ARC, savedAt(1), entries(entry(OTHER_ARC, { z: '1' })));
      const beside = await seat.sums(OTHER_ARC);
      await copies.save(ARC, savedAt(1), entries(entry(ARC, rows)));
      const [theirs, ours] = [await copies.sums(ARC, 64), await seat.sums(ARC, 64)];
      const differing = theirs.flatMap((sum, i) => (sum === ours[i] ? [] : [i]));
      assert.ok(differing.length > 0 && differing.length <= 3);
      for (const bucket of differing) await replace(copies, seat, bucket, 64);
      assert.deepEqual(await seat.sums(ARC, 64), theirs);
      assert.deepEqual(await seat.sums(OTHER_ARC), beside);
    }));

  it('promise 4: what entries have changed since watch() stays as they left it', () =>
    using(async ({ copies, other, entry }) => {
      await copies.save(ARC, savedAt(1), entries(entry(ARC, { a: 'old', b: 'b', c: 'c' })));
      const seat = await other();
      await seat.save(ARC, savedAt(1), entries(entry(ARC, { a: 'older', e: 'e' })));
      seat.watch(ARC, true);
      await seat.save(ARC, savedAt(2), entries(entry(ARC, { a: 'new', b: undefined, d: 'd' })));
      await replace(copies, seat, 0, 1);
      const like = await filled(other, entry(ARC, { a: 'new', c: 'c', d: 'd' }));
      assert.deepEqual(await seat.sums(ARC), await like.sums(ARC));
      seat.watch(ARC, true);
      await replace(copies, seat, 0, 1);
      assert.deepEqual(await seat.sums(ARC), await copies.sums(ARC), 'watched anew');
    }));
}

function dropsAll(using: Using): void {
  it('promise 5: nothing is left of a dropped arc but what it was saved with', () =>
    using(async ({ copies, reopen, entry }) => {
      await copies.save(ARC, savedAt(1), entries(entry(ARC, { a: '1', b: '2' })));
      await copies.save(OTHER_ARC, savedAt(1), entries(entry(OTHER_ARC, { a: '1' })));
      const beside = await copies.sums(OTHER_ARC);
      const none = { ...savedAt(0), at: { epoch: 0, index: 0 } };
      await copies.save(ARC, none, { kind: 'drop' });
      const again = await reopen();
      assert.deepEqual(await again.sums(ARC, 16), new Array(16).fill(0));
      assert.deepEqual(await allRows(again, ARC, 1), []);
      assert.deepEqual((await again.saved()).get(ARC), none);
      assert.deepEqual(await again.sums(OTHER_ARC), beside);
    }));
}

function refusesStrangers(using: Using): void {
  it('promise 6: what is no rows, or not of this arc: refused, and nothing is changed', () =>
    using(async ({ copies, entry }) => {
      const good = entry(ARC, { a: '1', b: '1' });
      await copies.save(ARC, savedAt(1), entries(good));
      const before = await copies.sums(ARC);
      const cut = Array.from({ length: good.length - 1 }, (_, n) => good.subarray(0, n));
      const bad = [
        ...[entry(OTHER_ARC, { c: '1' }), new Uint8Array(200).fill(0x80), new Uint8Array(100_000)],
        ...[Uint8Array.of(...good, 1), new TextEncoder().encode('no rows at all')],
        ...[cut[0], cut[good.length - 2], cut[good.length >> 1]].flatMap((one) => one ?? []),
      ];
      for (const body of bad) {
        const saved = copies.save(ARC, savedAt(9), entries(entry(ARC, { a: '2' }), body));
        await assert.rejects(saved, BadRows, Buffer.from(body).toString('hex', 0, 40));
        const rows = [body];
        const replaced = { kind: 'replace', bucket: 0, buckets: 1, rows } as const;
        await assert.rejects(copies.save(ARC, savedAt(9), replaced), BadRows);
      }
      assert.deepEqual(await copies.sums(ARC), before);
      assert.equal((await copies.saved()).get(ARC)?.at.index, 1);
    }));

  it('promise 6: a bucket that is none, a row of another, or one that is gone: refused', () =>
    using(async ({ copies, entry }) => {
      const [there, gone] = [entry(ARC, { a: '1' }), entry(ARC, { a: undefined })];
      const cases = [
        ...[
          { bucket: 0, buckets: 3 },
          { bucket: 1, buckets: 1 },
          { bucket: -1, buckets: 16 },
        ],
        ...[
          { bucket: 0.5, buckets: 16 },
          { bucket: 0, buckets: 2_048 },
          { bucket: 0, buckets: 0 },
        ],
      ].map((one) => ({ kind: 'replace' as const, ...one, rows: [there] }));
      await copies.save(ARC, savedAt(1), entries(there));
      const sums = await copies.sums(ARC, 16);
      const strange = sums.indexOf(0);
      for (const change of [
        ...cases,
        { kind: 'replace' as const, bucket: strange, buckets: 16, rows: [there] },
        { kind: 'replace' as const, bucket: 0, buckets: 1, rows: [gone] },
      ]) {
        await assert.rejects(copies.save(ARC, savedAt(2), change), BadRows, JSON.stringify(change));
      }
      await assert.rejects(copies.sums(ARC, 5), BadRows);
      assert.deepEqual(await copies.sums(ARC, 16), sums);
    }));
}

/** Promise 1 under kill -9. */
export function arcCopiesKilled(name: string, begin: () => Promise<KilledCopies>): void {
  it(`${name} arc-copies, promise 1: killed at any moment, rows and state are of one save`, async () => {
    const { script, args, open } = await begin();
    const steps = await killAfter(300, script, args);
    const { copies, other, entry, close } = await open();
    const index = (await copies.saved()).get(ARC)?.at.index ?? 0;
    assert.ok(index >= steps, `${index} of ${steps}`);
    const like = await other();
    for (let n = 1; n <= index; n++) await saveStep(like, entry, n);
    assert.deepEqual(await copies.sums(ARC), await like.sums(ARC));
    await close();
  });
}

/** The child's side. */
export function saveUntilKilled(copies: ArcCopies, entry: Entry): Promise<never> {
  return stepUntilKilled((nth) => saveStep(copies, entry, nth + 1));
}

function saveStep(copies: ArcCopies, entry: Entry, nth: number): Promise<void> {
  const rows = { [`n${nth}`]: `${nth}`, [`n${nth - 3}`]: undefined, last: `${nth}` };
  return copies.save(ARC, savedAt(nth), entries(entry(ARC, rows)));
}

function entries(...bodies: readonly Uint8Array[]) {
  return { kind: 'entries' as const, bodies };
}

async function filled(other: CopiesCase['other'], body: Uint8Array): Promise<ArcCopies> {
  const copies = await other();
  await copies.save(ARC, savedAt(1), entries(body));
  return copies;
}

async function replace(from: ArcCopies, to: ArcCopies, bucket: number, buckets: number) {
  const rows: Uint8Array[] = [];
  for await (const piece of from.rows(ARC, bucket, buckets)) rows.push(piece);
  await to.save(ARC, savedAt(1), { kind: 'replace', bucket, buckets, rows });
}

async function allRows(copies: ArcCopies, arc: number, buckets: number): Promise<string[]> {
  const rows: string[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    for await (const piece of copies.rows(arc, bucket, buckets)) {
      rows.push(Buffer.from(piece).toString('hex'));
    }
  }
  return rows;
}
