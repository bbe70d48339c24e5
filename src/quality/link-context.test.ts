import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CONTEXT_MAX, contextOf, contextsOf, type LinkPlaces } from './link-context.ts';

interface OneLink {
  readonly text?: string;
  readonly rel?: string;
  readonly kind?: string;
  readonly shared?: boolean;
  readonly listed?: boolean;
}

function pageOf(links: readonly OneLink[]): LinkPlaces {
  const entries = <T>(pick: (link: OneLink) => T | undefined) =>
    Object.fromEntries(links.flatMap((l, i) => (pick(l) === undefined ? [] : [[i, pick(l)]])));
  return {
    texts: links.map((link) => link.text ?? '').join('\n'),
    kinds: entries((link) => link.kind) as Record<number, string>,
    rels: entries((link) => link.rel) as Record<number, string>,
    boilerplate: Uint8Array.from(links, (link) => (link.shared ? 1 : 0) | (link.listed ? 2 : 0)),
  };
}

const contextOfOnly = (link: OneLink): number => contextsOf(pageOf([link]))[0] as number;
const DESCRIBED = 'The history of the printing press';

/** Best first: each situation must count less than the one before. */
const LADDER: readonly (readonly [situation: string, link: OneLink])[] = [
  ['a description in running text', { text: DESCRIBED }],
  ['a word in running text', { text: 'History' }],
  ['a picture without words', { text: '' }],
  ['a description in a list of links', { text: DESCRIBED, listed: true }],
  ['"click here" in a list of links', { text: 'Click Here', listed: true }],
  ['a description in the navigation', { text: DESCRIBED, shared: true }],
  ['a word in the navigation', { text: 'History', shared: true }],
  ['"more" in the footer', { text: 'more', shared: true }],
  ['sponsored', { text: DESCRIBED, rel: 'sponsored noopener' }],
];

for (const [i, [situation, link]] of LADDER.entries()) {
  const before = LADDER[i - 1];
  if (before === undefined) continue;
  test(`context: ${situation} counts less than ${before[0]}`, () => {
    assert.ok(contextOfOnly(link) < contextOfOnly(before[1]));
  });
}

test('context: rel values that end like nofollow are another thing', () => {
  assert.equal(contextOfOnly({ text: DESCRIBED, rel: 'notnofollow nofollowed' }), CONTEXT_MAX);
  for (const rel of ['nofollow', 'ugc', 'external nofollow', 'nofollow\texternal']) {
    assert.equal(contextOfOnly({ text: DESCRIBED, rel }), 0);
  }
});

test('context: links that no reader clicks count half, wherever they stand', () => {
  for (const kind of ['link', 'iframe', 'refresh']) {
    assert.equal(contextOfOnly({ kind, text: DESCRIBED }), 128);
    assert.equal(contextOfOnly({ kind, shared: true }), 128);
  }
});

test('context: of equal links an earlier one counts at least as much, the last 0.9 of the first', () => {
  const contexts = contextsOf(pageOf(Array.from({ length: 50 }, () => ({ text: DESCRIBED }))));
  assert.equal(contexts[0], CONTEXT_MAX);
  assert.equal(contexts[49], 230);
  for (let i = 1; i < 50; i++) assert.ok((contexts[i] as number) <= (contexts[i - 1] as number));
});

test('context: each link gets its own text, also when others have none and the last has no line', () => {
  const page = pageOf([{ text: '' }, { text: DESCRIBED }, { text: '' }, { text: 'here' }]);
  const more = { ...page, boilerplate: new Uint8Array(5), kinds: { 4: 'refresh' } };
  const weights = [...contextsOf(more)].map((context, i) => context / (255 * (1 - 0.025 * i)));
  assert.deepEqual(
    weights.map((weight) => Math.round(weight * 10) / 10),
    [0.6, 1, 0.6, 0.5, 0.5],
  );
});

test('context: over a page or over its stored trace, the same answer for links in the text', () => {
  const text = fc.constantFrom('', 'here', 'History', DESCRIBED, '更多');
  const rel = fc.constantFrom('', 'nofollow', 'noopener');
  const kind = fc.constantFrom('a', 'link');
  fc.assert(
    fc.property(fc.array(fc.record({ text, rel, kind }), { minLength: 1 }), (links) => {
      const sparse = links.map((l) => ({
        text: l.text,
        ...(l.rel !== '' && { rel: l.rel }),
        ...(l.kind !== 'a' && { kind: l.kind }),
      }));
      const last = Math.max(1, links.length - 1);
      assert.deepEqual(
        [...contextsOf(pageOf(sparse))],
        links.map((link, i) => contextOf(link, i / last)),
      );
    }),
  );
});
