import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { type FakeParts, FakeSession, fakeWorld, page, START, turns } from './fake-world.test.ts';
import { runCli } from './run.ts';

const SEED = 'https://example.com/';
const PRETTY = ['--log-format', 'pretty'];

async function crawl(parts: FakeParts, ...more: string[]) {
  const world = fakeWorld({ ...parts, argv: ['crawl', ...parts.argv, ...more] });
  const code = await runCli(world);
  return { code, world, err: world.err(), out: world.out() };
}

test('crawl: seeds, settings and the usual folder reach the crawl', async () => {
  const { world, code } = await crawl({ argv: ['http://example.com:8080/a', '--depth', '3'] });
  assert.equal(code, 0);
  const [request] = world.requests;
  assert.deepEqual(request?.seeds, ['http://example.com:8080/a']);
  assert.equal(request?.dir, '.orb/example.com_8080');
  assert.equal(request?.settings.limits.depth, 3);
});

test('crawl: seeds come from arguments, a file and standard input, each once', async () => {
  const file = '\ufeffhttps://a.example/\n\n# not this\n  https://b.example/  \nhttps://a.example/';
  const files = { 'seeds.txt': file };
  const fromFile = await crawl({ argv: [SEED, '-i', 'seeds.txt'], files });
  assert.deepEqual(fromFile.world.requests[0]?.seeds, [
    SEED,
    'https://a.example/',
    'https://b.example/',
  ]);
  const dash = await crawl({ argv: ['-i', '-'], stdin: [SEED] });
  assert.deepEqual(dash.world.requests[0]?.seeds, [SEED]);
  const piped = await crawl({ argv: [], stdin: [SEED] });
  assert.deepEqual(piped.world.requests[0]?.seeds, [SEED]);
});

test('crawl: a pipe is left alone when there is something to start from', async () => {
  const { world } = await crawl({ argv: ['--dir', 'old'], crawls: ['old'], stdin: ['nonsense'] });
  assert.deepEqual(world.requests[0]?.seeds, []);
});

test('crawl: every bad line of a seed file is named, with its number', async () => {
  const files = { 's.txt': `${SEED}\nexample.org\nftp://x/` };
  const { code, err, world } = await crawl({ argv: ['-i', 's.txt'], files });
  assert.equal(code, 2);
  assert.match(err, /s\.txt, line 2:/);
  assert.match(err, /s\.txt, line 3:/);
  assert.equal(world.requests.length, 0);
});

test('crawl: thousands of bad lines are summed up', async () => {
  const files = { 's.txt': 'x\n'.repeat(5_000) };
  const { err } = await crawl({ argv: ['-i', 's.txt'], files });
  assert.ok(err.split('\n').length < 60);
  assert.match(err, /4980 more lines/);
});

test('crawl: nothing to crawl is a usage mistake with the line to type', async () => {
  const { code, err } = await crawl({ argv: [] });
  assert.equal(code, 2);
  assert.match(err, /nothing to crawl[\s\S]*orb crawl https:/);
});

test('crawl: all mistakes come out at once', async () => {
  const { code, err } = await crawl({ argv: ['nowhere', '--dept', '3', '--rate', 'fast'] });
  assert.equal(code, 2);
  assert.match(err, /nowhere/);
  assert.match(err, /--dept is not known/);
  assert.match(err, /--rate: 'fast'/);
});

test('crawl: a settings file that is named must be there; the usual one is read', async () => {
  const missing = await crawl({ argv: [SEED, '--config', 'no.json'] });
  assert.equal(missing.code, 4);
  assert.match(missing.err, /no\.json does not exist/);
  const files = { 'orb.config.json': '{"limits":{"depth":7}}' };
  const { world } = await crawl({ argv: [SEED], files });
  assert.equal(world.requests[0]?.settings.limits.depth, 7);
});

test('exit codes: each end has its own, and says how to go on', async () => {
  const ends = [
    { script: { end: 'done' }, argv: [], code: 0, says: /Done/ },
    { script: { end: 'pages' }, argv: ['-l', '12'], code: 0, says: /--limit 24/ },
    { script: { end: 'time' }, argv: ['--max-time', '1m'], code: 0, says: /--max-time 1m/ },
    { script: { end: 'bytes' }, argv: ['--max-size', '1mb'], code: 0, says: /--max-size 2097152/ },
    { script: { end: 'contact' }, argv: [], code: 6, says: /Set --contact[\s\S]*--contact you@/ },
    { script: { end: 'patience', nextAt: START + 3_602_000 }, argv: [], code: 6, says: /1 h 00 m/ },
    { script: { end: 'done', totals: { fetched: 0 } }, argv: [], code: 5, says: /Nothing.*dns: 1/ },
    { script: { end: 'patience', totals: { fetched: 0 } }, argv: [], code: 5, says: /Nothing/ },
  ] as const;
  for (const { script, argv, code, says } of ends) {
    const session = new FakeSession(script);
    const got = await crawl({ argv: [SEED, ...argv], session }, ...PRETTY);
    assert.equal(got.code, code, script.end);
    assert.match(got.err, says);
    assert.deepEqual(session.told, ['close']);
  }
});

