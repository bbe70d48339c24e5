/**
 * Hostile servers, all of them in one crawl (Y1, Y2, H2, H4): it ends in bounded time and memory,
 * every record says what happened, no address inside is asked, and honest pages are all fetched.
 *
 * The web's own network is allowed by name and private addresses are not, as on a machine whose
 * neighbours are crawled while the machine itself must stay out of reach.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { HOSTILE, TRAP_LABELS, TRIPWIRE } from '../../testweb/index.ts';
import { asked, type OrbEnd, openWebFor, orb, scratch, type TestWeb } from '../kit/index.ts';

const MIB = 2 ** 20;
const RSS_MAX = 700 * MIB;
const TIME_MAX_MS = 60_000;
const LIMITS = [
  ...['--timeout', '6s', '--first-byte-timeout', '4s', '--connect-timeout', '4s'],
  ...['--retries', '1', '--backoff', '100ms', '--patience', '5s'],
  ...['--delay', '20ms', '--ip-rate', '1000', '--max-pages-per-host', '60', '--depth', '6'],
];

interface Row {
  readonly url: string;
  readonly state: string;
  readonly status?: number;
  readonly reason?: string;
  readonly bytes?: number;
  readonly flags?: readonly string[];
  readonly redirectTo?: string;
}

/** What must be on record of each page that means harm: state, reason, flags. */
const ENDS: Readonly<Record<string, readonly [state: string, reason: RegExp, flag?: string]>> = {
  drip: ['indexed', /--timeout/, 'truncated'],
  endless: ['indexed', /--max-body/, 'truncated'],
  'header-flood': ['failed', /^header-limit/],
  'drip-head': ['failed', /^first-byte-timeout/],
  silence: ['failed', /^first-byte-timeout/],
  reset: ['failed', /^closed/],
  garbage: ['failed', /^protocol/],
  'length-long': ['indexed', /fewer bytes/, 'truncated'],
  'length-short': ['indexed', /^$/],
  'broken-chunk': ['indexed', /chunks/, 'truncated'],
  cut: ['indexed', /closed the connection/, 'truncated'],
  'bomb-gzip': ['indexed', /--max-decoded/, 'truncated'],
  'bomb-deflate': ['indexed', /--max-decoded/, 'truncated'],
  'bomb-br': ['indexed', /--max-decoded/, 'truncated'],
  'bomb-zstd': ['indexed', /--max-decoded/, 'truncated'],
  'false-coding': ['indexed', /not gzip/],
  'binary-html': ['indexed', /^$/],
  'no-type': ['indexed', /^$/],
  nested: ['indexed', /^$/],
  unclosed: ['indexed', /^$/],
  'million-links': ['indexed', /--max-body/, 'links_dropped'],
  'redirect-circle': ['indexed', /^$/],
  'redirect-loopback': ['indexed', /^$/],
  'redirect-ipv6': ['indexed', /^$/],
  'redirect-mapped': ['indexed', /^$/],
  'redirect-decimal': ['indexed', /^$/],
  'redirect-zero': ['indexed', /^$/],
  'redirect-metadata': ['indexed', /^$/],
  'redirect-name': ['indexed', /^$/],
  'redirect-name-metadata': ['indexed', /^$/],
  'redirect-file': ['failed', /bad_redirect/],
  'redirect-broken': ['failed', /bad_redirect/],
  'robots-endless': ['indexed', /^$/],
  'sitemap-loop': ['indexed', /^$/],
  rebind: ['indexed', /^$/],
  nowhere: ['skipped', /./],
  broken: ['skipped', /./],
  inside: ['skipped', /./],
  metadata: ['skipped', /./],
};

