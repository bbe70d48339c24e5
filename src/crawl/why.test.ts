/** The stories of pages and sites, sentence by sentence, as the owner of a site reads them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import { POLITE } from '../frontier/index.ts';
import { blankRecord, FLAGS, HOST_FLAGS, urlKeyOf } from '../record/index.ts';
import type { TrapNote } from './answers.ts';
import { facts, HOME, host, NOW, record, type Story, told } from './why.testkit.ts';
import { tellWhy } from './why.ts';

const TRAP: TrapNote = {
  ...{ shape: '/calendar/*', kind: 'endless', since: NOW - 2 * DAY_MS, fetched: 412 },
  reason: 'each of 412 pages like /calendar/* names only new pages of its own kind',
  ...{ skipped: 9_000, lookAt: NOW + DAY_MS, parametersMax: 0 },
};

const STORIES: readonly Story[] = [
  [
    'a near-duplicate names its original',
    {
      record: record({ flags: FLAGS.near_duplicate, original: urlKeyOf(HOME), simhash: 0b111n }),
      original: { ...blankRecord(HOME, NOW), simhash: 0b101n },
    },
    [
      'It says nearly the same as https://example.com/ (the fingerprints of their words differ in ' +
        '1 of 64 bits), so its text is not kept twice; its links are.',
    ],
  ],
  [
    'a near-duplicate whose original has gone',
    { record: record({ flags: FLAGS.near_duplicate }) },
    [
      'It says nearly the same as a page that was there first, so its text is not kept twice; its links are.',
    ],
  ],
  [
    'an exact copy',
    { record: record({ flags: FLAGS.alias }) },
    [
      'Its content is byte for byte that of another page, so it is stored once for both; its links count.',
    ],
  ],
  [
    'a soft 404, and its host',
    {
      record: record({ flags: FLAGS.soft_404 }),
      host: host({ flags: HOST_FLAGS.soft_404 }),
      notes: {
        soft404: { since: NOW - DAY_MS, reason: 'one body stands behind 41% of its pages' },
      },
    },
    [
      'example.com answers 200 for pages that do not exist (one body stands behind 41% of its ' +
        'pages), noticed 2026-01-30 12:00:00 UTC (24 hours ago).',
      'It answered as if it were a page, but with what this site shows for missing pages: one body ' +
        'stands behind 41% of its pages. It counts as not found; send status 404 for pages that do not exist.',
    ],
  ],
  [
    'a trap: which shape, which evidence, since when, how to overrule',
    { notes: { trap: TRAP } },
    [
      'It looks like one of endless pages that a program makes: each of 412 pages like /calendar/* ' +
        'names only new pages of its own kind.',
      'So addresses like /calendar/* are left alone since 2026-01-29 12:00:00 UTC (2 days ago), after ' +
        '412 such pages; 9,000 more were kept out. A few are looked at again 2026-02-01 12:00:00 UTC (in 24 hours).',
      "If these are pages that people read, --allow-shape '/calendar/*' takes them in again.",
    ],
  ],
  [
    'filters in every combination: those with few are still asked',
    {
      notes: {
        trap: { ...TRAP, shape: '/shop?', kind: 'facets', parametersMax: 2, lookAt: 0, skipped: 0 },
      },
    },
    [
      'It looks like one of endless pages that a program makes: each of 412 pages like /calendar/* ' +
        'names only new pages of its own kind.',
      'So addresses like /shop? with more than 2 parameters are left alone since ' +
        '2026-01-29 12:00:00 UTC (2 days ago), after 412 such pages.',
      "If these are pages that people read, --allow-shape '/shop?' takes them in again.",
    ],
  ],
  [
    'a redirect in a circle, and where it led',
    {
      record: record({
        state: 'failed',
        reason: 'redirect_loop',
        redirectTo: HOME,
        flags: FLAGS.redirect_loop,
      }),
      notes: { isLoop: true },
    },
    [
      'A redirect led here in a circle before, so nothing is sent here by it again.',
      'It failed: redirect_loop.',
      'Its redirects lead in a circle by way of https://example.com/: there is no page at the end of them.',
    ],
  ],
  [
    'a content farm',
    {
      host: host({ flags: HOST_FLAGS.content_farm }),
      notes: {
        farm: { since: NOW - DAY_MS, reason: '72% of its pages nearly repeat other pages' },
      },
    },
    [
      'example.com is asked for a tenth of what it would be otherwise: 72% of its pages nearly ' +
        'repeat other pages, noticed 2026-01-30 12:00:00 UTC (24 hours ago).',
    ],
  ],
  [
    'a host that waits for review',
    { host: host({ flags: HOST_FLAGS.denied }) },
    [
      'The host is denied until somebody reviews it (quality 0.50: no other domain links to it). ' +
        '--trust-host frees it.',
    ],
  ],
  [
    'a rated host',
    { host: host({ authority: 0.72, quality: 0.7, inDomains: 12 }) },
    [
      'Its priority is 0.50 of 1: 0.24 for its host (rated 0.72 by the links of 12 other domains) ' +
        'and 0.26 for the link to it (how new it is, and its place on the page); it is 1 link from a ' +
        'seed, and the page that named it has 0.80.',
    ],
  ],
  [
    'a URL that looks like a trap',
    { record: record({ state: 'queued', priority: 0.04 }) },
    [
      'Its priority is 0.04 of 1, lowered because many addresses of its site look like it and may ' +
        'have no end; it is 1 link from a seed, and the page that named it has 0.80.',
      'It waits in the queue.',
    ],
  ],
  [
    'a URL over the budget of its domain',
    { record: record({ state: 'queued', priority: 0, lastFetchedAt: 0 }) },
    [
      'It is parked: its domain has named more addresses than the links of other domains to it speak ' +
        'for (--domain-budget), so it comes after all others; it is asked when nothing else waits.',
      'It waits in the queue.',
    ],
  ],
  [
    'a host of low quality',
    { host: host({ quality: 0.2, inDomains: 1 }) },
    [
      'Its priority is 0.50 of 1: 0.17 for its host (rated 0.50 by the links of 1 other domain) and 0.33 ' +
        'for the link to it (how new it is, and its place on the page); it is 1 link from a seed, ' +
        'and the page that named it has 0.80.',
      'Only 200 links of each page are followed (quality 0.20: one other domain links to it).',
    ],
  ],
  [
    'noindex, nofollow and noarchive',
    { record: record({ flags: FLAGS.noindex | FLAGS.nofollow | FLAGS.noarchive }) },
    [
      'It asks not to be listed (noindex): it is marked so, and whoever uses the pages leaves it out.',
      'It asks that its links are not followed (nofollow): they are noted down, no more.',
      'It asks that no copy is kept (noarchive): its text was read and not stored.',
    ],
  ],
  [
    'a last day that is to come',
    { record: record({ unavailableAfter: NOW + 3 * DAY_MS }) },
    [
      'It asks not to be shown after 2026-02-03 12:00:00 UTC (in 3 days) (unavailable_after); ' +
        'until then it is read as any other page.',
    ],
  ],
  [
    'a last day that is over',
    { record: record({ unavailableAfter: NOW - 3 * DAY_MS, flags: FLAGS.noindex }) },
    [
      'It asks not to be shown after 2026-01-28 12:00:00 UTC (3 days ago) (unavailable_after): that ' +
        'is over, so it counts as noindex and is not asked again.',
    ],
  ],
  [
    'preferences, for a crawl without a purpose',
    { record: record({ usage: 'ai-train=no, search=yes, x-use=no' }) },
    [
      'Its site says no to the training of AI models, yes to search results and no to x-use ' +
        '(ai-train=no, search=yes, x-use=no), which is noted with the page (--purpose enforces it).',
    ],
  ],
  [
    'preferences that allow what the crawl is for',
    { record: record({ usage: 'search=yes' }), purposes: ['search'] },
    ['Its site says yes to search results (search=yes), and this crawl is for search (--purpose).'],
  ],
  [
    'preferences that refuse what the crawl is for',
    {
      record: record({ usage: 'ai-train=no', flags: FLAGS.usage_refused }),
      purposes: ['search', 'ai-train'],
    },
    [
      'Its site says no to the training of AI models (ai-train=no); this crawl is for search and ' +
        'ai-train, so its text is not kept (--purpose).',
    ],
  ],
];

for (const [situation, given, sentences] of STORIES) {
  test(`why: ${situation}`, () => assert.deepEqual(told(given), sentences));
}

test('why: addresses of a trap that were never taken are told as such', () => {
  const { verdict, story } = tellWhy(facts({ record: undefined, notes: { trap: TRAP } }));
  assert.equal(verdict, 'trap');
  assert.match(story.join(' '), /one of endless pages[\s\S]*--allow-shape/);
  assert.equal(tellWhy(facts({ record: undefined })).verdict, 'never heard of');
});

test('why: a URL that waited when its kind was found to be a trap', () => {
  const reason = 'addresses like /calendar/* are left out as a trap: they only go on';
  const skipped = record({ state: 'skipped', flags: FLAGS.trap_suspected, reason });
  const { verdict, story } = tellWhy(facts({ record: skipped, notes: { trap: TRAP } }));
  assert.equal(verdict, 'trap');
  assert.ok(story.includes(`It was skipped: ${reason}.`));
});

test('why: a short pause is told in milliseconds, none as none, and none is 0 s', () => {
  const pauseOf = (delayMs: number) => {
    const politeness = { ...POLITE, delayMs };
    const { story } = tellWhy(facts({ politeness }));
    return /is left (.*?) between two requests/.exec(story.join(' '))?.[1];
  };
  const told = [0, 0.2, 2, 40, 999, 1_000, 1_500].map(pauseOf);
  assert.deepEqual(told, ['no pause', '1 ms', '2 ms', '40 ms', '999 ms', '1 s', '1.5 s']);
});

test('why: the facts come along with the story', () => {
  const notes = { trap: TRAP };
  const original = blankRecord(HOME, NOW);
  const answer = tellWhy(facts({ notes, original, host: host({ quality: 0.7 }) }));
  assert.deepEqual([answer.notes, answer.originalUrl, answer.host?.quality], [notes, HOME, 0.7]);
});

test('why: each sentence is one, begins with a capital and ends with a stop', () => {
  for (const [situation, given] of STORIES) {
    for (const sentence of tellWhy(facts(given)).story) {
      assert.match(sentence, /^[A-Z0-9a-z].*\.$/, situation);
      assert.doesNotMatch(sentence, /undefined|NaN|\[object|\.\./, situation);
    }
  }
});
