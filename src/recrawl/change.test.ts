import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankRecord, type UrlRecord } from '../record/index.ts';
import { changeBetween, changeSince } from './index.ts';

const SINCE = 1_000;
const hash = (n: number) => Buffer.alloc(32, n);

function page(more: Partial<UrlRecord> = {}): UrlRecord {
  const seen = { state: 'indexed', httpStatus: 200, visits: 2, lastChangedAt: 500 } as const;
  return { ...blankRecord('http://a.example/', 400), ...seen, contentHash: hash(1), ...more };
}

test('since: a page that was found, changed, left or moved after the instant, and no other', () => {
  const kind = (more: Partial<UrlRecord>) => changeSince(page(more), SINCE)?.change;
  assert.equal(kind({}), undefined, 'as it was');
  assert.equal(kind({ firstSeenAt: 2_000, lastChangedAt: 2_000, changes: 3 }), 'new');
  assert.equal(kind({ lastChangedAt: 2_000, changes: 0 }), 'new', 'known, but first visited now');
  assert.equal(kind({ lastChangedAt: 2_000, changes: 1 }), 'changed');
  assert.equal(kind({ lastChangedAt: 2_000, changes: 1, state: 'dead', httpStatus: 410 }), 'gone');
  assert.equal(kind({ lastChangedAt: 900, state: 'dead' }), undefined, 'gone before');
  assert.equal(
    kind({ lastChangedAt: 2_000, changes: 1, redirectTo: 'http://b.example/' }),
    'moved',
  );
  assert.equal(kind({ lastChangedAt: 2_000, redirectTo: 'http://b.example/' }), undefined);
  assert.equal(kind({ lastChangedAt: 2_000, state: 'retrying' }), undefined, 'only out of reach');
  assert.equal(kind({ lastChangedAt: 2_000, visits: 0, state: 'dead' }), undefined, 'never was');
});

test('between two crawls: the same four, and noise is none', () => {
  const kind = (before?: UrlRecord, after?: UrlRecord) => changeBetween(before, after)?.change;
  const other = page({ contentHash: hash(2), simhash: 0b1111_0000n });
  assert.equal(kind(page(), page()), undefined);
  assert.equal(kind(undefined, page()), 'new');
  assert.equal(kind(page({ simhash: 1n << 60n }), other), 'changed');
  assert.equal(kind(page({ simhash: 0b1111_0001n }), other), undefined, 'a clock on the page');
  assert.equal(kind(page(), page({ state: 'dead' })), 'gone');
  assert.equal(kind(page(), undefined), 'gone');
  assert.equal(kind(page(), page({ state: 'failed' })), undefined, 'only out of reach');
  assert.equal(kind(page(), page({ redirectTo: 'http://b.example/' })), 'moved');
  assert.equal(kind(page({ state: 'dead' }), page()), 'new');
  assert.equal(kind(undefined, undefined), undefined);
});
