/** Each story of `orb why`, sentence by sentence, as the owner of a site reads it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';
import { POLITE } from '../frontier/index.ts';
import {
  blankHost,
  blankRecord,
  FLAGS,
  HOST_FLAGS,
  type HostRecord,
  type UrlRecord,
  urlKeyOf,
} from '../record/index.ts';
import type { TrapNote } from './answers.ts';
import { tellWhy } from './why.ts';
import type { WhyFacts } from './why-facts.ts';

const NOW = Date.UTC(2026, 0, 31, 12);
const URL_ = 'https://example.com/docs/a';
const HOME = 'https://example.com/';

function record(more: Partial<UrlRecord> = {}): UrlRecord {
  return {
    ...blankRecord(URL_, NOW - DAY_MS),
    ...{ state: 'indexed', httpStatus: 200, lastFetchedAt: NOW - HOUR_MS, depth: 1 },
    ...{ priority: 0.5, parent: urlKeyOf(HOME) },
    ...more,
  };
}

function host(more: Partial<HostRecord> = {}): HostRecord {
  return { ...blankHost('example.com'), lastFetchAt: NOW - HOUR_MS, ...more };
}

function facts(more: Partial<WhyFacts> = {}): WhyFacts {
  return {
    ...{ given: URL_, url: URL_, now: NOW, isRunning: true, isBlockedHost: false },
    scope: { in: true, reason: 'a host of a seed', hopsOutside: 0 },
    refusal: undefined,
    record: record(),
    parent: { record: { ...blankRecord(HOME, NOW), priority: 0.8 }, text: 'Docs' },
    ...{ original: undefined, host: host(), notes: {}, robots: undefined, politeness: POLITE },
    ...{ purposes: [], tries: [] },
    ...more,
  };
}

/** The sentences that a plain page does not have. */
function told(more: Partial<WhyFacts>): string[] {
  const plain = new Set(tellWhy(facts()).story);
  return [...tellWhy(facts(more)).story].filter((sentence) => !plain.has(sentence));
}

const TRAP: TrapNote = {
  ...{ shape: '/calendar/*', kind: 'endless', since: NOW - 2 * DAY_MS, fetched: 412 },
  reason: 'each of 412 pages like /calendar/* names only new pages of its own kind',
  ...{ skipped: 9_000, lookAt: NOW + DAY_MS, parametersMax: 0 },
};

type Row = readonly [situation: string, given: Partial<WhyFacts>, sentences: readonly string[]];