test('exit codes: an error of ours has the code of its table and three lines', async () => {
  const openError = new CrawlError('E_FOLDER_IN_USE', 'Process 12 owns it.', 'Wait for it.');
  const { code, err } = await crawl({ argv: [SEED], openError }, ...PRETTY);
  assert.equal(code, 8);
  assert.deepEqual(err.trimEnd().split('\n'), [
    'orb: Process 12 owns it.',
    '     Where: orb crawl, folder .orb/example.com (E_FOLDER_IN_USE)',
    '     Do: Wait for it.',
  ]);
});

test('exit codes: a bug is called one, and shows its stack to --verbose alone', async () => {
  const error = new TypeError('x is not a function');
  const quiet = await crawl({ argv: [SEED], session: new FakeSession({ error }) }, ...PRETTY);
  assert.equal(quiet.code, 1);
  assert.match(quiet.err, /bug in Orbweaver: x is not a function[\s\S]*E_INTERNAL/);
  assert.doesNotMatch(quiet.err, /\n\s+at /);
  const session = new FakeSession({ error });
  const loud = await crawl({ argv: [SEED, '--verbose'], session }, ...PRETTY);
  assert.match(loud.err, /at /);
});

test('an error in a JSON log: one line with code and hint', async () => {
  const openError = new CrawlError('E_DISK_FULL', 'No room.', 'Free some.');
  const { code, err } = await crawl({ argv: [SEED], openError });
  assert.equal(code, 3);
  const line = JSON.parse(err.trim());
  assert.deepEqual([line.level, line.code, line.hint], ['error', 'E_DISK_FULL', 'Free some.']);
});

test('Ctrl-C once: drains, says so and how to force, prints the command, ends with 130', async () => {
  const session = new FakeSession({});
  const argv = ['crawl', SEED, '--limit', '500', '--fresh', '-H', 'X: secret', ...PRETTY];
  const world = fakeWorld({ argv, session });
  const code = runCli(world);
  await turns();
  world.signal('SIGINT');
  assert.equal(await code, 130);
  assert.deepEqual(session.told, ['drain', 'close']);
  assert.match(world.err(), /3 requests under way[\s\S]*Ctrl-C again stops at once/);
  const resume = 'orb crawl https://example.com/ --dir .orb/example.com --limit 500';
  assert.ok(world.err().includes(resume), world.err());
  assert.doesNotMatch(world.err(), /secret|--fresh/);
});

test('Ctrl-C twice: breaks off at once, still closes the folder', async () => {
  const session = new FakeSession({ isStuck: true });
  const world = fakeWorld({ argv: ['crawl', SEED, ...PRETTY], session });
  const code = runCli(world);
  await turns();
  world.signal('SIGINT');
  await world.clock.pass(1_000);
  world.signal('SIGINT');
  await turns();
  assert.deepEqual(session.told, ['drain', 'abort']);
  session.finish('stopped');
  assert.equal(await code, 130);
  assert.deepEqual(session.told, ['drain', 'abort', 'close']);
});

test('Ctrl-C that a launcher passes on counts once', async () => {
  const session = new FakeSession({ isStuck: true });
  const world = fakeWorld({ argv: ['crawl', SEED], session });
  const code = runCli(world);
  await turns();
  world.signal('SIGINT');
  world.signal('SIGINT');
  await turns();
  assert.deepEqual(session.told, ['drain']);
  session.finish('stopped');
  await code;
});

test('Ctrl-C thrice: leaves although nothing ends', async () => {
  const session = new FakeSession({ isStuck: true });
  const world = fakeWorld({ argv: ['crawl', SEED], session });
  const code = runCli(world);
  await turns();
  for (let i = 0; i < 3; i++) {
    world.signal('SIGINT');
    await world.clock.pass(1_000);
  }
  assert.equal(await code, 130);
});

test('SIGTERM ends with 143; a signal before the folder is open counts when it is', async () => {
  const session = new FakeSession({});
  const world = fakeWorld({ argv: ['crawl', SEED], session });
  const open = world.openCrawl.bind(world);
  world.openCrawl = async (request) => {
    world.signal('SIGTERM');
    return open(request);
  };
  assert.equal(await runCli(world), 143);
  assert.deepEqual(session.told, ['drain', 'close']);
});

test('--json: one line a page on stdout, nothing else, hash as sha256:…', async () => {
  const pages = [
    page(`${SEED}sitemap.xml`, { kind: 'sitemap' }),
    page(SEED, { title: 'Home' }),
    page(`${SEED}a`, { contentHash: Buffer.alloc(32) }),
  ];
  const session = new FakeSession({ end: 'done', pages });
  const { out } = await crawl({ argv: [SEED, '--json'], session });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map((line) => [line.url, line.status, line.title]),
    [
      [SEED, 200, 'Home'],
      [`${SEED}a`, 200, undefined],
    ],
  );
  assert.match(lines[0].urlHash, /^sha256:[0-9a-f]{64}$/);
  assert.equal(lines[1].contentHash, `sha256:${'0'.repeat(64)}`);
});

