import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome } from '../fetch/index.ts';
import { OnTheWire } from './on-the-wire.ts';

const ABORTED: Outcome = {
  kind: 'failed',
  reason: 'aborted',
  phase: 'connect',
  afterMs: 1,
  detail: '',
} as never;

/** Ends when it is broken off, and notes it. */
function asking(ended: string[], url: string) {
  return (signal: AbortSignal) =>
    new Promise<Outcome>((resolve) => {
      const end = () => {
        ended.push(url);
        resolve(ABORTED);
      };
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
}

test('on the wire: what is denied is broken off and waited for, the others go on', async () => {
  const wire = new OnTheWire();
  const run = new AbortController();
  const ended: string[] = [];
  const sent = ['a', 'b', 'c'].map((url) => wire.send(url, run.signal, asking(ended, url)));
  await wire.breakOff((url) => url !== 'b');
  assert.deepEqual(ended, ['a', 'c']);
  run.abort();
  await Promise.all(sent);
  assert.deepEqual(ended, ['a', 'c', 'b'], 'the end of the run ends them all');
});

test('on the wire: a run that is over sends nothing that lasts', async () => {
  const ended: string[] = [];
  await new OnTheWire().send('a', AbortSignal.abort(), asking(ended, 'a'));
  assert.deepEqual(ended, ['a']);
});
