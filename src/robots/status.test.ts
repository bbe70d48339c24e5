import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAll, disallowAll, robotsFromStatus } from './status.ts';

test('2xx: the rules in the body', () => {
  const robots = robotsFromStatus(200, 'User-agent: *\nDisallow: /a');
  assert.equal(robots.isAllowed('x', 'https://h.example/a').allowed, false);
  assert.equal(robots.isAllowed('x', 'https://h.example/b').allowed, true);
});

test('3xx and 4xx: no rules; 429: as unreachable', () => {
  for (const status of [301, 308, 400, 401, 403, 404, 410, 451, 499]) {
    assert.equal(robotsFromStatus(status), allowAll, String(status));
  }
  assert.equal(robotsFromStatus(429), disallowAll);
});

test('5xx, unreachable and nonsense: nothing but robots.txt may be asked', () => {
  for (const status of [500, 503, 599, 100, 0, 'unreachable'] as const) {
    const robots = robotsFromStatus(status, 'User-agent: *\nAllow: /');
    const verdict = robots.isAllowed('x', 'https://h.example/');
    assert.deepEqual(verdict, { allowed: false, rule: 'robots.txt is unreachable' });
    assert.equal(robots.isAllowed('x', 'https://h.example/robots.txt').allowed, true);
  }
});
