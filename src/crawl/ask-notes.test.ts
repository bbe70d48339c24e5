import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeSketch, HostSketch, type Verdict } from '../quality/index.ts';
import { notesOf } from './ask-notes.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const H = 'https://example.com';

const VERDICT: Verdict = {
  ...{ level: 0, key: '/cal/*', kind: 'endless', reason: 'it only goes on', at: NOW },
  ...{ fetched: 300, skipped: 7, parametersMax: 2, probeAt: NOW + 5, probesLeft: 3 },
  ...{ probesGood: 0, probesDone: 0 },
};

function sketchOf(fill: (sketch: HostSketch) => void) {
  const sketch = new HostSketch();
  fill(sketch);
  return notesOf(encodeSketch(sketch));
}

test('notes: a verdict is told of the URLs that it is about, and of no other', () => {
  const notes = sketchOf((sketch) => sketch.addVerdict(VERDICT));
  assert.equal(notes.traps.length, 1);
  assert.deepEqual(notes.about(`${H}/cal/77`), {
    trap: {
      ...{ shape: '/cal/*', kind: 'endless', reason: 'it only goes on', since: NOW },
      ...{ fetched: 300, skipped: 7, lookAt: NOW + 5, parametersMax: 0 },
    },
  });
  assert.deepEqual(notes.about(`${H}/about`), {});
});

test('notes: combinations of filters are told from the number that is cut off', () => {
  const facets = { ...VERDICT, level: 1, key: '/shop?', kind: 'facets' } as const;
  const notes = sketchOf((sketch) => sketch.addVerdict(facets));
  assert.equal(notes.about(`${H}/shop?a=1&b=2&c=3`).trap?.parametersMax, 2);
  assert.equal(notes.about(`${H}/shop?a=1&b=2`).trap, undefined);
});

test('notes: soft 404s, farms and circles are the whole host’s', () => {
  const notes = sketchOf((sketch) => {
    sketch.soft404 = { since: NOW, reason: 'one body' };
    sketch.farm = { since: NOW, reason: 'many copies' };
    sketch.noteLoop(`${H}/round`);
  });
  const about = notes.about(`${H}/round`);
  assert.deepEqual([about.soft404?.reason, about.farm?.reason], ['one body', 'many copies']);
  assert.equal(about.isLoop, true);
  assert.equal(notes.about(`${H}/x`).isLoop, undefined);
});

test('notes: no sketch, or a damaged one, notes nothing', () => {
  for (const bytes of [new Uint8Array(0), Buffer.from([1, 9, 9]), Buffer.alloc(50, 255)]) {
    assert.deepEqual(notesOf(bytes).about(`${H}/`), {});
    assert.deepEqual(notesOf(bytes).traps, []);
  }
});
