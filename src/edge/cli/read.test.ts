import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhyAnswer } from '../../crawl/answers.ts';
import type { HostAudit } from '../../frontier/audit.ts';
import { blankHost, FLAGS, HOST_FLAGS } from '../../record/index.ts';
import { each, type FakeParts, fakeWorld, page, START, STATUS } from './fake-world.test.ts';
import { runCli } from './run.ts';

async function orb(argv: string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const world = fakeWorld({ crawls: ['.orb/one'], ...parts, argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), world };
}

const PAGES = [
  page('https://example.com/', { title: 'Home', bodyBytes: 1_536, contentType: 'text/html' }),
  page('https://example.com/x', { state: 'skipped', httpStatus: 0, reason: 'robots.txt line 2' }),
];

test('pages: text for people, one line each', async () => {
  const { out, code } = await orb(['pages'], { answers: { pages: () => each(PAGES) } });
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n'), [
    '200  indexed     1.5 KB  https://example.com/  Home',
    '-    skipped          -  https://example.com/x  robots.txt line 2',
    '',
  ]);
});

test('pages: JSON lines and CSV hold the same pages', async () => {
  const answers = { pages: () => each(PAGES) };
  const json = await orb(['pages', '--json'], { answers });
  const rows = json.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map((row) => [row.url, row.state, row.status, row.reason]),
    [
      ['https://example.com/', 'indexed', 200, undefined],
      ['https://example.com/x', 'skipped', undefined, 'robots.txt line 2'],
    ],
  );
  const csv = await orb(['pages', '--format', 'csv'], { answers });
  const [head, first] = csv.out.split('\n');
  assert.match(head ?? '', /^url,state,status,/);
  assert.match(first ?? '', /^https:\/\/example\.com\/,indexed,200,,text\/html,1536,Home,0,2026-/);
});

test('pages: filters reach the folder', async () => {
  const asked: unknown[] = [];
  const answers = {
    pages: (query: unknown) => {
      asked.push(query);
      return each(PAGES);
    },
  };
  await orb(['pages', '--state', 'failed', '--host', 'Example.COM:81', '--max-rows', '5'], {
    answers,
  });
  await orb(['pages', '--flag', 'noindex'], { answers });
  assert.deepEqual(asked, [
    { state: 'failed', host: 'example.com:81', limit: 5 },
    { flag: 'noindex', limit: 0 },
  ]);
});

test('pages: a near-duplicate names its original, a page its preferences and its last day', async () => {
  const copy = {
    ...page('https://example.com/print', {
      flags: FLAGS.near_duplicate,
      original: Buffer.alloc(24, 1),
    }),
    originalUrl: 'https://example.com/',
  };
  const said = page('https://example.com/y', {
    ...{
      usage: 'ai-train=no',
      unavailableAfter: START,
      flags: FLAGS.noindex,
      visits: 3,
      changes: 1,
    },
  });
  const answers = { pages: () => each([copy, said]) };
  const text = await orb(['pages'], { answers });
  assert.match(text.out, /print {2}≈ https:\/\/example\.com\/\n/);
  const json = (await orb(['pages', '--json'], { answers })).out.trimEnd().split('\n');
  const [first, second] = json.map((line) => JSON.parse(line));
  assert.deepEqual(
    [first.original, first.originalKey, first.flags],
    ['https://example.com/', '01'.repeat(24), ['near_duplicate']],
  );
  const { usage, unavailableAfter, flags, visits, changes } = second;
  assert.deepEqual(
    { usage, unavailableAfter, flags, visits, changes },
    {
      ...{ usage: 'ai-train=no', unavailableAfter: new Date(START).toISOString() },
      ...{ flags: ['noindex'], visits: 3, changes: 1 },
    },
  );
  const csv = (await orb(['pages', '--format', 'csv'], { answers })).out.split('\n');
  assert.match(csv[0] ?? '', /,original,usage,unavailableAfter,region$/);
  assert.match(csv[2] ?? '', /,ai-train=no,2026-01-31T12:00:00\.000Z,$/);
});

test('pages: a reader that has seen enough is no error', async () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const { code, err } = await orb(['pages'], {
    answers: { pages: () => each(PAGES) },
    write: () => Promise.reject(gone),
  });
  assert.deepEqual([code, err], [0, '']);
});

