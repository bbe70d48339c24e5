import assert from 'node:assert/strict';
import { test } from 'node:test';
import { governs, robotsUrlFor } from './scope.ts';

test('robots.txt of a URL: the top of its origin, without user or path', () => {
  assert.equal(robotsUrlFor('https://u:p@a.example:443/b?c#d'), 'https://a.example/robots.txt');
  assert.equal(robotsUrlFor('http://a.example:8080/'), 'http://a.example:8080/robots.txt');
  for (const url of ['', '/a', 'ftp://a.example/', 'mailto:a@b']) {
    assert.equal(robotsUrlFor(url), undefined);
  }
});

test('scope: scheme, host and port all count', () => {
  const robots = 'https://a.example/robots.txt';
  assert.equal(governs(robots, 'https://a.example:443/x'), true);
  for (const url of [
    'http://a.example/x',
    'https://b.a.example/',
    'https://a.example:8443/',
    '/x',
  ]) {
    assert.equal(governs(robots, url), false);
  }
});
