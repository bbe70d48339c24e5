/**
 * Promise 15 of the `ShardStore` port: a node changes only what it holds. Proved of any adapter
 * that keeps tenures beside its rows.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blankHost, hostKeyOf, urlKeyOf } from '../record/index.ts';
import { arcOf, covers, halvesOf, isPart, wholeOf } from '../url/index.ts';
import { admitting, type Store, settling, waitingFor } from './shard-store.contract.rows.ts';
import { type Commit, NOTHING } from './shard-store.ts';
import { NotOurs, type Tenures } from './tenures.ts';

export interface FencedStores {
  readonly tenures: Tenures;
  /** The store as this holder writes to it; all of them have the same rows. */
  storeOf(holder: string): Promise<Store>;
  /** Lets time pass for the engine. */
  pass(ms: number): Promise<void>;
  /** Its tenures are never split. */
  readonly keepsWhole?: boolean;
  close(): Promise<void>;
}

const [URL_A, URL_B] = ['http://a.example/', 'http://b.example/'] as const;
const [ARC_A, ARC_B] = [arcOf(urlKeyOf(URL_A)), arcOf(urlKeyOf(URL_B))] as const;
const KEY_A = urlKeyOf(URL_A);
const LONG_MS = 60_000;
const SHORT_MS = 300;

export function shardStoreFence(name: string, open: () => Promise<FencedStores>): void {
  const using = async (use: (stores: FencedStores) => Promise<void>) => {
    const stores = await open();
    try {
      await use(stores);
    } finally {
      await stores.close();
    }
  };

  describe(`${name} shard-store, fenced`, () => {
    it('promise 15: what is held is written', () =>
      using(async ({ tenures, storeOf }) => {
        const store = await storeOf('one');
        await tenures.take([ARC_A], 'one', LONG_MS);
        const { fresh } = await store.commit(admitting([waitingFor(URL_A)]));
        assert.deepEqual(fresh, [true]);
      }));

    it('promise 15: another holds one of its arcs: refused by name, and nothing is visible', () =>
      using(async ({ tenures, storeOf }) => {
        const store = await storeOf('one');
        await tenures.take([ARC_A], 'one', LONG_MS);
        await tenures.take([ARC_B], 'two', LONG_MS);
        const refused = store.commit(admitting([waitingFor(URL_A), waitingFor(URL_B)]));
        await assert.rejects(refused, isNotOurs(ARC_B));
        assert.deepEqual(await store.urls([urlKeyOf(URL_A), urlKeyOf(URL_B)]), [
          undefined,
          undefined,
        ]);
        assert.equal((await store.totals()).known, 0);
      }));

    it('promise 15: a term that has ended, or was given back: refused', () =>
      using(async ({ tenures, storeOf, pass }) => {
        const store = await storeOf('one');
        const commit = admitting([waitingFor(URL_A)]);
        await assert.rejects(store.commit(commit), isNotOurs(ARC_A), 'never held');
        await tenures.take([ARC_A], 'one', SHORT_MS);
        await pass(SHORT_MS + 100);
        await assert.rejects(store.commit(commit), isNotOurs(ARC_A), 'its term has ended');
        await tenures.take([ARC_A], 'one', LONG_MS);
        await tenures.release([ARC_A], 'one');
        await assert.rejects(store.commit(commit), isNotOurs(ARC_A), 'given back');
      }));

    it('promise 15: whatever part of a commit is of the arc', () =>
      using(async ({ tenures, storeOf }) => {
        const [one, two] = [await storeOf('one'), await storeOf('two')];
        await tenures.take([ARC_A, ARC_B], 'one', LONG_MS);
        const [a, b] = [waitingFor(URL_A), waitingFor(URL_B)];
        await one.commit(admitting([a, b]));
        await tenures.release([ARC_A], 'one');
        await tenures.take([ARC_A], 'two', LONG_MS);
        const host = hostKeyOf('a.example');
        const parts: Partial<Commit>[] = [
          { settled: [settling(a)] },
          { hosts: [blankHost('a.example')] },
          { robots: [{ host, records: [] }] },
          { sketches: [{ host, bytes: new Uint8Array([1]) }] },
          { redated: [{ due: { at: 1, key: a.key }, to: 2 }] },
          { shelved: [a] },
          { forgotten: [a] },
        ];
        for (const part of parts) {
          const commit = { ...NOTHING, settled: [settling(b)], ...part };
          await assert.rejects(one.commit(commit), isNotOurs(ARC_A), Object.keys(part)[0]);
        }
        const [untouched] = await one.urls([a.key]);
        assert.equal(untouched?.state, 'queued');
        await two.commit({ ...NOTHING, settled: [settling(a)] });
        assert.equal((await one.urls([a.key]))[0]?.state, 'indexed');
      }));

    it('promise 15: split while its holder writes: none is refused; then one half moves', (t) =>
      using(async ({ tenures, storeOf, keepsWhole }) => {
        if (keepsWhole) return t.skip('this engine splits nothing');
        const [one, two] = [await storeOf('one'), await storeOf('two')];
        await tenures.take([ARC_A], 'one', LONG_MS);
        const commits: Promise<unknown>[] = [];
        for (let n = 0; n < 40; n++) {
          commits.push(one.commit(admitting([waitingFor(`${URL_A}${n}`)])));
          if (n === 20) commits.push(tenures.split(ARC_A));
        }
        await Promise.all(commits);
        const [half] = (await tenures.arcs()).filter((arc) => isPart(arc) && covers(arc, KEY_A));
        const [other] = halvesOf(ARC_A).filter((arc) => arc !== half);
        await tenures.release([half as number], 'one');
        await tenures.take([half as number], 'two', LONG_MS);
        await assert.rejects(one.commit(admitting([waitingFor(`${URL_A}x`)])), isNotOurs(ARC_A));
        await two.commit(admitting([waitingFor(`${URL_A}x`)]));
        assert.deepEqual(await tenures.renew([other as number], 'one', LONG_MS), [other]);
        assert.equal((await two.totals()).known, 41);
      }));
  });
}

export function isNotOurs(...arcs: readonly number[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof NotOurs, String(error));
    assert.deepEqual([...new Set(error.arcs.map(wholeOf))], arcs);
    return true;
  };
}
