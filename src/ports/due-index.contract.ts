/**
 * The promises of the `DueIndex` port, proved of any adapter; and that a store tells what is due of
 * single URLs as it tells of all.
 *
 *   dueIndexContract('memory', openForTest)      dueTruthContract('memory', openStore)
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../base/random.ts';
import { URL_KEY_BYTES, type UrlKey } from '../record/index.ts';
import { halvesOf } from '../url/index.ts';
import type { DueChange, DueIndex, DueTruth, LostArc } from './due-index.ts';
import { admitting, NOW, settling, urlOf, waitingFor } from './shard-store.contract.rows.ts';
import { type Due, NOTHING, type ShardStore } from './shard-store.ts';

export interface DueIndexCase {
  /** Two nodes at one engine. */
  readonly one: DueIndex;
  readonly two: DueIndex;
  /** The engine loses its memory. */
  forget(): Promise<void>;
}

type Open = () => Promise<DueIndexCase>;

const ARC = 5;
const OTHER = 17;
const EVER = { from: 0, until: 1e13, limit: 1_000 };

export function dueIndexContract(name: string, open: Open): void {
  describe(`${name} due-index`, () => {
    lastCounts(open);
    lost(open);
    leftInOrder(open);
    filled(open);
    lateNotes(open);
  });
}

function keyIn(arc: number, nth: number): UrlKey {
  const random = seededRandom(`${arc} ${nth}`);
  const key = Buffer.alloc(URL_KEY_BYTES);
  for (let at = 0; at < URL_KEY_BYTES; at++) key[at] = Math.floor(random.next() * 256);
  key[0] = arc * 4 + (nth % 4);
  return key;
}

const A = keyIn(ARC, 0);
const B = keyIn(ARC, 1);
const C = keyIn(OTHER, 2);

async function whole(index: DueIndex, ...arcs: number[]): Promise<void> {
  const { lost: all } = await index.due(EVER, arcs);
  for (const one of all) assert.ok(await index.fill(one, [], true));
}

async function told(index: DueIndex, ...arcs: number[]): Promise<readonly Due[]> {
  const answer = await index.due(EVER, arcs);
  assert.deepEqual(answer.lost, []);
  return answer.rows;
}

async function lostOf(index: DueIndex, arc: number): Promise<LostArc> {
  const answer = await index.due(EVER, [arc]);
  assert.deepEqual(answer.rows, []);
  assert.equal(answer.lost[0]?.arc, arc);
  return answer.lost[0] as LostArc;
}

