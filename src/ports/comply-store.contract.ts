/** The promises of the `ComplyStore` port, proved of any adapter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditLine, type ComplyChange, NO_COUNTS, type Rule } from '../comply/index.ts';
import type { ComplyStore } from './comply-store.ts';

export interface ComplyStoreCase {
  readonly store: ComplyStore;
  reopen?(): Promise<ComplyStore>;
  /** The same store, as another node has it open. */
  another?(): Promise<ComplyStore>;
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
      for (const [i, line] of ['one', 'two — ü', 'three'].entries()) {
        assert.equal(await opened.store.append(line, i + 1), true);
      }
      const store = (await opened.reopen?.()) ?? opened.store;
      assert.deepEqual(await linesOf(store), ['one', 'two — ü', 'three']);
    });

    it('promise 1: a part of a line: not read, and the next line takes its place', async (t) => {
      const { store, tear } = await open();
      if (tear === undefined) return t.skip('nothing outside can reach its lines');
      await store.append('one', 1);
      await tear();
      assert.deepEqual(await linesOf(store), ['one']);
      await store.append('two', 2);
      assert.deepEqual(await linesOf(store), ['one', 'two']);
    });

    it('promise 4: several nodes: each number is one line, and the sum never goes back', async (t) => {
      const { store, another } = await open();
      if (another === undefined) return t.skip('a folder has one process');
      const other = await another();
      const tries = Array.from({ length: 6 }, (_, i) => (i % 2 ? store : other).append(`${i}`, 1));
      const won = (await Promise.all(tries)).flatMap((isFirst, i) => (isFirst ? [`${i}`] : []));
      assert.equal(won.length, 1);
      assert.equal(await store.append('second', 1), false);
      assert.equal(await store.append('second', 2), true);
      assert.deepEqual(await linesOf(other), [...won, 'second']);
      const counts = (seq: number) => ({ ...NO_COUNTS, head: { seq, hash: `${seq}` } });
      await store.save({ counts: counts(2), lifted: RULE });
      await other.save({ counts: counts(1), denied: RULE });
      const saved = await other.load();
      assert.deepEqual([saved.denials, saved.counts.head.seq], [[], 2]);
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
