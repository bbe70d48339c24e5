import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Heap, type HeapItem } from './heap.ts';

interface Item extends HeapItem {
  readonly id: number;
  key: number;
}

/** `+ 0`: a heap cannot tell 0 from -0, which `assert` does. */
const keys = fc
  .oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true }))
  .map((key) => key + 0);
const steps = fc.array(
  fc.record({
    what: fc.constantFrom('push', 'push', 'pop', 'remove', 'move'),
    key: keys,
    at: fc.nat(),
  }),
  { maxLength: 300 },
);

test('heap: after any history it gives what a sorted array would give', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const heap = new Heap<Item>();
      let model: Item[] = [];
      for (const [id, { what, key, at }] of history.entries()) {
        const one = model[at % Math.max(1, model.length)];
        if (what === 'push') {
          const item = { heapAt: -1, id, key };
          model.push(item);
          heap.push(item, key);
        } else if (one === undefined) {
          assert.equal(heap.pop(), undefined);
        } else if (what === 'pop') {
          const popped = heap.pop() as Item;
          assert.equal(popped.key, Math.min(...model.map((item) => item.key)));
          model = model.filter((item) => item !== popped);
        } else if (what === 'remove') {
          heap.remove(one);
          assert.ok(!heap.has(one));
          model = model.filter((item) => item !== one);
        } else {
          one.key = key;
          heap.moved(one, key);
        }
        assert.equal(heap.size, model.length);
        assert.ok(model.every((item) => heap.has(item)));
        const least = model.length === 0 ? undefined : Math.min(...model.map((item) => item.key));
        assert.equal(heap.firstKey, least);
        assert.equal(heap.peek()?.key, least);
      }
    }),
  );
});

test('heap: an item that is not in it cannot be removed, and a key that is no number is refused', () => {
  const heap = new Heap<Item>();
  const item = { heapAt: -1, id: 1, key: 1 };
  assert.throws(() => heap.remove(item), /only what is in the heap/);
  assert.throws(() => heap.push(item, Number.NaN), /a place in the order/);
  heap.push(item, 1);
  assert.throws(() => heap.moved(item, Number.NaN), /a place in the order/);
  assert.equal(heap.firstKey, 1);
});
