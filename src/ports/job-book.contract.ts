/** The promises of the `JobBook` port, proved of any adapter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JobBook, JobEntry } from './job-book.ts';

export interface OpenJobBook {
  readonly book: JobBook;
  /** The same place once more; left out where everything is forgotten. */
  readonly reopen?: () => Promise<JobBook>;
}

function entry(id: number, more: Partial<JobEntry> = {}): JobEntry {
  const spec = { priority: 'normal', scope: 'host', seeds: 2 } as const;
  return { id, name: `job ${id} — ü\n"`, createdAt: 1_000 + id, ...spec, ...more };
}

const SEEDS = ['https://example.com/', 'https://example.org/%C3%BC'];

export function jobBookContract(name: string, open: () => Promise<OpenJobBook>): void {
  describe(`${name} job-book`, () => {
    it('promise 2: every job once, as it was last put, by number', async () => {
      const { book } = await open();
      assert.deepEqual(await book.all(), []);
      const refused = [{ url: 'x', reason: 'not a URL' }];
      const receipt = { queued: 1, known: 0, refusedCount: 1, refused, startAt: 5 };
      const last = entry(2, { endedBy: 'cancelled', endedAt: 9, receipt });
      for (const one of [entry(11), entry(2), entry(0, { pausedAt: 7 }), last]) await book.put(one);
      assert.deepEqual(await book.all(), [entry(0, { pausedAt: 7 }), last, entry(11)]);
    });

    it('promise 3: the seeds of a job in their order, and of no other', async () => {
      const { book } = await open();
      await book.put(entry(1));
      await book.put(entry(12));
      await book.addSeeds(1, SEEDS);
      await book.addSeeds(12, ['https://other.example/']);
      await book.addSeeds(1, ['https://third.example/']);
      assert.deepEqual(await book.seeds(1), [...SEEDS, 'https://third.example/']);
      assert.deepEqual(await book.seeds(12), ['https://other.example/']);
      assert.deepEqual(await book.seeds(3), []);
    });

    it('promise 4: of those who open a number at once, one has it', async () => {
      const { book } = await open();
      const names = ['a', 'b', 'c', 'd'];
      const told = await Promise.all(names.map((name) => book.open(entry(5, { name }))));
      assert.equal(told.filter(Boolean).length, 1);
      assert.deepEqual(await book.all(), [entry(5, { name: names[told.indexOf(true)] ?? '' })]);
      assert.equal(await book.open(entry(5)), false);
    });

    it('promise 1: it is all there when the place is opened again', async (t) => {
      const { book, reopen } = await open();
      if (reopen === undefined) return t.skip('this book forgets everything, and says so');
      await book.put(entry(1, { until: 77, call: { name: 'a', digest: 'b' } }));
      await book.addSeeds(1, SEEDS);
      const again = await reopen();
      assert.deepEqual(await again.all(), await book.all());
      assert.deepEqual(await again.seeds(1), SEEDS);
    });
  });
}
