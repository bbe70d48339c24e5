import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../base/instant.ts';
import { type Naming, shapeTest } from '../quality/index.ts';
import {
  blankRecord,
  FLAGS,
  HOST_FLAGS,
  type HostRecord,
  NO_BYTES,
  rankOf,
  type UrlRecord,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import { type Exchange, Frontier, type Lease, POLITE, type Politeness } from './index.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const HOST = 'h.example';
const FAST = { ...POLITE, delayMs: 0, addressDelayMs: 0 };
const EXCHANGE: Exchange = {
  ...{ startedAt: NOW, answeredAt: NOW, endedAt: NOW },
  ...{ sign: 'well', retryAfterMs: 0 },
};

function waiting(path: string, priority = 0.5, host = HOST): Waiting {
  const url = `http://${host}${path}`;
  const rest = { kind: 'page', depth: 2, hops: 0, outside: 0, fails: 0, again: false } as const;
  const rank = rankOf(priority, NOW);
  return { key: urlKeyOf(url), url, rank, priority, parent: NO_BYTES, ...rest };
}

/** A frontier whose host has its robots.txt, which forbids /secret. */
function open(policy: Partial<Politeness> = {}, robots = ''): Frontier {
  const frontier = new Frontier({ ...FAST, ...policy }, 60_000, () => 0.9);
  frontier.push([waiting('/')], NOW);
  const lease = take(frontier);
  assert.ok(lease.kind === 'robots');
  const times = { fetchedAt: NOW, expiresAt: NOW + 400 * DAY_MS };
  const rest = { status: 200, tries: 0, body: Buffer.from(robots), problem: '' };
  frontier.conclude(lease, EXCHANGE, 0);
  frontier.setRobots(lease.errand, { origin: lease.errand.origin, ...times, ...rest }, 0);
  frontier.settle(lease);
  return frontier;
}

function take(frontier: Frontier, now = NOW): Lease {
  const [lease] = frontier.take(1, 1, now);
  assert.ok(lease, 'something can be taken');
  return lease;
}

interface Answer {
  readonly body?: number;
  readonly isNear?: boolean;
  readonly isMissing?: boolean;
  readonly links?: readonly string[];
}

function recordOf({ url }: Waiting, body: number): UrlRecord {
  const contentHash = Buffer.alloc(32);
  contentHash.writeUInt32BE(body, 0);
  const times = { lastFetchedAt: NOW, lastChangedAt: NOW };
  return { ...blankRecord(url, NOW), state: 'indexed', httpStatus: 200, contentHash, ...times };
}

/** Visits one page and lets it name its links. */
function visit(frontier: Frontier, lease: Lease, answer: Answer, nth: number, now = NOW) {
  assert.ok(lease.kind === 'page' && lease.forbidden === undefined, lease.url);
  const { attention } = frontier;
  frontier.conclude(lease, EXCHANGE, 10);
  const naming = attention.naming(lease.waiting);
  const taken = (answer.links ?? []).filter(
    (path) => attention.regard(`http://${HOST}${path}`, HOST, naming) !== 0,
  );
  naming?.close();
  const noticed = attention.notice(
    {
      host: lease.host,
      record: recordOf(lease.waiting, answer.body ?? nth),
      isExact: answer.body !== undefined && answer.body < 100,
      isNear: answer.isNear ?? false,
      isMissing: answer.isMissing ?? false,
      ...{ words: 20, again: false, wasSoft: false },
    },
    now,
  );
  frontier.settle(lease);
  frontier.push(
    taken.map((path) => waiting(path)),
    now,
  );
  return noticed;
}

/** Lets a host answer until it has no more, or so many pages were asked. */
function crawl(frontier: Frontier, pages: number, answerOf: (url: string, nth: number) => Answer) {
  const asked: string[] = [];
  const skipped: Lease[] = [];
  let host: HostRecord | undefined;
  for (let nth = 1; nth <= pages; nth++) {
    const leases = frontier.take(1, 1, NOW);
    if (leases.length === 0) break;
    for (const lease of leases) {
      if (lease.kind === 'page' && lease.forbidden === undefined) {
        asked.push(lease.url.slice(`http://${HOST}`.length));
        const answer = answerOf(asked[asked.length - 1] as string, 1_000 + nth);
        host = visit(frontier, lease, answer, 1_000 + nth).host ?? host;
      } else if (lease.kind === 'page') {
        skipped.push(lease);
        frontier.settle(lease);
      } else {
        frontier.conclude(lease, EXCHANGE, 0);
        frontier.attention.probed(lease.host, 7, 0n, NOW);
        asked.push(lease.url.slice(`http://${HOST}`.length));
        frontier.settle(lease);
      }
    }
  }
  return { asked, skipped, host };
}

const session = (url: string, nth: number): Answer => {
  const isTrap = url.includes('?v=');
  const links = [1, 2, 3].map((n) => `/list/${n}?v=a${nth}b${n}c`);
  const articles = Array.from({ length: 40 }, (_, n) => `/article/${'abcd'[n % 4]}-${n}x`);
  return url === '/' ? { links: [...articles, ...links] } : isTrap ? { body: 5, links } : {};
};

test('attention: a trap is cut off, waiting URLs are skipped with a reason, the rest goes on', () => {
  const frontier = open();
  const { asked, skipped, host } = crawl(frontier, 2_000, session);
  assert.equal(asked.filter((path) => path.startsWith('/article/')).length, 40);
  const cost = asked.filter((path) => path.includes('?v=')).length;
  assert.ok(cost >= 80 && cost <= 200, `${cost} pages of the trap`);
  assert.ok(skipped.length > 20);
  for (const lease of skipped) {
    assert.ok(lease.kind === 'page' && lease.forbidden !== undefined);
    assert.match(lease.forbidden.reason, /left out as a trap: .* repeat one another/);
    assert.equal(lease.forbidden.flags, FLAGS.trap_suspected);
    assert.ok(lease.forbidden.until > NOW, 'never in the past');
  }
  assert.ok(host && (host.flags & HOST_FLAGS.trap) !== 0);
  assert.ok(host.quality < 0.5);
});

test('attention: what an operator allows is asked to the end', () => {
  const allowed = [shapeTest('/list/*?v=*')];
  const quality = { ...POLITE.quality, traps: { ...POLITE.quality.traps, allowed } };
  const { asked, skipped } = crawl(open({ quality }), 700, session);
  assert.deepEqual([asked.length >= 600, skipped.length], [true, 0]);
});

test('attention: a sketch that comes back from the store still knows its verdict', () => {
  const frontier = open();
  crawl(frontier, 2_000, session);
  const [kept] = [...frontier.attention.unsaved()];
  const bytes = kept?.bytes ?? NO_BYTES;
  assert.ok(bytes.length > 100, 'a clean end writes what no commit has taken');
  const next = new Frontier(FAST, 60_000, () => 0.9);
  next.arcs.restore(
    frontier.take(1, 1, NOW)[0]?.host.toRecord() ?? hostRecord(frontier),
    NOW,
    true,
  );
  assert.deepEqual(next.take(1, 1, NOW), []);
  const [host] = next.wanted(9);
  assert.ok(host);
  next.refill(host, [], 9, [], bytes);
  assert.equal(next.attention.regard(`http://${HOST}/list/1?v=a9b9c`, undefined, undefined), 0);
  assert.equal(next.attention.regard(`http://${HOST}/article/new`, undefined, undefined), 1);
});

function hostRecord(frontier: Frontier): HostRecord {
  frontier.push([waiting('/one-more')], NOW);
  return take(frontier).host.toRecord();
}

test('attention: one body behind much of a host is flagged, and an impossible URL is asked once', () => {
  const frontier = open();
  const links = Array.from({ length: 120 }, (_, n) => `/${n % 2 === 0 ? 'old' : 'new'}/x${n}`);
  let flagged = 0;
  const { asked, host } = crawl(frontier, 200, (url) => {
    if (url === '/') return { links };
    return url.startsWith('/old/') ? { body: 5 } : {};
  });
  assert.ok(host && (host.flags & HOST_FLAGS.soft_404) !== 0);
  const probes = asked.filter((path) => path.startsWith('/no-such-page-'));
  assert.equal(probes.length, 1);
  const more = waiting('/old/late');
  frontier.push([more], NOW);
  const noticed = visit(frontier, take(frontier), { body: 5 }, 9);
  if ((noticed.record.flags & FLAGS.soft_404) !== 0) flagged++;
  assert.equal(flagged, 1);
  assert.match(noticed.record.reason, /one body stands behind \d+% of its pages/);
  assert.equal(noticed.record.nextCrawlAt, NOW + 30 * DAY_MS);
});

test('attention: where robots.txt forbids it, nothing impossible is asked', () => {
  const frontier = open({}, 'User-agent: *\nDisallow: /no-such-page');
  const links = Array.from({ length: 60 }, (_, n) => `/old/x${n}`);
  const { asked } = crawl(frontier, 200, (url) => (url === '/' ? { links } : { body: 5 }));
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/no-such-page')),
    [],
  );
});

