/** The promises of the `EraseLedger` port, proved of any adapter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EraseLedger, ErasePart } from './erase-ledger.ts';

export interface EraseLedgerCase {
  readonly ledger: EraseLedger;
  /** The same, as another node has it open. */
  another(): Promise<EraseLedger>;
}

const SEEN: ErasePart = { phase: 'seen', from: 0, to: 3, counts: {} };
const DONE: ErasePart = { phase: 'done', from: 0, to: 3, counts: { records: 2, bodies: 1 } };
const OTHER: ErasePart = { ...DONE, from: 4, to: 255 };

function inOrder(parts: readonly ErasePart[]): ErasePart[] {
  const nameOf = ({ phase, from }: ErasePart) => `${phase}/${String(from).padStart(3, '0')}`;
  return [...parts].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

export function eraseLedgerContract(name: string, open: () => Promise<EraseLedgerCase>): void {
  describe(`${name} erase-ledger`, () => {
    it('promise 1: what two nodes note is there for both; noted twice, the last counts', async () => {
      const { ledger, another } = await open();
      const other = await another();
      assert.deepEqual(await ledger.parts(7), []);
      await ledger.note(7, [SEEN, DONE]);
      await other.note(7, [OTHER]);
      await other.note(7, [{ ...DONE, counts: { records: 3 } }]);
      await other.note(70, [DONE]);
      for (const one of [ledger, other]) {
        const parts = inOrder(await one.parts(7));
        assert.deepEqual(parts, [{ ...DONE, counts: { records: 3 } }, OTHER, SEEN]);
      }
    });

    it('promise 2: forgotten is what came before, and nothing else', async () => {
      const { ledger } = await open();
      for (const deed of [7, 9, 10, 70]) await ledger.note(deed, [SEEN, DONE]);
      await ledger.forget(10);
      const left = await Promise.all([7, 9, 10, 70].map((deed) => ledger.parts(deed)));
      assert.deepEqual(
        left.map(({ length }) => length),
        [0, 0, 2, 2],
      );
      await ledger.forget(10);
      assert.equal((await ledger.parts(10)).length, 2);
    });
  });
}
