import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityDifferences, identityOf } from './identity.ts';
import { isRefusal, resolveSettings } from './resolve.ts';
import type { Settings } from './settings.ts';

function settingsOf(...argv: string[]): Settings {
  const result = resolveSettings({ argv });
  assert.ok(!isRefusal(result));
  return result.settings;
}

test('identity: a limit, a rate or an output makes no other crawl', () => {
  const plain = identityOf(settingsOf());
  const other = identityOf(settingsOf('--limit', '3', '--rate', '2', '--json', '--timeout', '5s'));
  assert.deepEqual(identityDifferences(plain, other), []);
});

test('identity: depth and scope do, and the difference names both values', () => {
  const folder = identityOf(settingsOf('--depth', '3', '--include', 'a', '--include', 'b'));
  const now = identityOf(settingsOf('--depth', '4', '--scope', 'any', '--include', 'a'));
  assert.deepEqual(
    identityDifferences(folder, now).map(({ flag, was, now }) => [flag, was, now]),
    [
      ['--depth', '3', '4'],
      ['--scope', 'host', 'any'],
      ['--include', 'a\nb', 'a'],
    ],
  );
});

test('identity: it survives JSON, and a folder from before a setting existed had its default', () => {
  const folder = JSON.parse(JSON.stringify(identityOf(settingsOf()))) as Record<string, string>;
  delete folder['scope.extraHops'];
  assert.deepEqual(identityDifferences(folder, identityOf(settingsOf())), []);
  const [difference] = identityDifferences(folder, identityOf(settingsOf('--extra-hops', '1')));
  assert.deepEqual(difference, {
    key: 'scope.extraHops',
    flag: '--extra-hops',
    was: '0',
    now: '1',
  });
});
