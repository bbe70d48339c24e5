/** The window against a store: whatever comes in whatever order, nothing is lost or doubled. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_BYTES, urlKeyOf, type Waiting } from '../record/index.ts';
import { Window, waitsBefore } from './window.ts';

const KEEP = 4;
const ASKED = 2;
const HOST = 'h.example';

function waiting(n: number, rank: number): Waiting {
  const url = `http://${HOST}/${n}`;
  const rest = { kind: 'page', priority: 0.5, depth: 0, hops: 0, outside: 0, fails: 0 } as const;
  return { key: urlKeyOf(url), url, rank, ...rest, parent: NO_BYTES, again: false };
}

const inOrder = (a: Waiting, b: Waiting) => (waitsBefore(a, b) ? -1 : 1);
const none = () => false;

class Store {
  rows: Waiting[] = [];

  after(place: Pick<Waiting, 'rank' | 'key'> | undefined): Waiting[] {
    const beyond = this.rows.filter((row) => place === undefined || waitsBefore(place, row));
    return beyond.sort(inOrder).slice(0, ASKED);
  }
}

function refill(window: Window, store: Store): void {
  window.beginRefill();
  window.refill(store.after(window.after), ASKED, none);
}

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.nat(9).map((rank) => ({ what: 'add', rank }) as const) },
    { weight: 3, arbitrary: fc.constant({ what: 'take', rank: 0 } as const) },
    { weight: 2, arbitrary: fc.constant({ what: 'begin', rank: 0 } as const) },
    { weight: 2, arbitrary: fc.constant({ what: 'read', rank: 0 } as const) },
    { weight: 2, arbitrary: fc.constant({ what: 'end', rank: 0 } as const) },
  ),
  { maxLength: 80, size: 'max' },
);

test('window: with refills under way at any time, every URL is taken once, in the order of its piece', () => {
  fc.assert(
    fc.property(fc.constantFrom('nothing', 'all'), steps, (start, history) => {
      const window = new Window(HOST, start as 'nothing' | 'all');
      const store = new Store();
      const taken = new Set<string>();
      let read: Waiting[] | undefined;
      let isUnderWay = false;
      let n = 0;
      const take = () => {
        const url = window.take();
        if (url === undefined) return;
        assert.ok(!taken.has(url.url), `${url.url} is taken once`);
        taken.add(url.url);
        const better = store.rows.filter((row) => waitsBefore(row, url));
        if (!isUnderWay) assert.deepEqual(better, [], 'the best comes first');
        store.rows = store.rows.filter((row) => row.url !== url.url);
        if (read !== undefined) read = read.filter((row) => row.url !== url.url);
      };
      for (const { what, rank } of history) {
        if (what === 'add') {
          const url = waiting(n++, rank);
          store.rows.push(url);
          window.add(url, KEEP);
        } else if (what === 'take') take();
        else if (what === 'begin' && !isUnderWay) {
          isUnderWay = true;
          window.beginRefill();
        } else if (what === 'read' && isUnderWay) read ??= store.after(window.after);
        else if (what === 'end' && read !== undefined) {
          window.refill(read, ASKED, none);
          read = undefined;
          isUnderWay = false;
        }
      }
      if (isUnderWay) window.refill(read ?? store.after(window.after), ASKED, none);
      isUnderWay = false;
      while (window.hasMore || window.size > 0) {
        if (window.size === 0) refill(window, store);
        take();
      }
      assert.equal(taken.size, n, 'none is lost');
    }),
    { numRuns: 1_000 },
  );
});

test('window: a URL admitted after the store was read, among what was read, is not skipped', () => {
  const window = new Window(HOST, 'nothing');
  window.beginRefill();
  window.add(waiting(2, 20), KEEP);
  window.refill([waiting(1, 10), waiting(3, 30)], ASKED, none);
  assert.deepEqual([window.take()?.rank, window.take()?.rank, window.take()?.rank], [10, 20, 30]);
});

test('window: a refill that began before the window shrank leaves no gap', () => {
  const window = new Window(HOST, 'all');
  const store = new Store();
  for (let n = 0; n < 4; n++) store.rows.push(waiting(n, 50 + n));
  for (const row of store.rows) window.add(row, KEEP);
  window.add(waiting(4, 1), KEEP);
  const before = window.after;
  window.beginRefill();
  const rows = store.after(before);
  for (let n = 5; n < 9; n++) window.add(waiting(n, n), KEEP);
  assert.ok(waitsBefore(window.after as Waiting, before as Waiting));
  window.refill(rows, ASKED, none);
  assert.deepEqual([window.take()?.rank, window.take()?.rank, window.take()], [1, 5, undefined]);
  assert.ok(window.hasMore);
});

test('window: a host that comes again is brought more, and a new URL does not cost it that', () => {
  const window = new Window(HOST, 'nothing');
  const first = window.refillSize(KEEP);
  window.beginRefill();
  window.refill(
    Array.from({ length: first }, (_, n) => waiting(n, n)),
    first,
    none,
  );
  while (window.take() !== undefined);
  const later = window.refillSize(KEEP);
  assert.equal(later, 2 * first);
  assert.ok(later > KEEP);
  window.beginRefill();
  window.refill(
    Array.from({ length: later }, (_, n) => waiting(20 + n, 20 + n)),
    later,
    none,
  );
  window.take();
  window.add(waiting(50, 1), KEEP);
  assert.equal(window.size, later);
});

test('window: rows that are leased or settled are not brought again, and count as read', () => {
  const window = new Window(HOST, 'nothing');
  window.beginRefill();
  const [a, b] = [waiting(1, 1), waiting(2, 2)];
  window.refill([a, b], ASKED, (url) => url === a);
  assert.equal(window.size, 1);
  assert.deepEqual(window.after, { rank: b.rank, key: b.key });
});

test('window: however much is added during a refill, what it remembers is bounded', () => {
  const window = new Window(HOST, 'nothing');
  window.beginRefill();
  for (let n = 0; n < 1_000; n++) window.add(waiting(n, 1_000 - n), KEEP);
  window.refill([], ASKED, none);
  assert.ok(window.size <= KEEP);
  assert.equal(window.peek()?.rank, 1);
  assert.ok(window.hasMore);
});

test('window: a URL that was forgotten and named again at the same place is the later one', () => {
  const window = new Window(HOST, 'all');
  window.add({ ...waiting(1, 5), job: 3 }, KEEP);
  window.add({ ...waiting(1, 5), job: 4 }, KEEP);
  window.beginRefill();
  assert.deepEqual([window.size, window.take()?.job], [1, 4]);
  const partial = new Window(HOST, 'nothing');
  partial.beginRefill();
  partial.add({ ...waiting(1, 5), job: 4 }, KEEP);
  partial.refill([{ ...waiting(1, 5), job: 3 }], ASKED, none);
  assert.deepEqual([partial.size, partial.take()?.job], [1, 4], 'the store was read before');
});