test('pages: a million rows go out in blocks, each waiting for room', async () => {
  let open = 0;
  let most = 0;
  let writes = 0;
  const rows = async function* () {
    for (let i = 0; i < 20_000; i++) yield page(`https://example.com/${i}`);
  };
  const { code } = await orb(['pages'], {
    answers: { pages: rows },
    write: async () => {
      most = Math.max(most, ++open);
      writes++;
      await new Promise((resolve) => setImmediate(resolve));
      open--;
    },
  });
  assert.equal(code, 0);
  assert.equal(most, 1);
  assert.ok(writes > 10 && writes < 200, String(writes));
});

test('folders: the only one is meant; of several one must be named; none is said', async () => {
  const none = await orb(['status'], { crawls: [] });
  assert.equal(none.code, 4);
  assert.match(none.err, /no crawl under \.orb/);
  const many = await orb(['status'], { crawls: ['.orb/a', '.orb/b'] });
  assert.equal(many.code, 2);
  assert.match(many.err, /2 crawls here: \.orb\/a, \.orb\/b[\s\S]*--dir \.orb\/a/);
});

test('links: source, target, words; one page when asked', async () => {
  const asked: unknown[] = [];
  const link = {
    source: 'https://a.example/',
    target: 'https://b.example/',
    text: 'b',
    rel: 'nofollow',
    kind: 'a',
  };
  const answers = {
    links: (query: unknown) => {
      asked.push(query);
      return each([link]);
    },
  };
  const { out } = await orb(['links', 'https://a.example/'], { answers });
  assert.equal(out, 'https://a.example/ → https://b.example/  b  [nofollow]\n');
  assert.deepEqual(asked, [{ url: 'https://a.example/', limit: 0 }]);
  const json = await orb(['links', '--json'], { answers });
  assert.deepEqual(JSON.parse(json.out), link);
});

test('status: counts, and hosts with what ails them', async () => {
  const host = { ...blankHost('slow.example'), fetched: 5, backoff: 4, turnAt: START + 90_000 };
  const answers = { status: async () => ({ ...STATUS, isRunning: true, hosts: [host] }) };
  const { out } = await orb(['status'], { answers });
  assert.match(out, /\.orb\/example\.com \(running\)/);
  assert.match(out, /20 URLs on 1 hosts/);
  assert.match(out, /slow\.example .*5 fetched, pause × 4\.0, next in 1 m 30 s/);
  const json = JSON.parse((await orb(['status', '--json'], { answers })).out);
  assert.deepEqual([json.isRunning, json.totals.fetched], [true, 10]);
});

test('status: what was judged, as far as there is any', async () => {
  const judged = {
    ...{ copies: 3, nearDuplicates: 1_204, soft404s: 17, soft404Hosts: 1, trapHosts: 2 },
    ...{ trapShapes: 5, farmHosts: 1, deniedHosts: 4, parked: 31_000, due: 12, lagMs: 90_000 },
  };
  const host = { ...blankHost('farm.example'), flags: HOST_FLAGS.content_farm | HOST_FLAGS.trap };
  const answers = { status: async () => ({ ...STATUS, judged, hosts: [host] }) };
  const { out } = await orb(['status'], { answers });
  assert.deepEqual(out.split('\n').slice(8), [
    '  copies   3 of the same bytes, 1,204 near-duplicates',
    '  soft 404 17 missing pages with status 200, 1 host answering so',
    "  traps    5 kinds of endless addresses on 2 hosts ('orb why URL' tells more)",
    '  farms    1 host mostly repeating other pages',
    '  review   4 hosts held back',
    '  parked   31,000 URLs over the budget of their domain, asked last',
    '  due      12 visits, the first for 1 m 30 s',
    '  hosts    (in trouble first, then by pages)',
    '    farm.example                     0 fetched, trap, content farm',
    '',
  ]);
  const json = JSON.parse((await orb(['status', '--json'], { answers })).out);
  assert.deepEqual(json.judged, judged);
  assert.deepEqual(json.hosts[0].flags, ['trap', 'content_farm']);
  const plain = await orb(['status']);
  assert.doesNotMatch(plain.out, /copies|soft 404|traps|farms|review|parked|due/);
});

