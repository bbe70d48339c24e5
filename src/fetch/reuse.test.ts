import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reusableMs } from './reuse.ts';

const NOW = Date.UTC(2026, 0, 2);
const HOUR_MS = 3_600_000;

test('reuse: as long as the server says, and at most a day', () => {
  const of = (control: string) => reusableMs(200, { 'cache-control': control }, true, NOW);
  assert.equal(of('public, max-age=3600'), HOUR_MS);
  assert.equal(of('max-age=31536000, immutable'), 24 * HOUR_MS);
  assert.equal(of('max-age=0'), 0);
  for (const no of ['no-store', 'no-cache', 'private, max-age=60']) assert.equal(of(no), 0, no);
});

test('reuse: Expires where there is no max-age; one that is no date is past', () => {
  const of = (expires: string) => reusableMs(200, { expires }, true, NOW);
  assert.equal(of(new Date(NOW + HOUR_MS).toUTCString()), HOUR_MS);
  assert.equal(of(new Date(NOW - HOUR_MS).toUTCString()), 0);
  assert.equal(of('0'), 0);
});

test('reuse: of what nothing is said, code is kept for minutes and data not at all', () => {
  assert.ok(reusableMs(200, {}, true, NOW) > 0);
  assert.equal(reusableMs(200, {}, false, NOW), 0);
  assert.equal(reusableMs(404, {}, true, NOW), 0);
  assert.equal(reusableMs(200, { vary: '*' }, true, NOW), 0);
});
