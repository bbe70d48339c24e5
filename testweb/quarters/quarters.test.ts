/** Every quarter is what it says: walked from its roots by a crawler that knows nothing of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linksIn } from '../brute-crawl.ts';
import type { WebAnswer } from '../exchange.ts';
import { openWeb, type Web } from '../web.ts';
import { parseQuarters } from './order.ts';
import { QUARTERS, type QuarterName, type Quarters, type Role } from './quarter.ts';
import { SOFT_404_ENDS_MS } from './soft-404.ts';

const AT = Date.UTC(2026, 0, 1);
const WALK_MAX = 1_000;
const isTrap = (kind: QuarterName) => /^(calendar|session|facets|loop|pager)/.test(kind);
const TRAPS = QUARTERS.filter(isTrap);

const small = (quarters: Quarters) =>
  openWeb({ seed: 9, hosts: 2, pages: 10, features: 'plain', quarters });
const get = (web: Web, url: string, atMs = AT, headers: Record<string, string> = {}): WebAnswer =>
  web.answer({ url, method: 'GET', headers, atMs });

/** Breadth first from the roots of the quarter, within its hosts, as far as `WALK_MAX`. */
function walk(web: Web, kind: QuarterName): Map<string, WebAnswer> {
  const hosts = web.specials.filter((special) => special.quarter?.kind === kind);
  const found = new Map<string, WebAnswer>();
  const queue = hosts.map((special) => special.root);
  const seen = new Set(queue);
  for (const url of queue) {
    if (found.size >= WALK_MAX) break;
    const answer = get(web, url);
    found.set(url, answer);
    for (const link of linksIn(html(answer), url)) {
      if (seen.has(link) || !hosts.some(({ origin }) => link.startsWith(`${origin}/`))) continue;
      seen.add(link);
      queue.push(link);
    }
  }
  return found;
}

const html = ({ body }: WebAnswer): string =>
  body.kind === 'whole' ? Buffer.from(body.bytes).toString() : '';

/**
 * What is behind documents is found by reading them (test/long/documents.test.ts), what is
 * behind apps by running them (test/long/render.test.ts).
 */
const isHtml = (kind: QuarterName) => kind !== 'documents' && kind !== 'app';

for (const kind of QUARTERS.filter((name) => !isTrap(name) && isHtml(name))) {
  test(`quarters: ${kind}: a walk from the roots finds what the truth names, and it ends`, () => {
    const web = small({ [kind]: { hosts: 2, pages: 50 } });
    const found = walk(web, kind);
    const roles = new Map([...found.keys()].map((url) => [url, web.labelOf(url)?.role]));
    const missing = [...roles].filter(([, role]) => role === 'missing').map(([url]) => url);
    for (const url of missing) found.delete(url);
    assert.deepEqual([...found.keys()].sort(), web.urlsIn(kind).sort());
    for (const [url, answer] of found) assert.equal(answer.status, 200, url);
    for (const [url, role] of roles) assert.ok(role !== undefined && role !== 'trap', url);
  });
}

for (const kind of TRAPS) {
  test(`quarters: ${kind}: no end, every honest page within reach, and the truth tells which is which`, () => {
    const web = small({ [kind]: { pages: 40 } });
    const found = walk(web, kind);
    assert.equal(found.size, WALK_MAX, 'a trap does not end');
    const honest = web.urlsIn(kind);
    for (const url of honest) {
      assert.ok(found.has(url), url);
      assert.equal(web.labelOf(url)?.role, 'honest');
    }
    const trap = [...found.keys()].filter((url) => web.labelOf(url)?.role === 'trap');
    assert.equal(trap.length, WALK_MAX - honest.length);
    const texts = new Set(trap.map((url) => web.labelOf(url)?.text));
    assert.equal(texts.size, kind.endsWith('-filler') ? trap.length : 1);
    for (const url of trap) assert.equal(found.get(url)!.status, 200);
  });
}