test('why: in JSON the facts stand beside the story, under stable names', async () => {
  const trap = {
    ...{ shape: '/cal/*', kind: 'endless', reason: 'r', since: START, fetched: 4, skipped: 5 },
    ...{ lookAt: 0, parametersMax: 0 },
  };
  const record = page('https://example.com/y', { flags: FLAGS.near_duplicate });
  const host = { ...blankHost('example.com'), flags: HOST_FLAGS.trap };
  const why = async (url: string): Promise<WhyAnswer> => ({
    ...{ url, verdict: 'fetched', story: ['S.'], record, originalUrl: 'https://example.com/' },
    ...{ host, notes: { trap } },
  });
  const answers = { why };
  const json = JSON.parse((await orb(['why', 'https://example.com/y', '--json'], { answers })).out);
  assert.equal(json.record.original, 'https://example.com/');
  assert.deepEqual(json.record.flags, ['near_duplicate']);
  assert.deepEqual([json.host.quality, json.host.flags], [0.5, ['trap']]);
  const { lookAt: _, ...rest } = trap;
  assert.deepEqual(json.notes.trap, { ...rest, since: new Date(START).toISOString() });
});

test('why: the verdict, then the story', async () => {
  const { out } = await orb(['why', 'https://example.com/y']);
  assert.equal(out, 'https://example.com/y: never heard of\n  - Nobody named it.\n');
  const json = JSON.parse((await orb(['why', 'https://example.com/y', '--json'])).out);
  assert.deepEqual(json.story, ['Nobody named it.']);
});

const HASTY: HostAudit = {
  host: 'a.example',
  requests: 3,
  smallestGapMs: 999.99,
  owedMs: 1_000,
  smallestStartGapMs: 1_010,
  mostInWindow: 3,
  violations: 1,
  firstViolation: 'then and there',
};

test('audit: alone it is explained; a violation ends with 1 and is never rounded away', async () => {
  const bare = await orb(['audit']);
  assert.match(bare.out, /orb audit politeness/);
  const fine = await orb(['audit', 'politeness']);
  assert.equal(fine.code, 0);
  assert.match(fine.out, /no host was asked too soon/);
  const answers = {
    audit: async () => ({ requests: 3, hostCount: 1, violations: 1, hosts: [HASTY] }),
  };
  const bad = await orb(['audit', 'politeness'], { answers });
  assert.equal(bad.code, 1);
  assert.match(bad.out, /999\.9 ms +1000\.0 ms +3 {2}1 too soon[\s\S]*then and there/);
  const csv = await orb(['audit', 'politeness', '--format', 'csv'], { answers });
  assert.match(csv.out, /^host,requests,[\s\S]*a\.example,3,999\.99,1000,1010,3,1,then and there/);
});

const ESC = '\u001b';
const EVIL = `=HYPERLINK("http://evil/")${ESC}[2J\u009b31m\r\n\u202etxt.exe`;
const EVIL_PAGE = page(`https://example.com/${EVIL}`, { title: EVIL, reason: EVIL });

test('hostile text (Y3): inert in text, JSON and CSV of every reading command', async () => {
  const link = { source: EVIL, target: EVIL, text: EVIL, rel: EVIL, kind: EVIL };
  const answers = {
    pages: () => each([EVIL_PAGE]),
    links: () => each([link]),
    why: async () => ({ url: EVIL, verdict: 'fetched', story: [EVIL], record: EVIL_PAGE }) as const,
    status: async () => ({ ...STATUS, dir: EVIL, seeds: [EVIL], hosts: [blankHost(EVIL)] }),
    audit: async () => ({
      ...{ requests: 1, hostCount: 1, violations: 1 },
      hosts: [{ ...HASTY, host: EVIL, firstViolation: EVIL }],
    }),
  };
  const commands = [['pages'], ['links'], ['why', 'https://example.com/'], ['status']];
  for (const argv of [...commands, ['audit', 'politeness']]) {
    for (const format of ['text', 'json', 'csv']) {
      const { out } = await orb([...argv, '--format', format], { answers });
      assert.notEqual(out, '');
      assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, `${argv} ${format}`);
      if (format === 'json') assert.ok(JSON.parse(out), argv[0]);
    }
  }
  const csv = (await orb(['links', '--format', 'csv'], { answers })).out.split('\n');
  assert.equal(csv.length, 3, 'a line end in a text starts no row');
  assert.doesNotMatch(csv[1] ?? '', /(^|,)"?=/);
});

test('hostile text (Y3): JSON keeps every character', async () => {
  const answers = { pages: () => each([EVIL_PAGE]) };
  const { out } = await orb(['pages', '--json'], { answers });
  assert.equal(JSON.parse(out).title, EVIL);
});