test('--json: the crawl waits for a slow reader', async () => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const session = new FakeSession({ end: 'done', pages: [page(SEED)] });
  const world = fakeWorld({ argv: ['crawl', SEED, '--json'], session, write: () => gate });
  let isDone = false;
  const code = runCli(world).finally(() => {
    isDone = true;
  });
  await turns();
  assert.equal(isDone, false);
  release();
  assert.equal(await code, 0);
});

test('--json: a reader that goes away stops the crawl, resumable', async () => {
  const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  const session = new FakeSession({ end: 'done', pages: [page(SEED), page(`${SEED}b`)] });
  const write = () => Promise.reject(gone);
  const { code, err } = await crawl({ argv: [SEED, '--json'], session, write }, ...PRETTY);
  assert.equal(code, 6);
  assert.deepEqual(session.told, ['drain', 'close']);
  assert.match(err, /nobody reads[\s\S]*go on\s+orb crawl/);
});

test('-o FILE: pages go there as JSON lines, stdout stays empty', async () => {
  const session = new FakeSession({ end: 'done', pages: [page(SEED)] });
  const { out, world } = await crawl({ argv: [SEED, '-o', 'p.jsonl'], session });
  assert.equal(out, '');
  assert.equal(JSON.parse(world.files.get('p.jsonl') ?? '').url, SEED);
});

test('no terminal: a JSON progress line every ten seconds, and the end as the last line', async () => {
  const session = new FakeSession({});
  const world = fakeWorld({ argv: ['crawl', SEED, '--limit', '100'], session });
  const code = runCli(world);
  await turns();
  for (let second = 0; second < 25; second++) await world.clock.pass(1_000);
  world.signal('SIGINT');
  await code;
  const lines = world
    .err()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const events = lines.map((line) => line.event);
  assert.deepEqual(events, ['start', 'progress', 'progress', 'stopping', 'end']);
  const end = lines.at(-1);
  assert.deepEqual([end.exitCode, end.pages, end.end], [130, 10, 'stopped']);
  assert.match(end.resume, /^orb crawl https:\/\/example\.com\/ --dir/);
});

test('a terminal: the view is drawn and leaves no trace behind the summary', async () => {
  const session = new FakeSession({});
  const world = fakeWorld({ argv: ['crawl', SEED], session, isTerminal: true });
  const code = runCli(world);
  await turns();
  await world.clock.pass(1_000);
  assert.match(world.err(), /10 pages/);
  world.signal('SIGINT');
  await code;
  const tail = world.err().slice(world.err().lastIndexOf('\u001b[J'));
  assert.match(tail, /Stopped\. Nothing is lost\./);
});

test('a terminal that shows the pages themselves gets no view over them', async () => {
  const session = new FakeSession({ end: 'done', pages: [page(SEED)] });
  const { err, out } = await crawl({ argv: [SEED, '--json'], session, isTerminal: true });
  assert.ok(!err.includes('\u001b[J'));
  assert.match(out, /^\{"url"/);
});

test('--quiet: nothing on stderr but errors', async () => {
  const fine = await crawl({ argv: [SEED, '-q'], isTerminal: true });
  assert.equal(fine.err, '');
  const openError = new CrawlError('E_DISK_FULL', 'No room.', 'Free some.');
  const broken = await crawl({ argv: [SEED, '-q'], openError, isTerminal: true });
  assert.match(broken.err, /No room/);
});

test('--stats-file: the summary as JSON', async () => {
  const { world } = await crawl({ argv: [SEED, '--stats-file', 'stats.json'] });
  const stats = JSON.parse(world.files.get('stats.json') ?? '');
  assert.deepEqual(
    [stats.end, stats.exitCode, stats.pages, stats.bytes, stats.seconds, stats.pagesPerSecond],
    ['done', 0, 10, 20_480, 2, 5],
  );
  assert.deepEqual(stats.statuses, { '200': 9, '404': 1 });
});

test('--dry-run: says seeds, robots, scope, pace and folder, and opens nothing', async () => {
  const { code, out, world } = await crawl({
    argv: [`${SEED}#x`, '--dry-run', '--scope', 'domain'],
  });
  assert.equal(code, 0);
  assert.equal(world.requests.length, 0);
  assert.match(out, /https:\/\/example\.com\/\n/);
  assert.match(out, /https:\/\/example\.com\/robots\.txt/);
  assert.match(out, /registered domains/);
  assert.match(out, /\.orb\/example\.com \(new\)/);
  const json = await crawl({ argv: [SEED, '--dry-run', '--json'] });
  assert.deepEqual(JSON.parse(json.out).seeds, [SEED]);
});