function lastCounts(open: Open): void {
  it('promise 1: what was noted last is told, right after, earliest first', async () => {
    const { one } = await open();
    await whole(one, ARC, OTHER);
    one.note([
      ...[{ key: A, at: 300, tier: 3 } as const, { key: B, at: 100, tier: 1 } as const],
      { key: C, at: 200, tier: 2 },
    ]);
    const all = [
      { at: 100, key: B },
      { at: 200, key: C },
      { at: 300, key: A },
    ];
    assert.deepEqual(await told(one, ARC, OTHER), all);
    assert.deepEqual((await one.due({ ...EVER, until: 199 }, [ARC, OTHER])).rows, all.slice(0, 1));
    assert.deepEqual((await one.due({ ...EVER, from: 200 }, [ARC, OTHER])).rows, all.slice(1));
    assert.deepEqual((await one.due({ ...EVER, limit: 2 }, [ARC, OTHER])).rows, all.slice(0, 2));
    one.note([
      { key: A, at: 50 },
      { key: B, at: 0 },
    ]);
    one.note([{ key: C, at: 60, tier: 3 }]);
    const after = [
      { at: 50, key: A },
      { at: 60, key: C },
    ];
    assert.deepEqual(await told(one, ARC, OTHER), after);
    assert.deepEqual(await told(one, ARC, OTHER), after, 'each once');
  });

  it('promise 1: any notes, in any order and tier: as a table of the last of each', async () => {
    const change = fc.record({ nth: fc.nat(30), at: fc.nat(40), tier: fc.constantFrom(1, 2, 3) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 5 }),
        async (all) => {
          const { one } = await open();
          await whole(one, ARC, OTHER);
          const table = new Map<string, Due>();
          for (const changes of all) {
            const notes = changes.map(({ nth, at, tier }): DueChange => {
              const key = keyIn(nth % 2 ? ARC : OTHER, nth);
              table.set(key.toString('hex'), { at, key });
              return { key, at, ...(at % 3 > 0 && { tier: tier as 1 | 2 | 3 }) };
            });
            one.note(notes);
            const wanted = [...table.values()].map(({ at }) => at).filter((at) => at > 0);
            const rows = await told(one, ARC, OTHER);
            assert.deepEqual(
              rows.map(({ at }) => at),
              wanted.sort((a, b) => a - b),
            );
            for (const { at, key } of rows) assert.equal(table.get(key.toString('hex'))?.at, at);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('promise 1: more than one answer holds: the earliest of all arcs, whoever has them', async () => {
    const { one } = await open();
    const arcs = Array.from({ length: 12 }, (_, arc) => arc);
    await whole(one, ...arcs);
    const keys = Array.from({ length: 600 }, (_, nth) => ({ key: keyIn(3, nth), at: 1 + nth }));
    one.note(keys);
    one.note(arcs.map((arc) => ({ key: keyIn(arc, 4_000), at: 10_000 + arc })));
    const { rows } = await one.due({ ...EVER, limit: 500 }, arcs);
    assert.deepEqual(
      rows,
      keys.slice(0, 500).map(({ key, at }) => ({ at, key })),
    );
    assert.equal((await one.due(EVER, arcs)).rows.length, 612);
  });
}

function lost(open: Open): void {
  it('promise 2: what is new to the engine is lost, and nothing is told of it', async () => {
    const { one } = await open();
    one.take(ARC, 1);
    one.note([{ key: A, at: 100 }]);
    assert.notEqual((await lostOf(one, ARC)).loss, undefined);
  });

  it('promise 2: an engine that forgot everything: lost, until it is filled', async () => {
    const { one, forget } = await open();
    await whole(one, ARC, OTHER);
    one.note([{ key: A, at: 100 }]);
    await told(one, ARC);
    await forget();
    const found = await lostOf(one, ARC);
    assert.deepEqual(await lostOf(one, ARC), found, 'the same loss');
    assert.ok(await one.fill(found, [{ key: A, at: 100 }], true));
    assert.deepEqual(await told(one, ARC), [{ key: A, at: 100 }]);
    await lostOf(one, OTHER);
  });

  it('promise 2: nobody left it: lost for whoever takes it next', async () => {
    const { one, two } = await open();
    await whole(one, ARC);
    one.note([{ key: A, at: 100 }]);
    await told(one, ARC);
    await lostOf(two, ARC);
  });

  it('promise 2: halves of an arc that was split are lost, each, and then its own', async () => {
    const { one } = await open();
    await whole(one, ARC);
    one.note([{ key: A, at: 100 }]);
    const [low, high] = halvesOf(ARC) as [number, number];
    await lostOf(one, low);
    await whole(one, low, high);
    one.note([
      { key: A, at: 7 },
      { key: keyIn(ARC, 3), at: 8 },
    ]);
    assert.deepEqual(await told(one, low), [{ key: A, at: 7 }]);
    assert.deepEqual(await told(one, high), [{ key: keyIn(ARC, 3), at: 8 }]);
  });
}

function leftInOrder(open: Open): void {
  it('promise 3: left in good order: whole for the next, with all that was noted', async () => {
    const { one, two } = await open();
    one.take(ARC, 1);
    await whole(one, ARC);
    one.note([
      { key: A, at: 100 },
      { key: B, at: 200 },
    ]);
    await told(one, ARC);
    one.note([{ key: A, at: 0 }]);
    await one.leave(ARC);
    two.take(ARC, 2);
    two.note([{ key: keyIn(ARC, 9), at: 50 }]);
    const rows = [
      { key: keyIn(ARC, 9), at: 50 },
      { key: B, at: 200 },
    ];
    assert.deepEqual(await told(two, ARC), rows);
    await two.leave(ARC);
    one.take(ARC, 3);
    assert.deepEqual(await told(one, ARC), rows, 'and back');
  });

  it('promise 3: nothing was asked meanwhile: what was noted is there all the same', async () => {
    const { one, two } = await open();
    one.take(ARC, 1);
    await whole(one, ARC);
    await one.leave(ARC);
    two.take(ARC, 2);
    two.note([{ key: A, at: 100 }]);
    await two.leave(ARC);
    one.take(ARC, 3);
    assert.deepEqual(await told(one, ARC), [{ key: A, at: 100 }]);
  });

  it('promise 3: a tenure in between that the engine never heard of: lost', async () => {
    const { one, two } = await open();
    one.take(ARC, 1);
    await whole(one, ARC);
    await one.leave(ARC);
    two.take(ARC, 3);
    await lostOf(two, ARC);
  });

  it('promise 3: left before it was whole: lost still', async () => {
    const { one, two } = await open();
    await lostOf(one, ARC);
    await one.leave(ARC);
    await lostOf(two, ARC);
  });
}

function filled(open: Open): void {
  it('promise 4: in pieces, and what is noted meanwhile counts more', async () => {
    const { one } = await open();
    const found = await lostOf(one, ARC);
    one.note([{ key: A, at: 20 }]);
    assert.ok(
      await one.fill(
        found,
        [
          { key: A, at: 900 },
          { key: B, at: 800 },
        ],
        false,
      ),
    );
    await lostOf(one, ARC);
    one.note([{ key: B, at: 10 }]);
    assert.ok(await one.fill(found, [{ key: keyIn(ARC, 8), at: 700 }], true));
    const rows = [
      { key: B, at: 10 },
      { key: A, at: 20 },
      { key: keyIn(ARC, 8), at: 700 },
    ];
    assert.deepEqual(await told(one, ARC), rows);
  });

  it('promise 4: lost again meanwhile: the filling is for nothing', async () => {
    const { one, forget } = await open();
    const found = await lostOf(one, ARC);
    await forget();
    const again = await lostOf(one, ARC);
    assert.notEqual(again.loss, found.loss);
    assert.equal(await one.fill(found, [{ key: A, at: 1 }], true), false);
    await lostOf(one, ARC);
    assert.ok(await one.fill(again, [{ key: B, at: 2 }], true));
    assert.deepEqual(await told(one, ARC), [{ key: B, at: 2 }]);
  });
}

function lateNotes(open: Open): void {
  it('promise 5: a former owner notes, fills and leaves: the next one hears nothing of it', async () => {
    const { one, two } = await open();
    const found = await lostOf(one, ARC);
    await whole(two, ARC);
    two.note([{ key: A, at: 100 }]);
    await told(two, ARC);
    one.note([
      { key: A, at: 7 },
      { key: B, at: 8 },
    ]);
    assert.equal(await one.fill(found, [{ key: B, at: 9 }], true), false);
    assert.deepEqual((await one.due(EVER, [ARC])).rows, []);
    await one.leave(ARC);
    assert.deepEqual(await told(two, ARC), [{ key: A, at: 100 }]);
  });
}

type Store = ShardStore & DueTruth;

export function dueTruthContract(
  name: string,
  open: () => Promise<{ readonly store: Store; close(): Promise<void> }>,
): void {
  it(`${name} due-truth: due, waiting again, visited since, never named`, async () => {
    const { store, close } = await open();
    try {
      const [page, other] = [waitingFor(urlOf('page')), waitingFor(urlOf('other'))];
      const keys = [page.key, waitingFor(urlOf('nobody')).key, other.key];
      const dueAts = async () => (await store.dueStates(keys)).map((state) => state?.dueAt);
      await store.commit(admitting([page, other]));
      assert.deepEqual(await dueAts(), [undefined, undefined, undefined]);
      const settled = [
        settling(page, { nextCrawlAt: NOW + 5 }),
        settling(other, { nextCrawlAt: 0 }),
      ];
      await store.commit({ ...NOTHING, settled });
      assert.deepEqual(await dueAts(), [NOW + 5, undefined, undefined]);
      const [state, nobody] = await store.dueStates(keys);
      assert.deepEqual([state?.record], await store.urls([page.key]));
      assert.equal(nobody, undefined);
      const due = { at: NOW + 5, key: page.key };
      await store.commit({ ...NOTHING, requeued: [{ due, waiting: { ...page, again: true } }] });
      assert.deepEqual(await dueAts(), [undefined, undefined, undefined], 'it waits');
      assert.deepEqual(await store.dueStates([]), []);
    } finally {
      await close();
    }
  });
}
