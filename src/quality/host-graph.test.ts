import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankRecord, FLAGS, hostKeyOf, type UrlRecord } from '../record/index.ts';
import { decodeHostLinks, HostTally, linkWeight, TARGETS_MAX, votesOf } from './host-graph.ts';

const AT = Date.UTC(2027, 0, 1);

function page(more: Partial<UrlRecord> = {}): UrlRecord {
  return { ...blankRecord('http://a.example.com/', AT), state: 'indexed', ...more };
}

function link(target: string, rel = '') {
  return { target, text: 'a text of some length', rel, kind: 'a' };
}

/** Targets by name with the pages that link there. */
function targetsOf(tally: HostTally, names: readonly string[]): Record<string, number> {
  const { targets, linking } = decodeHostLinks(tally.row(AT));
  const keys = linking.map((_, i) => targets.subarray(i * 10, i * 10 + 10));
  const found: Record<string, number> = {};
  for (const name of names) {
    const at = keys.findIndex((key) => key.equals(hostKeyOf(name)));
    if (at >= 0) found[name] = linking[at] as number;
  }
  assert.equal(Object.keys(found).length, linking.length, 'no other targets');
  return found;
}

test('host graph: a page counts once for a host, its own host and disowned links not at all', () => {
  const tally = new HostTally('a.example.com');
  const b = [link('http://b.test/1'), link('http://b.test/2'), link('http://a.example.com/x')];
  tally.add(page(), [...b, link('http://c.test:81/'), link('http://d.test/', 'ugc')]);
  tally.add(page(), [link('https://b.test/')]);
  assert.deepEqual(targetsOf(tally, ['b.test', 'c.test:81']), { 'b.test': 2, 'c.test:81': 1 });
});

test('host graph: failed pages, sitemaps and pages that say nofollow have no links', () => {
  const tally = new HostTally('a.example.com');
  const links = [link('http://b.test/')];
  tally.add(page({ state: 'failed' }), links);
  tally.add(page({ kind: 'sitemap' }), links);
  tally.add(page({ flags: FLAGS.nofollow }), links);
  const row = decodeHostLinks(tally.row(AT));
  assert.deepEqual([row.pages, row.linking], [1, []]);
});

test('host graph: a row gives back what was counted', () => {
  const tally = new HostTally('a.example.co.uk:8080');
  tally.add(page({ flags: FLAGS.near_duplicate }), [link('http://b.example.co.uk/')]);
  tally.add(page(), [link('http://c.test/')]);
  const row = decodeHostLinks(tally.row(AT));
  assert.ok(row.key.equals(hostKeyOf('a.example.co.uk:8080')));
  assert.deepEqual([row.visitedUpTo, row.pages, row.repeats], [AT, 2, 1]);
  assert.deepEqual(row.isNear, [true, false]);
});

test('host graph: a link directory keeps its first 65,536 hosts and a bounded memory', () => {
  const tally = new HostTally('a.example.com');
  for (let i = 0; i < TARGETS_MAX + 10; i++) tally.add(page(), [link(`http://h${i}.test/`)]);
  tally.add(page(), [link('http://h0.test/')]);
  const { linking } = decodeHostLinks(tally.row(AT));
  assert.equal(linking.length, TARGETS_MAX);
  assert.equal(linking[0], 2, 'known ones go on counting');
});

const WEIGHTS: readonly (readonly [string, number, number, boolean, number])[] = [
  ['one link on a page of many', 1, 100, false, 1],
  ['eight pages of a hundred', 8, 100, false, 4],
  ['every page of a hundred: a template', 100, 100, false, 1],
  ['every page of three: too few to tell', 3, 3, false, 1 + Math.log2(3)],
  ['a host of the same domain', 1, 100, true, 0.2],
];

for (const [situation, linking, pages, isNear, weight] of WEIGHTS) {
  test(`host graph: ${situation}: weight ${weight.toFixed(2)}`, () => {
    assert.equal(linkWeight(linking, pages, isNear), weight);
  });
}

test('host graph: votes of a host add up to 1, and a host without links has none', () => {
  const tally = new HostTally('a.example.com');
  assert.equal(votesOf(decodeHostLinks(tally.row(AT))).length, 0);
  tally.add(page(), [link('http://b.test/'), link('http://c.example.com/')]);
  const votes = [...votesOf(decodeHostLinks(tally.row(AT)))];
  assert.deepEqual(votes, [1 / 1.2, 0.2 / 1.2]);
});