test('quarters: unknown paths are 404, but for hosts that never say so', () => {
  const every = Object.fromEntries(QUARTERS.map((kind) => [kind, { pages: 20 }]));
  const web = small(every);
  for (const { origin, quarter, label } of web.specials) {
    const soft = label.startsWith('soft-404');
    const unknown = `${origin}/no/such-thing-77`;
    assert.equal(get(web, unknown).status, soft ? 200 : 404, label);
    assert.equal(quarter!.labelOf('/no/such-thing-77')?.role, soft ? 'missing' : undefined, label);
  }
});

test('quarters: each host has a domain of its own, and every root is named by host 0', () => {
  const web = small({
    calendar: { hosts: 2 },
    encyclopaedia: { pages: 100 },
    ranked: { hosts: 3 },
  });
  const domains = web.specials.map(({ hostName }) => hostName.split('.').slice(-2).join('.'));
  assert.equal(new Set(domains).size, 6);
  const named = linksIn(html(get(web, web.urlOf(0, 0))), web.urlOf(0, 0));
  for (const { root } of web.specials) assert.ok(named.includes(root), root);
  const other = linksIn(html(get(web, web.urlOf(1, 0))), web.urlOf(1, 0));
  const popular = web.specials.filter(({ root }) => other.includes(root));
  assert.deepEqual(
    popular.map(({ label }) => label),
    ['encyclopaedia-1'],
  );
});

test('quarters: a web without them is the web as it was', () => {
  const without = openWeb({ seed: 9, hosts: 2, pages: 10 });
  const same = openWeb({ seed: 9, hosts: 2, pages: 10, quarters: {} });
  assert.deepEqual(get(same, same.urlOf(0, 0)), get(without, without.urlOf(0, 0)));
  assert.equal(same.specials.length, 0);
});

test('quarters: roles other than honest are found where they are meant', () => {
  const web = small({ farm: { pages: 30 }, 'soft-404': { pages: 10 }, template: {}, single: {} });
  const rolesOf = (kind: QuarterName) => {
    const counts: Partial<Record<Role, number>> = {};
    for (const url of walk(web, kind).keys()) {
      const { role } = web.labelOf(url)!;
      counts[role] = (counts[role] ?? 0) + 1;
    }
    return counts;
  };
  assert.deepEqual(rolesOf('farm'), { honest: 3, farm: 30 });
  assert.deepEqual(rolesOf('single'), { honest: 1 });
  const soft = rolesOf('soft-404');
  assert.ok(soft.missing! > 4 * soft.honest!, JSON.stringify(soft));
});

test('soft-404: one body behind every unknown URL, the echo has the URL in it, the healed says 404', () => {
  const web = small({ 'soft-404': {}, 'soft-404-echo': {}, 'soft-404-recovers': {} });
  const [plain, echo, healing] = web.specials.map(
    ({ origin }) =>
      (path: string, at = AT) =>
        get(web, origin + path, at),
  );
  assert.equal(html(plain!('/a')), html(plain!('/b?c=1')));
  assert.match(html(echo!('/a/b')), /\/a\/b/);
  assert.equal(healing!('/a').status, 200);
  assert.equal(healing!('/a', SOFT_404_ENDS_MS).status, 404);
  assert.equal(healing!('/', SOFT_404_ENDS_MS).status, 200);
});

test('order: a person’s words for quarters are understood or refused by name', () => {
  assert.deepEqual(parseQuarters('calendar=2,farm,encyclopaedia=1x500'), {
    calendar: { hosts: 2 },
    farm: {},
    encyclopaedia: { hosts: 1, pages: 500 },
  });
  assert.deepEqual(parseQuarters(''), {});
  assert.throws(() => parseQuarters('calender=2'), /no quarter 'calender=2': calendar,/);
  assert.throws(() => small({ farm: { hosts: 0 } }), /needs hosts and pages/);
});
