/**
 * The promises of the `Tenures` port, proved of any adapter.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Tenures } from './tenures.ts';

export interface TenuresCase {
  readonly tenures: Tenures;
  /** Another connection to the same engine. */
  other(): Promise<Tenures>;
  /** Lets time pass for the engine. */
  pass(ms: number): Promise<void>;
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
  });
}
