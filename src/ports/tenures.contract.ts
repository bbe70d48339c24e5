/**
 * The promises of the `Tenures` port, proved of any adapter.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { covers } from '../url/index.ts';
import type { Tenures } from './tenures.ts';

export interface TenuresCase {
  readonly tenures: Tenures;
  /** Another connection to the same engine. */
  other(): Promise<Tenures>;
  /** Lets time pass for the engine. */
  pass(ms: number): Promise<void>;
  /** It splits nothing, and says so. */
  readonly keepsWhole?: boolean;
}

const TERM_MS = 300;

export function tenuresContract(name: string, open: () => Promise<TenuresCase>): void {
  describe(`${name} tenures`, () => {
    it('promise 1: an arc that is held is refused to others, and only that one', async () => {
      const { tenures, other } = await open();
      const rival = await other();
      assert.deepEqual([...(await tenures.take([1, 2], 'a', 60_000)).keys()], [1, 2]);
      assert.deepEqual([...(await rival.take([2, 3], 'b', 60_000)).keys()], [3]);
      assert.deepEqual([...(await tenures.take([1, 3], 'a', 60_000)).keys()], [1], 'ones own');
    });

    it('promise 1: many at once: one of them has it', async () => {
      const { tenures, other } = await open();
      const rivals = [tenures, await other(), await other()];
      const arcs = Array.from({ length: 64 }, (_, arc) => arc);
      const taken = await Promise.all(
        rivals.map((rival, nth) => rival.take(arcs, `node-${nth}`, 60_000)),
      );
      const all = taken.flatMap((mine) => [...mine.keys()]);
      assert.deepEqual(
        all.sort((a, b) => a - b),
        arcs,
      );
    });

    it('promise 1: released, or its term at an end: anybodys, and nobody elses before', async () => {
      const { tenures, other, pass } = await open();
      const rival = await other();
      await tenures.take([1], 'a', 60_000);
      await tenures.take([2], 'a', TERM_MS);
      await rival.release([1], 'b');
      assert.equal((await rival.take([1], 'b', 60_000)).size, 0, 'b cannot release what a holds');
      await tenures.release([1], 'a');
      await pass(TERM_MS + 100);
      assert.deepEqual([...(await rival.take([1, 2], 'b', 60_000)).keys()], [1, 2]);
    });

    it('promise 2: epochs only rise', async () => {
      const { tenures } = await open();
      let before = 0;
      for (const holder of ['a', 'b', 'a', 'c']) {
        const epoch = (await tenures.take([7], holder, 60_000)).get(7) ?? 0;
        assert.ok(epoch > before, `${epoch} after ${before}`);
        before = epoch;
        await tenures.release([7], holder);
      }
    });

    it('promise 4: renewed while held, for a whole term from then; lost is lost', async () => {
      const { tenures, other, pass } = await open();
      const rival = await other();
      await tenures.take([1, 2], 'a', TERM_MS);
      assert.deepEqual(await tenures.renew([1, 2], 'a', 60_000), [1, 2]);
      await pass(TERM_MS + 100);
      assert.equal((await rival.take([1], 'b', TERM_MS)).size, 0, 'it was renewed');
      await tenures.release([1], 'a');
      await rival.take([1], 'b', TERM_MS);
      assert.deepEqual(await tenures.renew([1, 2], 'a', 60_000), [2]);
      await pass(TERM_MS + 100);
      assert.deepEqual(await rival.renew([1], 'b', TERM_MS), [], 'its term has ended');
    });

    it('promise 5: split while held: the same holder, term and epochs, in halves', async (t) => {
      const { tenures, other, keepsWhole } = await open();
      if (keepsWhole) return t.skip('this engine splits nothing');
      const rival = await other();
      const before = (await tenures.take([5], 'a', 60_000)).get(5) ?? 0;
      assert.deepEqual(await rival.split(5), [138, 139]);
      assert.equal((await rival.take([5, 138, 139], 'b', 60_000)).size, 0, 'a holds them');
      assert.deepEqual(await tenures.renew([5], 'a', 60_000), [138, 139]);
      await tenures.release([139], 'a');
      assert.ok(((await rival.take([139], 'b', 60_000)).get(139) ?? 0) > before, 'epochs rise');
      assert.deepEqual(await tenures.renew([5], 'a', 60_000), [138], 'the other half is lost');
      assert.deepEqual(await rival.split(138), [276, 277]);
      await tenures.release([5], 'a');
      assert.deepEqual([...(await rival.take([276, 277], 'b', 60_000)).keys()], [276, 277]);
    });

    it('promise 6: what is split, or not split yet, is nobodys; the circle stays whole', async (t) => {
      const { tenures, keepsWhole } = await open();
      if (keepsWhole) {
        await assert.rejects(tenures.split(5), /whole/);
        assert.equal((await tenures.take([138, 276], 'a', 60_000)).size, 0);
        return t.skip('this engine splits nothing');
      }
      assert.equal((await tenures.take([138, 139, 276, 64, 127], 'a', 60_000)).size, 0);
      await tenures.split(5);
      assert.equal((await tenures.take([5, 276], 'a', 60_000)).size, 0);
      assert.deepEqual(await tenures.split(5), [], 'split already');
      assert.deepEqual(await tenures.split(276), [], 'not there');
      await tenures.split(139);
      assert.deepEqual(await tenures.split(278), [], 'small enough');
      const there = await tenures.arcs();
      for (let first = 0; first < 256; first++) {
        const around = there.filter((arc) => covers(arc, Uint8Array.of(first)));
        assert.equal(around.length, 1, `${first} is in ${around}`);
      }
    });

    it('promise 5: split by many at once: done once, and whole', async (t) => {
      const { tenures, other, keepsWhole } = await open();
      if (keepsWhole) return t.skip('this engine splits nothing');
      const rivals = [tenures, await other(), await other()];
      const [halves] = await Promise.all([
        Promise.all(rivals.map((rival) => rival.split(9))),
        Promise.all(rivals.map((rival, nth) => rival.take([9, 146, 147], `n${nth}`, 60_000))),
      ]);
      assert.deepEqual(halves.flat(), [146, 147]);
      const held = await Promise.all(
        rivals.map((rival, nth) => rival.renew([9], `n${nth}`, 60_000)),
      );
      assert.equal(new Set(held.flat()).size, held.flat().length, 'one holder each');
    });
  });
}
