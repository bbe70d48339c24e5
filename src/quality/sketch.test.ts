import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NO_BYTES } from '../record/index.ts';
import { Bits, hash32 } from './bits.ts';
import { familiesOf } from './families.ts';
import { Heavy } from './heavy.ts';
import { noteFetched, regard } from './host-watch.ts';
import { crawlSite } from './site.testkit.ts';
import { besideArticles, TRAP_SITES } from './sites.testkit.ts';
import { HostSketch } from './sketch.ts';
import { decodeSketch, encodeSketch } from './sketch-codec.ts';
import { isDatedAhead, numbersIn, stepOf } from './steps.ts';
import { TRAPS } from './trap-policy.ts';

const H = 'http://h.example';
const NOW = Date.UTC(2026, 5, 1);

test('families: a shape, its kin, and a token where a parameter looks like one', () => {
  const cases: [string, (string | undefined)[]][] = [
    ['/', ['/', '/', undefined]],
    ['/about', ['/about', '/', undefined]],
    ['/wiki/Article-77', ['/wiki/Article-*', '/wiki/**', undefined]],
    ['/list/3?visit=9f31c2ab', ['/list/*?visit=*', '/list/*?', '?visit=']],
    ['/shop?brand=2&color=red', ['/shop?brand=*&color=red', '/shop?', undefined]],
    ['/t/a/b/a/b/a/', ['/t/a/b/a/b/a/', '/t/~', undefined]],
    ['/2024/01/01/01/01/01/01', ['/*/*/*/*/*/*/*', '/*/**', undefined]],
  ];
  for (const [path, keys] of cases) assert.deepEqual(familiesOf(H + path), keys, path);
});

test('families: whatever the URL, keys are short and made without fail', () => {
  const path = fc.oneof(fc.webPath(), fc.string({ unit: 'grapheme', maxLength: 3_000 }));
  fc.assert(
    fc.property(path, fc.string(), (p, query) => {
      for (const key of familiesOf(`${H}/${p}?${query}`)) {
        assert.ok((key ?? '').length <= 150, `${key?.length} characters`);
      }
    }),
  );
});

test('heavy: what makes up a tenth of a stream is in a table of sixteen', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000), { minLength: 50, maxLength: 500 }), (stream) => {
      const heavy = new Heavy<{ weight: number }>(16, () => ({ weight: 0 }));
      for (const [i, n] of stream.entries()) heavy.touch(i % 10 === 0 ? 'often' : `x${n}`);
      assert.ok(heavy.size <= 16);
      assert.ok((heavy.get('often')?.weight ?? 0) >= Math.floor(stream.length / 10));
    }),
  );
});

test('bits: the count of different hashes is right within a tenth', () => {
  const bits = new Bits(1024);
  for (let n = 0; n < 600; n++) for (const text of [`a${n}`, `a${n}`]) bits.add(hash32(text));
  assert.ok(Math.abs(bits.count - 600) < 60, `${bits.count}`);
  assert.equal(new Bits(1024, bits.bytes).count, bits.count);
});

test('steps: a pager takes one step, an encyclopaedia never the same', () => {
  const page = (n: number) => `${H}/archive?page=${n}`;
  const step = (from: string, to: string) => stepOf(numbersIn(from), numbersIn(to), to);
  assert.equal(step(page(7), page(8)), step(page(99), page(100)));
  assert.notEqual(step(page(7), page(8)), step(page(7), page(9)));
  assert.notEqual(step(`${H}/a`, `${H}/b`), step(`${H}/a`, `${H}/c`));
});

test('dates: years ahead are noticed, this year and other numbers are not', () => {
  const ahead = ['/cal/2029/05/', '/cal?month=3&year=2031', '/day/2040-01-01', '/d?date=20330501'];
  const not = ['/cal/2026/05/', '/cal/1999/12/', '/item/2029', '/p/12345678901', '/a?id=203305'];
  for (const path of ahead) assert.ok(isDatedAhead(path, 2026), path);
  for (const path of not.slice(0, 4)) assert.ok(!isDatedAhead(path, 2026), path);
});

test('sketch: ten thousand hostile shapes leave it as small as ever', () => {
  const sketch = new HostSketch();
  for (let n = 0; n < 10_000; n++) {
    const url = `${H}/${'x'.repeat(n % 900)}${String.fromCharCode(97 + (n % 26))}/q${n}z${n}y?a${n}=${n}`;
    regard(sketch, url, undefined, TRAPS);
    const record = { url, depth: 1, contentHash: NO_BYTES, original: NO_BYTES };
    noteFetched(sketch, { record, isCopy: n % 2 === 0 }, TRAPS, NOW);
  }
  for (const level of sketch.levels) assert.ok(level.size <= level.capacity);
  assert.ok(encodeSketch(sketch).length < 100_000, `${encodeSketch(sketch).length} bytes`);
});

test('sketch: what is written is read again, and damage gives an empty one', () => {
  const sketch = new HostSketch();
  for (let n = 0; n < 400; n++) {
    const url = `${H}/list/${n % 5}?visit=aa${n}bb`;
    regard(sketch, url, undefined, TRAPS);
    sketch.notePage([`c${n % 3}`], n % 2 === 0);
  }
  sketch.noteLoop(`${H}/loop`);
  sketch.farm = { since: NOW, reason: 'most of its pages nearly repeat other pages' };
  sketch.probe = { at: NOW, hash: 77, simhash: 2n ** 63n + 1n };
  const row = encodeSketch(sketch);
  const read = decodeSketch(row);
  assert.deepEqual(encodeSketch(read), row);
  assert.deepEqual([read.farm, read.probe, read.pages], [sketch.farm, sketch.probe, 400]);
  assert.ok(read.isLoop(`${H}/loop`) && !read.isLoop(`${H}/other`));
  for (const bad of [NO_BYTES, row.subarray(0, 30), Uint8Array.of(9, 9, 9)]) {
    assert.equal(decodeSketch(bad).pages, 0);
  }
});

test('sketch: a family under watch, on trial and counting comes back as it was', () => {
  const sketch = crawlSite(besideArticles(TRAP_SITES.pager as never, false), {
    depthMax: 10_000,
    fetchesMax: 400,
  }).sketch;
  const read = decodeSketch(encodeSketch(sketch));
  for (const [level, families] of sketch.levels.entries()) {
    for (const [key, family] of families.entries()) {
      if (family.weight >= 8) assert.deepEqual(read.levels[level]?.get(key), family, key);
    }
  }
  assert.ok(sketch.levels[0]?.get('/archive?page=*')?.watch, 'it is under watch');
});

test('loops: targets are remembered, and not without end', () => {
  const sketch = new HostSketch();
  for (let n = 0; n < 1_000; n++) sketch.noteLoop(`${H}/${n}`);
  assert.ok(sketch.isLoop(`${H}/999`));
  assert.ok(sketch.loops.length <= 64);
  assert.equal(regard(sketch, `${H}/999`, undefined, TRAPS), 0);
});
