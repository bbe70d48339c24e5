import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { blankRecord, FLAGS } from '../record/index.ts';
import { truncation } from './capture.ts';

/** The sentences that the crawl writes into records, from where it has them. */
function cutReasons(): Map<string, string> {
  const source = readFileSync(new URL('../content/visited.ts', import.meta.url), 'utf8');
  const table = source.slice(source.indexOf('const CUT_REASONS'));
  const rows = table.slice(0, table.indexOf('};')).matchAll(/'([a-z-]+)': '([^']+)'/g);
  return new Map([...rows].map(([, how = '', reason = '']) => [how, reason]));
}

test('truncation: every way in which an answer is cut has the word that WARC has for it', () => {
  const words = {
    'body-limit': 'length',
    'time-limit': 'time',
    'connection-closed': 'disconnect',
    'length-mismatch': 'disconnect',
    'broken-framing': 'unspecified',
    'unwanted-type': 'unspecified',
    'decoded-limit': 'length',
  };
  const record = { ...blankRecord('http://h.example/', 0), flags: FLAGS.truncated };
  const found = [...cutReasons()].map(([how, reason]) => [how, truncation({ ...record, reason })]);
  assert.deepEqual(Object.fromEntries(found), words);
  assert.equal(truncation({ ...record, flags: 0 }), undefined);
});
