/** The promises of the `ComplyStore` port, proved of any adapter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditLine, type ComplyChange, NO_COUNTS, type Rule } from '../comply/index.ts';
import type { ComplyStore } from './comply-store.ts';

export interface ComplyStoreCase {
  readonly store: ComplyStore;
  reopen?(): Promise<ComplyStore>;
  /** Leaves a part of a line at the end of the trail, as a kill would. */
  tear?(): Promise<void>;
}

const RULE: Rule = {
  ...{ kind: 'host', value: 'a.example', reason: 'r\n', by: 'b', erases: false },
  at: '2026-11-15T00:00:00.000Z',
};
const OTHER: Rule = { ...RULE, kind: 'pattern', value: '*/a/*' };
const LINE = { seq: 3, hash: 'h', prev: 'p', action: 'erase', phase: 'intent' } as AuditLine;

async function linesOf(store: ComplyStore): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of store.trail()) lines.push(line);
  return lines;
}

export function complyStoreContract(name: string, open: () => Promise<ComplyStoreCase>): void {
  describe(`${name} comply-store`, () => {
    it('promise 1: lines are given back in order, also after a restart', async () => {
      const opened = await open();
      assert.deepEqual(await linesOf(opened.store), []);
      for (const line of ['one', 'two — ü', 'three']) await opened.store.append(line);
      const store = (await opened.reopen?.()) ?? opened.store;
      assert.deepEqual(await linesOf(store), ['one', 'two — ü', 'three']);
    });

    it('promise 1: a part of a line: not read, and the next line takes its place', async (t) => {
      const { store, tear } = await open();
      if (tear === undefined) return t.skip('nothing outside can reach its lines');
      await store.append('one');
      await tear();
      assert.deepEqual(await linesOf(store), ['one']);
      await store.append('two');
      assert.deepEqual(await linesOf(store), ['one', 'two']);
    });

    it('promise 2: the changes add up, also after a restart', async () => {
      const opened = await open();
      const counts = { ...NO_COUNTS, complaints: 2 };
      const changes: ComplyChange[] = [
        { counts, denied: RULE, begun: LINE },
        { counts, denied: OTHER, begun: { ...LINE, seq: 4 } },
        { counts, denied: { ...RULE, by: 'c' }, held: OTHER },
        { counts, held: RULE, ended: 3 },
        { counts, denied: { ...OTHER, value: 'http://lifted.example/' } },
        { counts, lifted: { kind: OTHER.kind, value: 'http://lifted.example/' } },
        { counts: { ...counts, takedowns: 1 }, released: OTHER },
      ];
      for (const change of changes) await opened.store.save(change);
      const store = (await opened.reopen?.()) ?? opened.store;
      const { denials, holds, pending, counts: told } = await store.load();
      const byValue = (a: Rule, b: Rule) => (a.value < b.value ? -1 : 1);
      assert.deepEqual([...denials].sort(byValue), [OTHER, { ...RULE, by: 'c' }]);
      assert.deepEqual(holds, [RULE]);
      assert.deepEqual(pending, [{ ...LINE, seq: 4 }]);
      assert.deepEqual(told, { ...counts, takedowns: 1 });
    });
  });
}
