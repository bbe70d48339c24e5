import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Scrape } from '../../test/kit/prometheus.ts';
import { count, counter, counts, expose, gauge, Histogram, histogram, labelled } from './index.ts';

test('text: a family is its help, its type and a line for each sample', () => {
  const fetches = { '2xx': 3, '4xx': 0 };
  const text = expose([
    counter('orb_fetches_total', 'Requests made.', labelled('class', fetches)),
    gauge('orb_open', 'Open now.', 2.5),
  ]);
  const lines = [
    '# HELP orb_fetches_total Requests made.',
    '# TYPE orb_fetches_total counter',
    'orb_fetches_total{class="2xx"} 3',
    'orb_fetches_total{class="4xx"} 0',
    '# HELP orb_open Open now.',
    '# TYPE orb_open gauge',
    'orb_open 2.5',
    '',
  ];
  assert.equal(text, lines.join('\n'));
});

test('text: numbers without an end have the names that a reader knows', () => {
  const values = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e21, 5e-9];
  const samples = values.map((value, i) => ({ value, labels: { i: String(i) } }));
  const told = expose([gauge('orb_x', 'x', samples)]).match(/(?<=} ).*/g);
  assert.deepEqual(told, ['+Inf', '-Inf', 'NaN', '1e+21', '5e-9']);
});

test('text: whatever stands in a label or a help text, no line begins in it, and it is read back', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\r', '{', '}', '#', ' ', 'n', ',', '=') }),
    fc.constant('x"} 1\norb_fetches_total{class="2xx"} 999999\n# TYPE orb_y counter'),
  );
  fc.assert(
    fc.property(hostile, hostile, (help, value) => {
      const text = expose([
        gauge('orb_x', `X ${help}`, [{ value: 1, labels: { a: value, b: 'last' } }]),
      ]);
      assert.equal(text.split(/[\n\r]/).length, 4, 'three lines and the end');
      const read = new Scrape(text);
      assert.deepEqual([...read.families.keys()], ['orb_x']);
      const labels = { a: value.replaceAll('\r', ' '), b: 'last' };
      assert.deepEqual(read.families.get('orb_x')?.metrics, [{ value: '1', labels }]);
    }),
  );
});

test('text: names that are no names, totals that may fall and families told twice are refused', () => {
  assert.throws(() => expose([gauge('orb x', 'x', 1)]), /is a name/);
  assert.throws(() => expose([gauge('orb_x', 'x', [{ value: 1, labels: { 'a"': '' } }])]), /label/);
  assert.throws(() => counter('orb_x', 'x', 1), /is a total/);
  assert.throws(() => gauge('orb_x_total', 'x', 1), /no total/);
  assert.throws(() => expose([gauge('orb_x', 'x', 1), gauge('orb_x', 'y', 2)]), /its own/);
});

test('text: a family without a sample is left out', () => {
  assert.equal(expose([gauge('orb_x', 'x', [])]), '');
});

test('counts: words of the set stand at 0, any other counts as other and makes no series', () => {
  const all = counts(['dns', 'tls']);
  for (const word of ['dns', 'dns', '__proto__', 'toString', 'x"\norb_y 1']) count(all, word);
  assert.deepEqual({ ...all }, { dns: 2, tls: 0, other: 3 });
  assert.equal(labelled('reason', all).length, 3);
});

test('histogram: each bucket holds all that is at most its bound, the last everything', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: -5, max: 50, noNaN: true })), (values) => {
      const observed = new Histogram([0, 1, 5, 10]);
      for (const value of values) observed.observe(value);
      const read = new Scrape(expose([histogram('orb_h', 'h', observed)])).histogram('orb_h');
      for (const bound of [0, 1, 5, 10]) {
        assert.equal(read.buckets[bound], values.filter((value) => value <= bound).length);
      }
      assert.equal(read.buckets['+Inf'], values.length);
      assert.equal(read.count, values.length);
      const sum = values.reduce((sofar, value) => sofar + value, 0);
      assert.equal(read.sum, sum);
    }),
  );
});

test('histogram: what is no number is not observed', () => {
  const observed = new Histogram([1]);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1]) observed.observe(value);
  assert.deepEqual(
    observed.samples().map(({ value }) => value),
    [1, 1, 1, 1],
  );
});

test('histogram: bounds that do not rise are refused', () => {
  assert.throws(() => new Histogram([1, 1]), /rise/);
  assert.throws(() => new Histogram([]), /bounds/);
});