describe('hostile: one crawl of servers that mean harm', () => {
  const cleanups: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void cleanups.unshift(end) };
  const rows = new Map<string, Row>();
  let web: TestWeb;
  let dir: string;
  let end: OrbEnd;
  let tookMs = 0;

  before(async () => {
    web = await openWebFor(t, { seed: 2, hosts: 6, pages: 80, features: 'hostile' });
    makeBombs(web);
    dir = join(await scratch(t), 'crawl');
    const startedAt = performance.now();
    const flags = ['--dir', dir, '--scope', 'any', ...web.flags, ...LIMITS];
    end = await orb(t, ['crawl', web.start, ...flags]);
    tookMs = performance.now() - startedAt;
    const pages = await orb(t, ['pages', '--dir', dir, '--json']);
    for (const line of pages.stdout.trim().split('\n')) {
      const row = JSON.parse(line) as Row;
      rows.set(row.url, row);
    }
  });

  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  test('it ends by itself, in bounded time and memory', (t) => {
    assert.equal(end.code, 0, end.stderr);
    assert.ok(tookMs < TIME_MAX_MS, `${tookMs} ms`);
    assert.ok(end.maxRssBytes < RSS_MAX, `${end.maxRssBytes / MIB} MiB`);
    t.diagnostic(`${Math.round(tookMs)} ms, ${Math.round(end.maxRssBytes / MIB)} MiB`);
  });

  test('every page that means harm has its end on record', () => {
    const told = [...HOSTILE, 'rebind', 'nowhere', 'broken', 'inside', 'metadata'];
    assert.deepEqual(
      told.filter((label) => ENDS[label] === undefined),
      ['robots-silence'],
    );
    for (const [label, [state, reason, flag]] of Object.entries(ENDS)) {
      const row = rows.get(web.web.hostile.urlOf(label));
      assert.ok(row, `${label} is on record`);
      assert.equal(row.state, state, `${label}: ${row.reason}`);
      assert.match(row.reason ?? '', reason, label);
      if (flag !== undefined) assert.ok(row.flags?.includes(flag), `${label}: ${row.flags}`);
    }
  });

  test('a robots.txt that never comes closes its host', () => {
    const root = `${new URL(web.web.hostile.urlOf('robots-silence')).origin}/`;
    assert.equal(rows.get(root)?.state, 'skipped');
    assert.match(rows.get(root)?.reason ?? '', /robots\.txt could not be read/);
  });

  test('a circle of redirects is found', () => {
    const circle = new URL('/circle', web.web.hostile.urlOf('redirect-circle')).href;
    assert.match(rows.get(circle)?.reason ?? '', /redirect_loop/);
    assert.ok(rows.get(circle)?.flags?.includes('redirect_loop'));
  });

  test('nobody inside was asked, whatever the name or the spelling', () => {
    const wired = [...web.server.log.requests()].filter((row) => row.host === TRIPWIRE);
    assert.deepEqual(wired, []);
    const inside = [...rows.values()].filter(({ url }) => /\/secret$|169\.254/.test(url));
    const hosts = inside.map(({ url }) => new URL(url).hostname).sort();
    const expected = ['0.0.0.0', '127.0.0.1', '169.254.169.254', '[::1]', '[::ffff:7f00:1]'];
    assert.deepEqual(hosts, expected, 'each was heard of');
    for (const row of inside) assert.equal(row.state, 'skipped', row.url);
  });

  test('honest pages are all fetched, beside traps and on hosts that mean harm', () => {
    const verdict = asked(web);
    for (const kind of ['page', 'redirect', 'dead'] as const) {
      const left = [...web.web.truth({ scope: 'any', depth: 6 }).urls(kind)].filter(
        (url) => !verdict.has(url),
      );
      assert.deepEqual(left, [], kind);
    }
    const special = web.web.specials.filter((one) => one.linked && one.naming.kind === 'own');
    assert.ok(TRAP_LABELS.every((label) => special.some((one) => one.label === label)));
    const honest = special.flatMap((one) => one.honest);
    const lost = honest.filter((url) => rows.get(url)?.state !== 'indexed');
    assert.deepEqual(lost, []);
  });

  test('orb why tells the reason to whoever asks', async () => {
    for (const [label, words] of [
      ['drip', /--timeout/],
      ['garbage', /protocol/],
      ['bomb-gzip', /--max-decoded/],
    ] as const) {
      const why = await orb(t, ['why', web.web.hostile.urlOf(label), '--dir', dir]);
      assert.equal(why.code, 0, why.stderr);
      assert.match(why.stdout, words);
    }
  });
});

/** The server makes a bomb when it is first asked, and would be deaf for a second. */
function makeBombs({ web }: TestWeb): void {
  for (const label of HOSTILE.filter((one) => one.startsWith('bomb-'))) {
    web.answer({ url: web.hostile.urlOf(label), method: 'GET', headers: {}, atMs: 0 });
  }
}
