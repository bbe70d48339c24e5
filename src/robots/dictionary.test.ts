import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDictionary } from './dictionary.ts';

const read = (text: string) => {
  const found = parseDictionary(text);
  return found && Object.fromEntries(found);
};

test('dictionary: tokens have a value, every other type of RFC 9651 is there without one', () => {
  assert.deepEqual(read(''), {});
  assert.deepEqual(read('train-ai=n, search=y'), { 'train-ai': 'n', search: 'y' });
  assert.deepEqual(read('  a=*tok:/en \t,\t b  '), { a: '*tok:/en', b: undefined });
  const others =
    'i=-12, d=1.25, s="a \\"b\\\\", b=:aGk=:, t=?1, at=@1659578233, u=%"f%c3%bc", l=(a "b";x 1)';
  const found = read(others);
  assert.deepEqual(Object.keys(found ?? {}), ['i', 'd', 's', 'b', 't', 'at', 'u', 'l']);
  assert.deepEqual(new Set(Object.values(found ?? {})), new Set([undefined]));
});

test('dictionary: the last of a name counts, and parameters are passed over', () => {
  assert.deepEqual(read('train-ai;allow=n, train-ai=y'), { 'train-ai': 'y' });
  assert.deepEqual(read('train-ai=y, train-ai, search=n, search="n"'), {
    'train-ai': undefined,
    search: undefined,
  });
  assert.deepEqual(read('train-ai;has;parameters="?", a=b; c=1.5;d'), {
    'train-ai': undefined,
    a: 'b',
  });
});

test('dictionary: one wrong character and nothing was said', () => {
  const broken = ['a=', 'A=y', 'a=y,', 'a=y b=n', ',', 'a==y', 'a=y,,b=n', 'a="x', 'a=(b', 'a=1.'];
  broken.push('a=1234567890123456', 'a=y;', 'a=y;=1', 'a=(b"c")', 'a=é', 'a=?2', 'a = y', '\ta=y');
  for (const text of broken) assert.equal(read(text), undefined, text);
});

test('property: what is written as a dictionary is read back, and any text is survived', () => {
  const key = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,8}$/);
  const token = fc.stringMatching(/^[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]{0,8}$/);
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, token), { selector: ([name]) => name }), (pairs) => {
      const text = pairs.map(([name, value]) => `${name}=${value}`).join(', ');
      assert.deepEqual([...(parseDictionary(text) ?? [])], pairs);
    }),
  );
  const unit = fc.constantFrom(
    'a',
    '=',
    ',',
    ';',
    '(',
    ')',
    '"',
    '\\',
    ' ',
    '\t',
    '1',
    '.',
    '%',
    '?',
    ':',
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.string(), (units, tail) => {
      const found = parseDictionary(units.join('') + tail);
      assert.ok(found === undefined || found.size >= 0);
    }),
  );
});

test('dictionary: 500,000 characters of anything are read in passing', () => {
  for (const unit of ['a;b', 'a=(', 'a="', '%"', ' ', 'a,', 'a=1', '(a ', 'a=%"%']) {
    const started = process.cpuUsage().user;
    parseDictionary(unit.repeat(500_000 / unit.length));
    assert.ok(process.cpuUsage().user - started < 1_000_000, unit);
  }
});
