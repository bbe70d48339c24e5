import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankHost, HOST_FLAGS } from '../record/index.ts';
import { authorityOf, type HostEvidence, rateHost, ratingSentence } from './host-rating.ts';

const RULES = { denies: true, trusted: new Set(['trusted.test']) };
const AVERAGE: HostEvidence = { rank: 1, inDomains: 3, pages: 50, repeats: 0, flags: 0 };
const FARM = HOST_FLAGS.content_farm;

type Fate = 'fair' | 'low' | 'starved' | 'denied';
const SITUATIONS: readonly (readonly [string, Partial<HostEvidence>, Fate])[] = [
  ['an average host', {}, 'fair'],
  ['a small honest site that nobody links to', { rank: 0.15, inDomains: 0, pages: 3 }, 'fair'],
  ['a site of one page, which repeats another', { rank: 0.15, pages: 1, repeats: 1 }, 'fair'],
  ['an unknown site with a third of repeats', { rank: 0.15, inDomains: 0, repeats: 20 }, 'fair'],
  ['one with two thirds', { rank: 0.15, inDomains: 0, pages: 500, repeats: 340 }, 'low'],
  ['a farm', { rank: 0.15, inDomains: 0, flags: FARM }, 'starved'],
  ['a farm of many repeats', { rank: 0.2, pages: 900, repeats: 800, flags: FARM }, 'denied'],
  ['the same, seen for 60 pages', { rank: 0.2, pages: 60, repeats: 60, flags: FARM }, 'starved'],
  ['a mirror that 20 domains link to', { inDomains: 20, pages: 900, repeats: 890 }, 'starved'],
  ['a large site with a trap in it', { rank: 20, flags: HOST_FLAGS.trap }, 'fair'],
];

function fateOf(host: string, evidence: HostEvidence): Fate {
  const { authority, quality, flags } = rateHost(host, evidence, RULES);
  if ((flags & HOST_FLAGS.denied) !== 0) return 'denied';
  if (authority === 0) return 'starved';
  return quality < 0.25 ? 'low' : 'fair';
}

for (const [situation, evidence, fate] of SITUATIONS) {
  test(`rating: ${situation}: ${fate}`, () => {
    assert.equal(fateOf('h.test', { ...AVERAGE, ...evidence }), fate);
  });
}

const evidences = fc.record({
  rank: fc.double({ min: 0, max: 1e6, noNaN: true }),
  inDomains: fc.nat(1_000_000),
  pages: fc.nat(1_000_000),
  repeats: fc.nat(1_000_000),
  flags: fc.nat(31),
});

test('rating: always in [0,1], the operator’s word holds, and denial is taken back', () => {
  fc.assert(
    fc.property(evidences, (any) => {
      const evidence = { ...any, repeats: Math.min(any.repeats, any.pages) };
      const { authority, quality } = rateHost('h.test', evidence, RULES);
      for (const part of [authority, quality]) assert.ok(part >= 0 && part <= 1);
      assert.ok(['fair', 'low'].includes(fateOf('trusted.test', evidence)));
      const rules = { denies: false, trusted: new Set<string>() };
      assert.equal(rateHost('h.test', evidence, rules).flags & HOST_FLAGS.denied, 0);
    }),
  );
});

test('rating: more rank is never less authority; the average host has that of an unknown one', () => {
  const rank = fc.double({ min: 0, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(rank, rank, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      assert.ok(authorityOf(less) <= authorityOf(more));
    }),
  );
  assert.equal(authorityOf(1), 0.5);
  assert.equal(authorityOf(0.15), 0.1);
  assert.equal(authorityOf(100), 1);
});

test('rating: what became of a host is said in a sentence, and nothing of an ordinary one', () => {
  const host = { ...blankHost('h.test'), inDomains: 1 };
  assert.equal(ratingSentence(host), undefined);
  assert.match(ratingSentence({ ...host, quality: 0.2 }) ?? '', /^Only 200 links .* one other/);
  assert.match(ratingSentence({ ...host, quality: 0.1 }) ?? '', /come last \(quality 0\.10/);
  const denied = { ...host, quality: 0.01, inDomains: 0, flags: HOST_FLAGS.denied | FARM };
  assert.match(ratingSentence(denied) ?? '', /denied .* repeat each other, and no other domain/);
});
