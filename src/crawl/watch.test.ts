import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rules } from '../comply/index.ts';
import { FLAGS, queuedRecord } from '../record/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Watch } from './watch.ts';

const SAID = { reason: 'r', by: 'b', at: '2026-11-15T00:00:00.000Z' };

function endingOf(url: string, flags = 0) {
  const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, 1);
  const record = queuedRecord(waiting);
  return {
    settled: { waiting, record },
    before: { ...record, flags, contentHash: Buffer.alloc(32, 'x') },
  };
}

test('watch: a visit that overtakes an erasure is counted, and what it had is named', () => {
  const denials = new Rules();
  denials.add({ kind: 'host', value: 'gone.example', erases: true, ...SAID });
  denials.add({ kind: 'host', value: 'blocked.example', erases: false, ...SAID });
  const watch = new Watch();
  const urls = ['http://gone.example/1', 'http://blocked.example/', 'http://other.example/'];
  watch.noteOvertaken(
    [...urls.map((url) => endingOf(url)), endingOf('http://gone.example/2', FLAGS.erased)],
    denials,
  );
  assert.equal(watch.overtaken.size, 1, 'not what stays, and not what was erased before');
  assert.deepEqual([...watch.left], [Buffer.alloc(32, 'x').toString('hex')]);
});