test('attention: a page that says it is not there is flagged from the first on', () => {
  const frontier = open();
  const { record } = visit(frontier, take(frontier), { isMissing: true }, 1);
  assert.equal(record.flags & FLAGS.soft_404, FLAGS.soft_404);
  assert.match(record.reason, /no such page/);
});

test('attention: a host that is mended is forgiven when its dead links are asked again', () => {
  const frontier = open();
  const links = Array.from({ length: 60 }, (_, n) => `/old/x${n}`);
  const { host } = crawl(frontier, 100, (url) => (url === '/' ? { links } : { isMissing: true }));
  assert.ok(host && (host.flags & HOST_FLAGS.soft_404) !== 0);
  frontier.push([waiting('/last')], NOW);
  const lease = take(frontier);
  assert.ok(lease.kind === 'page');
  let last: HostRecord | undefined;
  for (let n = 0; n < 60; n++) {
    const gone = { ...recordOf(waiting(`/old/x${n}`), 5), state: 'dead' as const };
    const copy = { isExact: false, isNear: false, isMissing: false, words: 20 };
    const page = { host: lease.host, record: gone, ...copy, again: true, wasSoft: true };
    last = frontier.attention.notice(page, NOW).host ?? last;
  }
  assert.ok(last && (last.flags & HOST_FLAGS.soft_404) === 0);
});

