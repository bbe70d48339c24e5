import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LinkContext, priorityOf, SEED_PRIORITY } from './priority.ts';

const part = fc.double({ min: 0, max: 1, noNaN: true });
const links = fc.record({
  ...{ authority: part, context: part, parentPriority: part },
  depth: fc.nat(20),
});

test('priority: always in [0,1], and no deeper or worse-linked URL gains by it', () => {
  fc.assert(
    fc.property(links, part, (link, less) => {
      const own = priorityOf(link);
      assert.ok(own >= 0 && own <= 1);
      const worse: Partial<LinkContext>[] = [
        { depth: link.depth + 1 },
        { authority: link.authority * less },
        { context: link.context * less },
        { parentPriority: link.parentPriority * less },
      ];
      for (const change of worse) assert.ok(priorityOf({ ...link, ...change }) <= own);
    }),
  );
});

test('priority: a perfect link from a perfect page is worth as much as the best seed', () => {
  const perfect = { authority: 1, context: 1, depth: 0, parentPriority: 1 };
  assert.equal(priorityOf(perfect), SEED_PRIORITY.high);
});
