import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlError } from '../base/index.ts';
import { checkPattern, makeScope, type ScopeOptions } from './scope.ts';

const SEEDS = ['http://www.example.co.uk:8080/start'];

function takes(options: Partial<ScopeOptions>, url: string, hopsOutside = 0): boolean {
  return makeScope({ kind: 'host', seeds: SEEDS, ...options }).judge(url, hopsOutside).in;
}

test('scope host: the hosts of the seeds with their ports, whatever the scheme', () => {
  assert.ok(takes({}, 'http://www.example.co.uk:8080/x'));
  assert.ok(takes({}, 'https://www.example.co.uk:8080/x'));
  assert.ok(!takes({}, 'http://www.example.co.uk/x'));
  assert.ok(!takes({}, 'http://example.co.uk:8080/x'));
});

test('scope domain: all hosts under the registrable domain, and no neighbours', () => {
  assert.ok(takes({ kind: 'domain' }, 'https://example.co.uk/'));
  assert.ok(takes({ kind: 'domain' }, 'https://a.b.example.co.uk/'));
  assert.ok(!takes({ kind: 'domain' }, 'https://other.co.uk/'));
  assert.ok(!takes({ kind: 'domain' }, 'https://notexample.co.uk/'));
});

test('scope domain: one site of a provider is not all of them', () => {
  const options = { kind: 'domain', seeds: ['https://me.github.io/'] } as const;
  assert.ok(takes(options, 'https://me.github.io/a'));
  assert.ok(!takes(options, 'https://you.github.io/a'));
});

test('scope domain: an address or a single label is its own domain', () => {
  const options = { kind: 'domain', seeds: ['http://127.0.0.1/', 'http://localhost/'] } as const;
  assert.ok(takes(options, 'http://127.0.0.1:81/'));
  assert.ok(takes(options, 'http://localhost:81/'));
  assert.ok(!takes(options, 'http://127.0.0.2/'));
  assert.ok(!takes(options, 'http://a.localhost/'));
});

test('scope any: every host', () => {
  assert.ok(takes({ kind: 'any' }, 'http://anything.example/'));
});

test('scope prefixes: a URL or path must begin with one of them, seeds excepted', () => {
  const options = { kind: 'any', prefixes: ['http://H.example', '/docs/'] } as const;
  assert.ok(takes(options, 'http://h.example/x'));
  assert.ok(takes(options, 'http://i.example/docs/x'));
  assert.ok(!takes(options, 'http://h.example.evil.example/'));
  assert.ok(!takes(options, 'http://i.example/x/docs/'));
  assert.ok(takes(options, SEEDS[0]!));
});

test('scope patterns: include narrows, exclude wins over everything', () => {
  const options = { kind: 'any', include: ['/a/', 'b$'], exclude: ['secret', '/start'] } as const;
  assert.ok(takes(options, 'http://h.example/a/x'));
  assert.ok(takes(options, 'http://h.example/b'));
  assert.ok(!takes(options, 'http://h.example/c'));
  assert.ok(!takes(options, 'http://h.example/a/secret'));
  assert.ok(!takes(options, SEEDS[0]!));
  assert.ok(!takes({ ...options, extraHops: 9 }, 'http://h.example/secret'));
});

test('scope extra hops: links beyond the scope are taken for that many hops', () => {
  const scope = makeScope({ kind: 'host', seeds: SEEDS, extraHops: 2 });
  const first = scope.judge('http://b.example/', 0);
  assert.deepEqual([first.in, first.hopsOutside], [true, 1]);
  const second = scope.judge('http://c.example/', first.hopsOutside);
  assert.deepEqual([second.in, second.hopsOutside], [true, 2]);
  assert.equal(scope.judge('http://d.example/', second.hopsOutside).in, false);
  const back = scope.judge('http://www.example.co.uk:8080/y', second.hopsOutside);
  assert.deepEqual([back.in, back.hopsOutside], [true, 0]);
});

test('scope add: a seed that comes later widens it, once', () => {
  for (const kind of ['host', 'domain'] as const) {
    const scope = makeScope({ kind, seeds: [] });
    assert.equal(scope.judge('https://a.example.com/x').in, false);
    assert.equal(scope.add('https://a.example.com/'), true);
    assert.equal(scope.judge('https://a.example.com/x').in, true);
    assert.equal(scope.add('https://a.example.com/y'), false);
    assert.equal(scope.judge('https://b.example.com/').in, kind === 'domain');
  }
});

test('scope add: a seed outside a prefix is in, but not what is beside it', () => {
  const scope = makeScope({ kind: 'any', seeds: [], prefixes: ['/docs/'] });
  assert.equal(scope.add('https://a.test/start'), true);
  assert.equal(scope.judge('https://a.test/start').reason, 'a seed');
  assert.equal(scope.judge('https://a.test/other').in, false);
  assert.equal(scope.add('https://a.test/docs/x'), false);
});

test('scope verdicts: say why', () => {
  const scope = makeScope({ kind: 'host', seeds: SEEDS, exclude: ['z+'] });
  assert.equal(scope.judge('http://b.example/').reason, 'not a host of the seeds');
  assert.equal(scope.judge('http://b.example/zz').reason, 'excluded by z+');
  assert.equal(scope.judge(SEEDS[0]!).reason, 'a seed');
});

test('a pattern that does not compile: named by checkPattern, refused by makeScope', () => {
  assert.equal(checkPattern('^a.*b$'), undefined);
  assert.match(checkPattern('(')!, /Invalid regular expression/);
  const refused = (error: unknown) => error instanceof CrawlError && error.code === 'E_CONFIG';
  assert.throws(() => takes({ include: ['('] }, 'http://h.example/'), refused);
});
