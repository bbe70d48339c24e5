/** The stories of how a page changes and when it is asked again. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';
import { FLAGS } from '../record/index.ts';
import { host, NOW, PAGE, record, type Story, told } from './why.testkit.ts';

const STORIES: readonly Story[] = [
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
    'a policy that spreads visits otherwise',
    {
      record: record({ intervalMs: DAY_MS, nextCrawlAt: NOW - HOUR_MS + DAY_MS }),
      policy: 'uniform',
    },
    [
      'It is asked again 2026-02-01 11:00:00 UTC (in 23 hours): such a page is looked at every 24 hours ' +
        '(example.com is not known well enough yet and counts as an ordinary site; one page of many); ' +
        'all pages are given the same time.',
    ],
  ],
  [
    'a crawl that comes back to nothing',
    { policy: 'never' },
    ['It is asked again only when somebody asks for it (--recrawl-policy never).'],
  ],
  [
    'a missing page in disguise',
    {
      record: record({ flags: FLAGS.soft_404, intervalMs: DAY_MS, nextCrawlAt: NOW + 30 * DAY_MS }),
    },
    [
      'It answered as if it were a page, but with what this site shows for missing pages. It counts ' +
        'as not found; send status 404 for pages that do not exist.',
      'It is asked again 2026-03-02 12:00:00 UTC (in 30 days), to see whether there is a page then.',
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

for (const [situation, given, sentences] of STORIES) {
  test(`why: ${situation}`, () => assert.deepEqual(told(given), sentences));
}

test('why: answers of "not modified" are told as what they save', () => {
  const event: Omit<FetchEvent, 'id' | 'status'> = {
    ...{ v: 1, kind: 'page', url: PAGE, host: 'example.com', address: '', answeredAt: NOW },
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
