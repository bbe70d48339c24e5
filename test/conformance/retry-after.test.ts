/**
 * Retry-After and HTTP dates against other projects' cases (../shared/conformance/http,
 * SOURCE.md there). All are demanded.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseHttpDate } from '../../src/fetch/http-date.ts';
import { parseRetryAfter } from '../../src/fetch/retry-after.ts';

const FOLDER = new URL('../../../shared/conformance/http/', import.meta.url);
const missing = existsSync(FOLDER) ? false : 'no ../shared/conformance/http beside the project';
const skip = process.env.CI === 'true' ? false : missing;
/** RFC 850 years need a present; the cases are from this time. */
const NOW = Date.UTC(2026, 0, 1);

function read<T>(file: string): T {
  assert.equal(missing, false, String(missing));
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T;
}

interface RetryCase {
  readonly id: string;
  readonly name: string;
  readonly retryAfter: string;
  readonly now: string;
  readonly expectedDelaySeconds: number | null;
  readonly minDelaySeconds?: number;
}

test('retry-after: every case gives its delay or nothing', { skip }, () => {
  const { parse } = read<{ parse: RetryCase[] }>('retry-after.json');
  assert.ok(parse.length > 0);
  for (const row of parse) {
    const saw = parseRetryAfter(row.retryAfter, Date.parse(row.now));
    const what = `${row.id} ${row.name}: ${saw}`;
    if (row.minDelaySeconds !== undefined) {
      assert.ok(saw !== undefined && saw >= row.minDelaySeconds * 1_000, what);
    } else {
      const want = row.expectedDelaySeconds === null ? undefined : row.expectedDelaySeconds * 1_000;
      assert.equal(saw, want, what);
    }
  }
});

test('http dates: the three formats and nothing else', { skip }, () => {
  const rows = read<{ id: string; value: string; expected: string | null }[]>('http-date.json');
  assert.ok(rows.length > 0);
  for (const { id, value, expected } of rows) {
    const want = expected === null ? undefined : Date.parse(expected);
    assert.equal(parseHttpDate(value, NOW), want, `${id} ${value}`);
  }
});
