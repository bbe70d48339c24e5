import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textWidth } from './format-width.ts';
import { type Progress, progressLines } from './progress.ts';

const RUNNING: Progress = {
  elapsedMs: 99_000,
  pages: 1_234,
  pagesPerSecond: 12.5,
  bytes: 35_756_441,
  queue: 20_114,
  hostsWaiting: 48,
  hostsReady: 12,
  inFlight: 10,
  errors: { dns: 3, 'whole-timeout': 1, closed: 0 },
  limit: 5_000,
  etaMs: 301_000,
  statusMix: { '404': 12, '200': 1_190, '301': 32 },
  draining: false,
  recent: ['https://a.example/1', 'https://b.example/2', 'https://c.example/3'],
};

test('progress: six lines say all that a person asks', () => {
  assert.deepEqual(progressLines(RUNNING, 100, false), [
    '1,234 of 5,000 pages · 12.5/s · 34.1 MB · 1 m 39 s · about 5 m 01 s left',
    'queue   20,114 URLs · hosts 12 ready, 48 waiting for their turn · 10 under way',
    'status  200: 1,190  301: 32  404: 12',
    'errors  dns: 3  whole-timeout: 1',
    'last    https://a.example/1',
    '        https://b.example/2',
  ]);
});

test('progress: without a limit there is no bound, and no errors make no line', () => {
  const { limit: _limit, etaMs: _eta, ...open } = RUNNING;
  const lines = progressLines({ ...open, errors: {}, statusMix: {}, recent: [] }, 100, false);
  assert.deepEqual(lines, [
    '1,234 pages · 12.5/s · 34.1 MB · 1 m 39 s',
    'queue   20,114 URLs · hosts 12 ready, 48 waiting for their turn · 10 under way',
  ]);
});

test('progress: while draining it says so in place of the time left', () => {
  const [head] = progressLines({ ...RUNNING, draining: true }, 100, false);
  assert.match(head ?? '', /stopping/);
  assert.doesNotMatch(head ?? '', /left/);
});

test('progress: while nothing may be asked it says for how long, in place of the time left', () => {
  const [head] = progressLines({ ...RUNNING, pauseMs: 24_300 }, 80, false);
  assert.match(head ?? '', / · 1 m 39 s · next request in 24 s$/);
});

test('progress: more kinds than fit are summed up', () => {
  const errors = Object.fromEntries(Array.from('abcdefgh', (kind, index) => [kind, index + 1]));
  const lines = progressLines({ ...RUNNING, errors }, 100, false);
  assert.match(lines[3] ?? '', /^errors {2}h: 8 .* c: 3 {2}others: 3$/);
});

test('progress: a hostile address cannot move the cursor', () => {
  const lines = progressLines({ ...RUNNING, recent: ['\u001b[2J\nhttp://x/'] }, 100, false);
  assert.doesNotMatch(lines.join(''), /\p{Cc}/u);
});

test('progress: colour is there when asked for and only then', () => {
  assert.ok(progressLines(RUNNING, 100, true).join('').includes('\u001b['));
  assert.ok(!progressLines(RUNNING, 100, false).join('').includes('\u001b'));
});

test('progress: no line is wider than the terminal, whatever the numbers', () => {
  const number = fc.oneof(fc.double(), fc.nat());
  const counts = fc.dictionary(fc.string(), fc.nat());
  const progress = fc.record({
    elapsedMs: number,
    pages: number,
    pagesPerSecond: number,
    bytes: number,
    queue: number,
    hostsWaiting: number,
    hostsReady: number,
    inFlight: number,
    errors: counts,
    statusMix: counts,
    draining: fc.boolean(),
    recent: fc.array(fc.string({ unit: 'binary' })),
  });
  fc.assert(
    fc.property(progress, fc.integer({ min: 20, max: 200 }), fc.boolean(), (p, width, color) => {
      const lines = progressLines(p, width, color);
      assert.ok(lines.length >= 2 && lines.length <= 6);
      for (const line of lines) assert.ok(textWidth(line) <= width, line);
    }),
  );
});
