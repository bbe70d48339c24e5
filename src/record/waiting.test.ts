import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../base/instant.ts';
import {
  admittedAtOf,
  decodeWaiting,
  encodeWaiting,
  GAIN_PER_DAY,
  KINDS,
  NO_BYTES,
  packedKey,
  packWaiting,
  quantised,
  queuedRecord,
  RANK_MAX,
  rankInPacked,
  rankOf,
  unpackWaiting,
  urlKeyOf,
} from './index.ts';

const STEP_MS = DAY_MS / 262_144;
const priorities = fc.double({ min: 0, max: 1, noNaN: true }).map(quantised);
const instants = fc.integer({ min: Date.UTC(2020, 0, 2), max: Date.UTC(2060, 0, 1) });

test('rank: the order of two URLs is that of their aged priorities, on every day alike', () => {
  fc.assert(
    fc.property(priorities, instants, priorities, instants, fc.nat(3650), (p, t, q, u, days) => {
      const at = Math.max(t, u) + days * DAY_MS;
      const aged = (priority: number, since: number) =>
        priority + (GAIN_PER_DAY * (at - since)) / DAY_MS;
      const lead = aged(p, t) - aged(q, u);
      fc.pre(Math.abs(lead) > (2 * GAIN_PER_DAY * STEP_MS) / DAY_MS);
      assert.equal(rankOf(p, t) < rankOf(q, u), lead > 0);
    }),
  );
});

test('rank: equal priorities go first come, first served', () => {
  const at = Date.UTC(2026, 0, 1);
  assert.ok(rankOf(0.5, at) < rankOf(0.5, at + 2 * STEP_MS));
  assert.equal(rankOf(0.5, at), rankOf(0.5, at));
});

test('rank: fits 32 bits whatever the day, and is a whole number', () => {
  const days = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), days, (priority, at) => {
      const rank = rankOf(priority, at);
      assert.ok(Number.isInteger(rank) && rank >= 0 && rank <= RANK_MAX);
    }),
  );
});

test('rank: with the priority it gives back the instant of admission, to within half a step', () => {
  fc.assert(
    fc.property(priorities, instants, (priority, at) => {
      const back = admittedAtOf({ rank: rankOf(priority, at), priority });
      assert.ok(Math.abs(back - at) <= STEP_MS / 2 + 1, `${back - at} ms off`);
    }),
  );
});

test('priority: kept in steps, so that quantising twice changes nothing', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (priority) => {
      const once = quantised(priority);
      assert.ok(once >= 0 && once <= 1);
      assert.equal(quantised(once), once);
      if (priority >= 0 && priority <= 1) assert.ok(Math.abs(once - priority) <= 0.002);
    }),
  );
});

const urls = fc.nat(1_000).map((n) => `http://h${n % 5}.example/${n}`);
const rows = fc.record(
  {
    ...{ url: urls, parent: fc.oneof(fc.constant(''), urls), kind: fc.constantFrom(...KINDS) },
    ...{ priority: priorities, rank: fc.nat(RANK_MAX), again: fc.boolean() },
    ...{ depth: fc.nat(500), hops: fc.nat(9), outside: fc.nat(9), fails: fc.nat(300) },
    claim: fc.integer({ min: 1, max: 0xffff }),
    job: fc.integer({ min: 1 }),
  },
  {
    requiredKeys: [
      ...(['url', 'parent', 'kind', 'priority', 'rank', 'again', 'depth', 'hops'] as const),
      ...(['outside', 'fails'] as const),
    ],
  },
);

test('waiting: a row gives back the URL, whether its parent is near, far or none', () => {
  fc.assert(
    fc.property(rows, ({ parent, ...fields }) => {
      const parentKey = parent === '' ? NO_BYTES : urlKeyOf(parent);
      const waiting = { ...fields, key: urlKeyOf(fields.url), parent: parentKey };
      const back = decodeWaiting(waiting.key, waiting.rank, encodeWaiting(waiting));
      assert.deepEqual(
        { ...back, parent: Buffer.from(back.parent) },
        {
          ...waiting,
          parent: Buffer.from(parentKey),
        },
      );
    }),
  );
});

test('packed: a string gives back the URL, its key and its place in the order', () => {
  const hosts = fc.constantFrom('h.example', 'h.example:8080', '[::1]');
  const paths = fc.oneof(fc.webPath(), fc.string({ unit: 'binary' })).map((path) => `/${path}`);
  const schemes = fc.constantFrom('http', 'https');
  fc.assert(
    fc.property(rows, schemes, hosts, paths, fc.boolean(), (row, scheme, host, path, hasNear) => {
      const { parent, ...fields } = row;
      const url = `${scheme}://${host}${path}`;
      const parentKey = parent === '' ? NO_BYTES : urlKeyOf(hasNear ? url : parent);
      const waiting = { ...fields, url, key: urlKeyOf(url), parent: parentKey };
      const packed = packWaiting(waiting, host);
      const place = waiting.key.toString('latin1', 0, 8);
      assert.equal(rankInPacked(packed), waiting.rank);
      assert.deepEqual(packedKey(packed, place), waiting.key);
      assert.deepEqual(
        { ...unpackWaiting(packed, host, place), parent: 0 },
        { ...waiting, parent: 0 },
      );
      const back = unpackWaiting(packed, host, place).parent;
      assert.deepEqual(Buffer.from(back), Buffer.from(parentKey));
    }),
  );
});

test('waiting: a queued URL’s record says what is known so far', () => {
  const url = 'http://h.example/a';
  const at = Date.UTC(2026, 0, 1);
  const record = queuedRecord({
    ...{ key: urlKeyOf(url), url, kind: 'sitemap', rank: rankOf(0.4, at), priority: 0.4 },
    ...{ depth: 3, hops: 1, outside: 2, parent: urlKeyOf(url), fails: 0, again: false },
  });
  assert.deepEqual(
    [record.state, record.kind, record.depth, record.hops, record.outside, record.lastFetchedAt],
    ['queued', 'sitemap', 3, 1, 2, 0],
  );
  assert.ok(Math.abs(record.firstSeenAt - at) < STEP_MS);
});