test('attention: a farm gets a tenth of its quota, and what it names a tenth of the priority', () => {
  const frontier = open({ fetchesPerDayMax: 1_000 });
  const links = Array.from({ length: 400 }, (_, n) => `/text/${'abc'[n % 3]}-${n}`);
  const { asked, host } = crawl(frontier, 1_000, (url) =>
    url === '/' ? { links } : { isNear: true },
  );
  assert.ok(host && (host.flags & HOST_FLAGS.content_farm) !== 0);
  assert.ok(asked.length <= 100, `${asked.length} pages`);
  assert.equal(frontier.attention.regard(`http://${HOST}/text/z`, undefined, undefined), 0.1);
});

test('attention: a domain over its budget parks what it names; links from others enlarge it', () => {
  const quality = { ...POLITE.quality, domains: { base: 100, perDomain: 100 } };
  const frontier = open({ quality });
  const { attention } = frontier;
  const named = (from: string) => attention.regard(`http://${HOST}/x`, from, undefined);
  frontier.push(
    Array.from({ length: 99 }, (_, n) => waiting(`/p${'abc'[n % 3]}${n}`)),
    NOW,
  );
  assert.equal(named(HOST), 'parked');
  assert.equal(named('www.h.example'), 'parked', 'its own domain does not count');
  assert.equal(named('other.test'), 1);
});

test('attention: targets of redirect loops are refused for the rest of the crawl', () => {
  const frontier = open();
  frontier.attention.blockLoop([`http://${HOST}/a`, `http://${HOST}/b`, 'http://unknown.test/']);
  assert.equal(frontier.attention.regard(`http://${HOST}/a`, undefined, undefined), 0);
  assert.equal(frontier.attention.regard(`http://${HOST}/c`, undefined, undefined), 1);
});

test('attention: a quiet host has no sketch, and its pages are not watched', () => {
  const frontier = open();
  const naming: Naming | undefined = frontier.attention.naming(waiting('/'));
  assert.equal(naming, undefined);
});
