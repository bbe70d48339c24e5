/** Tokens are kept as hashes and found by them alone (A3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findToken, mayDo, newTokenEntry, parseTokens, writeTokens } from './tokens.ts';

const AT = '2026-01-01T00:00:00.000Z';
const entry = newTokenEntry('ci', ['operate'], 'a-secret', AT);

test('tokens: a file holds no token, and finds its owner', () => {
  const text = writeTokens([entry, newTokenEntry('other', ['read'], 'b-secret', AT)]);
  assert.ok(!text.includes('a-secret'));
  const tokens = parseTokens(text, 'tokens.json');
  assert.equal(findToken(tokens, 'a-secret')?.name, 'ci');
  assert.equal(findToken(tokens, 'a-secret2'), undefined);
  assert.equal(findToken(tokens, ''), undefined);
  assert.equal(findToken([], 'a-secret'), undefined);
});

test('tokens: who operates may read, and not comply', () => {
  assert.deepEqual(
    (['read', 'operate', 'comply'] as const).map((role) => mayDo(entry, role)),
    [true, true, false],
  );
});

test('tokens: a file that is damaged is refused, none is no token', () => {
  assert.deepEqual(parseTokens(undefined, 'x'), []);
  const bad = ['', '{}', '{"tokens":[{}]}', '{"tokens":[null]}', '{"tokens":{}}', 'null'];
  const hash = 'ab'.repeat(32);
  bad.push(`{"tokens":[{"name":"a","roles":["root"],"sha256":"${hash}"}]}`);
  for (const text of bad) assert.throws(() => parseTokens(text, 'x'), { code: 'E_CONFIG' }, text);
});
