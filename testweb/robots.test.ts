/** What robots.txt says and what the truth believes of it must be the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRules } from './brute-crawl.ts';
import type { Host } from './hosts.ts';
import { pathOf, zoneOf } from './resources.ts';
import { ROBOTS_BIG_BYTES, robotsBody } from './robots.ts';
import { forbids, hasLines, shutsOut } from './robots-kind.ts';
import { openWeb } from './web.ts';

const web = openWeb({ seed: 9, hosts: 400, pages: 30_000 });
const kinds = new Map(web.hosts.map((host) => [host.robots, host]));

test('robots: a web of 400 hosts has every kind but the one that never answers', () => {
  assert.deepEqual([...kinds.keys()].sort(), [
    'agent-open',
    'agent-shut',
    'big',
    'delayed',
    'denied',
    'down',
    'html',
    'none',
    'open',
    'quirky',
    'redirected',
    'sections',
  ]);
  const slow = openWeb({ seed: 9, hosts: 400, pages: 800, features: ['robots-timeout'] });
  assert.ok(slow.hosts.some((host) => host.robots === 'timeout'));
});

test('robots: the printed rules forbid what the truth forbids, for us and for others', () => {
  const zones = new Set<string>();
  for (const host of web.hosts) {
    if (!hasLines(host.robots) && !host.robots.startsWith('agent-')) continue;
    const body = robotsBody(host, 1)
      .slice(0, 500 * 1024)
      .replace('\ufeff', '');
    for (const agent of ['orbweaver', 'somebody']) {
      const rules = parseRules(body, agent);
      for (let page = 0; page < Math.min(host.size, 200); page++) {
        const zone = zoneOf(host, page);
        zones.add(zone);
        const url = host.origin + pathOf(host, page);
        assert.equal(rules.allows(url), !forbids(host.robots, zone, agent), `${agent} ${url}`);
      }
    }
  }
  assert.equal(zones.size, 5);
});

test('robots: each kind answers robots.txt in its own way', () => {
  const ask = (host: Host, path = '/robots.txt') =>
    web.answer({ url: host.origin + path, method: 'GET', headers: {}, atMs: 0 });
  const statuses = { none: 404, denied: 403, down: 500, html: 200, redirected: 301, open: 200 };
  for (const [kind, status] of Object.entries(statuses)) {
    assert.equal(ask(kinds.get(kind as 'none')!).status, status, kind);
  }
  const moved = kinds.get('redirected')!;
  assert.equal(ask(moved).headers.location, `${moved.origin}/robots-2.txt`);
  assert.equal(ask(moved, '/robots-2.txt').headers.location, '/robots-real.txt');
  assert.equal(ask(moved, '/robots-real.txt').status, 200);
  assert.ok(robotsBody(kinds.get('big')!, 1).length > ROBOTS_BIG_BYTES);
  assert.match(robotsBody(kinds.get('delayed')!, 3), /Crawl-delay: 3/);
});

test('robots: no other host hangs on one that shuts a crawler out', () => {
  const shut = web.hosts.filter((host) => shutsOut(host.robots));
  assert.ok(shut.length > 5);
  const roots = new Set(
    [...web.truth().urls('page')].filter((url) => new URL(url).pathname === '/'),
  );
  for (const host of web.hosts.filter((one) => one.trunk)) assert.ok(roots.has(`${host.origin}/`));
});
