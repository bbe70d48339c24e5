import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MemoryRunFiles } from '../../adapters/memory/run-files.ts';
import { SortedLines } from './sorted-lines.ts';

const line = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 30 });

test('sorted lines: any lines, in as many runs as it takes, come out in order and all of them', async () => {
  const sizes = fc.constantFrom(1, 20, 200, 1e9);
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 60 }), sizes, async (lines, memory) => {
      const sorted = new SortedLines(new MemoryRunFiles(), { memoryCharacters: memory });
      for (const one of lines) await sorted.add(one);
      const read: string[] = [];
      for await (const one of sorted.read()) read.push(one);
      assert.deepEqual(read, [...lines].sort());
    }),
  );
});

test('sorted lines: a run longer than a chunk is read to its end', async () => {
  const sorted = new SortedLines(new MemoryRunFiles(), { memoryCharacters: 400_000 });
  const lines = Array.from({ length: 50_000 }, (_, i) => `${(i * 7_919) % 50_000} a line of text`);
  for (const one of lines) await sorted.add(one);
  const read: string[] = [];
  for await (const one of sorted.read()) read.push(one);
  assert.deepEqual(read, [...lines].sort());
});