const ROWS: readonly Row[] = [
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
      "If these are pages that people read, --trap-allow '/calendar/*' takes them in again.",
    ],
  ],
  [
    'filters in every combination: those with few are still asked',
    {
      notes: {
        trap: { ...TRAP, shape: '/shop?', kind: 'facets', parametersMax: 2, lookAt: 0, skipped: 1 },
      },
    },
    [
      'It looks like one of endless pages that a program makes: each of 412 pages like /calendar/* ' +
        'names only new pages of its own kind.',
      'So addresses like /shop? with more than 2 parameters are left alone since ' +
        '2026-01-29 12:00:00 UTC (2 days ago), after 412 such pages; 1 more was kept out.',
      "If these are pages that people read, --trap-allow '/shop?' takes them in again.",
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
    { record: record({ flags: FLAGS.trap_suspected, priority: 0.04 }) },
    [
      'Its priority is 0.04 of 1, a tenth of the usual, because it looks like many others that may be endless.',
    ],
  ],
  [
    'a URL over the budget of its domain',
    { record: record({ state: 'queued', priority: 0, lastFetchedAt: 0 }) },
    [
      'It is parked: its domain has named more addresses than the links of other domains to it speak ' +
        'for, so it comes after all others; it is asked when nothing else waits.',
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
  [
    'a page that changes, and its next visit',
    {
      record: record({
        ...{ visits: 7, changes: 2, lastChangedAt: NOW - 5 * DAY_MS, intervalMs: 4 * DAY_MS },
        ...{ rateShape: 3, rateMs: 15 * DAY_MS },
        nextCrawlAt: NOW - HOUR_MS + 4 * DAY_MS,
      }),
      host: host({ hostClass: 'generic' }),
    },
    [
      'In 7 visits it was found changed 2 times, last 2026-01-26 12:00:00 UTC (5 days ago); ' +
        'it is thought to stay as it is for 5 days.',
      'It is asked again 2026-02-04 11:00:00 UTC (in 4 days): such a page is looked at every 4 days ' +
        '(example.com changes as ordinary sites do; one of the pages that matter).',
    ],
  ],
  [
    'a page among many, within the bounds of its kind',
    {
      record: record({
        priority: 0.2,
        intervalMs: 9 * DAY_MS,
        nextCrawlAt: NOW - HOUR_MS + 9 * DAY_MS,
      }),
      host: host({ hostClass: 'generic' }),
      parent: undefined,
    },
    [
      'It is known since 2026-01-30 12:00:00 UTC (24 hours ago): linked from a page, 1 link from a seed.',
      'Its priority is 0.20 of 1: 0.18 for its host (which nobody has rated yet) and 0.02 for the link ' +
        'to it (how new it is, and its place on the page); it is 1 link from a seed.',
      'It is asked again 2026-02-09 11:00:00 UTC (in 9 days): such a page is looked at every 9 days ' +
        '(example.com changes as ordinary sites do; one page of many, which are given 7 days to 30 days).',
    ],
  ],
  [
    'a visit that a sitemap brought forward',
    {
      record: record({
        visits: 2,
        intervalMs: 4 * DAY_MS,
        nextCrawlAt: NOW + DAY_MS,
        lastChangedAt: NOW - 9 * DAY_MS,
      }),
      host: host({ hostClass: 'news' }),
    },
    [
      'In 2 visits it was found changed never, since 2026-01-22 12:00:00 UTC (9 days ago).',
      'It is asked again 2026-02-01 12:00:00 UTC (in 24 hours): such a page is looked at every 4 days ' +
        '(example.com changes by the hour, as news do; one page of many), and a sitemap says that this one has changed, so it comes sooner.',
    ],
  ],
  [
    'a visit that the budget puts off',
    { record: record({ intervalMs: DAY_MS, nextCrawlAt: NOW + 9 * DAY_MS }) },
    [
      'It is asked again 2026-02-09 12:00:00 UTC (in 9 days): such a page is looked at every 24 hours ' +
        '(example.com is not known well enough yet and counts as an ordinary site; one page of many), ' +
        'and the crawl may not ask so often in all, so it comes later.',
    ],
  ],
  [
    'a page that is gone',
    {
      record: record({
        state: 'dead',
        reason: 'the server answered 404',
        nextCrawlAt: NOW + DAY_MS,
      }),
    },
    [
      'It is gone: the server answered 404.',
      'It is asked again 2026-02-01 12:00:00 UTC (in 24 hours): what is gone is looked at for 30 days, then no more.',
    ],
  ],
  [
    'a retry',
    {
      record: record({
        state: 'retrying',
        reason: 'the server answered 503',
        nextCrawlAt: NOW + HOUR_MS,
      }),
    },
    [
      'The last try failed: the server answered 503.',
      'It is asked again 2026-01-31 13:00:00 UTC (in 60 minutes).',
    ],
  ],
  [
    'a visit that is due, in a folder at rest',
    { record: record({ nextCrawlAt: NOW - HOUR_MS }), isRunning: false },
    [
      'example.com was last asked 2026-01-31 11:00:00 UTC (60 minutes ago) and may be asked now.',
      'It was due to be asked again 2026-01-31 11:00:00 UTC (60 minutes ago).',
      "No crawl runs in this folder now; 'orb crawl' goes on with it.",
    ],
  ],
];

for (const [situation, given, sentences] of ROWS) {
  test(`why: ${situation}`, () => assert.deepEqual(told(given), sentences));
}

test('why: answers of "not modified" are told as what they save', () => {
  const event: Omit<FetchEvent, 'id' | 'status'> = {
    ...{ v: 1, kind: 'page', url: URL_, host: 'example.com', address: '', answeredAt: NOW },
    ...{ endedAt: NOW, delayMs: 0, bytes: 0, urlHash: '', startedAt: NOW },
  };
  const tries = [
    { ...event, id: 'a', status: 200 },
    { ...event, id: 'b', status: 304 },
    { ...event, id: 'c', status: 304 },
  ];
  const last = told({ tries }).at(-1);
  assert.equal(
    last,
    "2 of the tries above were answered 'not modified', so that nothing was sent twice.",
  );
});

test('why: addresses of a trap that were never taken are told as such', () => {
  const { verdict, story } = tellWhy(facts({ record: undefined, notes: { trap: TRAP } }));
  assert.equal(verdict, 'trap');
  assert.match(story.join(' '), /one of endless pages[\s\S]*--trap-allow/);
  assert.equal(tellWhy(facts({ record: undefined })).verdict, 'never heard of');
});

test('why: the facts come along with the story', () => {
  const notes = { trap: TRAP };
  const original = blankRecord(HOME, NOW);
  const answer = tellWhy(facts({ notes, original, host: host({ quality: 0.7 }) }));
  assert.deepEqual([answer.notes, answer.originalUrl, answer.host?.quality], [notes, HOME, 0.7]);
});

test('why: each sentence is one, begins with a capital and ends with a stop', () => {
  for (const [situation, given] of ROWS) {
    for (const sentence of tellWhy(facts(given)).story) {
      assert.match(sentence, /^[A-Z0-9a-z].*\.$/, situation);
      assert.doesNotMatch(sentence, /undefined|NaN|\[object|\.\./, situation);
    }
  }
});
