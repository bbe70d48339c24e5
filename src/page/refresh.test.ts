import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRefresh } from './refresh.ts';

test('refresh: delay and target come out of the usual forms', () => {
  assert.deepEqual(parseRefresh('5; url=next.html'), { delaySeconds: 5, href: 'next.html' });
  assert.deepEqual(parseRefresh("0;URL='/a b'x"), { delaySeconds: 0, href: '/a b' });
  assert.deepEqual(parseRefresh('3.9, next'), { delaySeconds: 3, href: 'next' });
  assert.deepEqual(parseRefresh('7'), { delaySeconds: 7, href: '' });
});

test('refresh: a value that does not start with a time is none', () => {
  for (const content of ['', 'url=x', '-1; url=x', '1x; url=x']) {
    assert.equal(parseRefresh(content), undefined, content);
  }
});
