import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { resolveSettings } from '../../config/index.ts';
import { checksOf } from './doctor.ts';
import { type FakeParts, FakeSession, fakeWorld, HEALTHY, page, turns } from './fake-world.test.ts';
import { commandByName } from './help-commands.ts';
import { resumeCommand, shellWord } from './resume.ts';
import { runCli } from './run.ts';
import type { DemoJudgement, DemoWeb } from './world.ts';

async function orb(argv: string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const world = fakeWorld({ ...parts, argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), world };
}

test('help and version: on stdout, ending with 0', async () => {
  for (const argv of [[], ['help'], ['--help'], ['-h']]) {
    const { code, out } = await orb(argv);
    assert.equal(code, 0);
    assert.match(out, /orb crawl https:\/\/example\.com\//);
  }
  for (const argv of [
    ['help', 'crawl'],
    ['crawl', '--help'],
    ['crawl', '-h', '--bogus'],
  ]) {
    assert.match((await orb(argv)).out, /^orb crawl URL…/);
  }
  for (const argv of [['--version'], ['version'], ['crawl', '--version']]) {
    assert.equal((await orb(argv)).out, '9.9.9\n');
  }
});

test('unknown commands: refused with 2; a URL is answered with the command to type', async () => {
  const { code, err } = await orb(['crowl']);
  assert.equal(code, 2);
  assert.match(err, /'crowl' is not known[\s\S]*crawl/);
  assert.match((await orb(['https://example.com/'])).err, /orb crawl https:\/\/example\.com\//);
  assert.match((await orb(['example.com'])).err, /orb crawl example\.com/);
  assert.match((await orb(['help', '\u001b[2J'])).err, /'\ufffd\[2J' is not known/);
});

test('operands: too few, too many and wrong ones are refused with the form to write', async () => {
  for (const argv of [['why'], ['why', 'a', 'b'], ['status', 'x'], ['audit', 'manners']]) {
    const { code, err } = await orb(argv);
    assert.equal(code, 2, argv.join(' '));
    assert.match(err, /Write: orb /);
  }
});

test('a flag of another command is refused', async () => {
  const { code, err } = await orb(['status', '--depth', '3']);
  assert.equal(code, 2);
  assert.match(err, /--depth means nothing/);
});

test('errors of a folder: three lines and the exit code of the table', async () => {
  const world = fakeWorld({ argv: ['pages', '--dir', 'x'] });
  const failing = {
    ...world,
    readFolder: () => Promise.reject(new CrawlError('E_FOLDER_MISSING', 'None.', 'Make one.')),
  };
  assert.equal(await runCli(failing), 4);
  assert.match(world.err(), /orb: None\.\n {5}Where: orb pages \(E_FOLDER_MISSING\)\n {5}Do: Make/);
});

test('a flag that is not known: the help of its own command is named', async () => {
  const { code, err } = await orb(['serve', '--prot', '1']);
  assert.equal(code, 2);
  assert.match(err, /Did you mean --port\? See 'orb serve --help'\./);
});

test('every command of the help can be run', async () => {
  const { COMMANDS } = await import('./help-commands.ts');
  for (const { name } of COMMANDS) assert.match((await orb([name, '--help'])).out, /^orb /);
  assert.ok(commandByName('doctor'));
});

test('doctor: a healthy machine passes, and nothing is looked up unasked', async () => {
  const { code, out } = await orb(['doctor']);
  assert.equal(code, 0);
  assert.match(out, /^ok {4}node/m);
  assert.match(out, /names +not tried/);
  assert.doesNotMatch(out, /fail|warn/);
});

test('doctor: each ailment is named with its fix', () => {
  const state = (name: string, facts: object) => {
    const check = checksOf({ ...HEALTHY, ...facts }, '.orb').find((one) => one.name === name);
    assert.ok(check?.state === 'ok' || (check?.fix ?? '') !== '', name);
    return check?.state;
  };
  assert.equal(state('node', { node: '20.18.1' }), 'fail');
  assert.equal(state('node', { node: '20.19.0' }), 'ok');
  assert.equal(state('zstd', { hasZstd: false }), 'warn');
  assert.equal(state('folder', { writeProblem: 'EROFS' }), 'fail');
  assert.equal(state('space', { freeBytes: 500e6 }), 'warn');
  assert.equal(state('space', { freeBytes: 1e6 }), 'fail');
  assert.equal(state('open files', { openFilesMax: 256 }), 'warn');
  assert.equal(state('clock', { now: 0 }), 'fail');
  assert.equal(state('clock', { newestFileAt: HEALTHY.now + 2 * 86_400_000 }), 'fail');
  const lookup = { addresses: [], problem: 'ENOTFOUND' };
  assert.equal(state('names', { lookup }), 'fail');
});

test('doctor: which browser renders pages, or how to get one; a crawl goes on without', async () => {
  assert.match((await orb(['doctor'])).out, /^ok {4}browser +\/usr\/bin\/chromium$/m);
  const browser = { kind: 'missing', problem: 'none is there', fix: 'Install one.' } as const;
  const { code, out } = await orb(['doctor'], { browser });
  assert.equal(code, 0);
  assert.match(out, /^warn {2}browser +none is there.*\n +→ Install one\.$/m);
});

test('doctor: a failed check ends with 1, also as JSON lines', async () => {
  const { code, out } = await orb(['doctor', '--json'], { machine: { writeProblem: 'EACCES' } });
  assert.equal(code, 1);
  const checks = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(checks.find((check) => check.name === 'folder').state, 'fail');
});

const RIGHT: DemoJudgement = {
  expected: 300,
  fetched: 300,
  missing: [],
  stray: [],
  trespass: [],
  duplicates: [],
  smallestGapMs: 200.04,
  overlaps: 0,
  hosts: 20,
  requests: 340,
};

function demoWeb(found: Partial<DemoJudgement> = {}): DemoWeb & { closed: number } {
  return {
    closed: 0,
    seeds: ['http://h0.test:8080/'],
    options: { allowPrivate: true, rate: 5, dns: ['127.0.0.1:5353'], scope: 'any' },
    judge: async () => ({ ...RIGHT, ...found }),
    async close() {
      this.closed++;
    },
  };
}

test('demo: crawls the web with its own settings into its own folder, and matches', async () => {
  const demo = demoWeb();
  const { code, out, world } = await orb(['demo'], { demo });
  assert.equal(code, 0);
  assert.match(out, /300 {2}300[\s\S]*It matches/);
  assert.doesNotMatch(out, /NO /);
  const [request] = world.requests;
  assert.equal(request?.dir, '.orb/demo');
  assert.deepEqual(request?.seeds, demo.seeds);
  const { settings } = request ?? {};
  assert.equal(settings?.crawl.fresh, true);
  assert.equal(settings?.polite.rate, 5);
  assert.equal(demo.closed, 1);
});

test('demo: a folder that is not its own is not emptied unasked', async () => {
  const { world } = await orb(['demo', '--dir', 'mine'], { demo: demoWeb() });
  assert.equal(world.requests[0]?.settings.crawl.fresh, false);
  assert.equal(world.requests[0]?.dir, 'mine');
});

test('demo: each thing that does not match is marked, and ends with 1', async () => {
  const wrongs: Partial<DemoJudgement>[] = [
    { fetched: 299, missing: ['http://h0.test/x'] },
    { duplicates: ['http://h0.test/x'] },
    { trespass: ['http://h0.test/x'] },
    { stray: ['http://h0.test/x'] },
    { smallestGapMs: 199.9 },
    { overlaps: 1 },
  ];
  for (const wrong of wrongs) {
    const { code, out } = await orb(['demo'], { demo: demoWeb(wrong) });
    assert.equal(code, 1, JSON.stringify(wrong));
    assert.match(out, /NO [\s\S]*does not match/);
  }
});

test('demo: stopped by hand it judges nothing, and closes its web', async () => {
  const demo = demoWeb({ fetched: 3 });
  const world = fakeWorld({ argv: ['demo'], demo, session: new FakeSession({}) });
  const code = runCli(world);
  await turns();
  world.signal('SIGINT');
  assert.equal(await code, 130);
  assert.equal(world.out(), '');
  assert.equal(demo.closed, 1);
});

test('hostile text (Y3): a page in the log of --verbose acts neither as text nor as JSON', async () => {
  const evil = 'https://example.com/\u001b[2J\u009b1m\n{"level":"error"}\u202e';
  for (const form of ['pretty', 'json']) {
    const session = new FakeSession({ end: 'done', pages: [page(evil, { title: evil })] });
    const argv = ['crawl', 'https://example.com/', '--verbose', '--log-format', form];
    const { err } = await orb(argv, { session });
    assert.doesNotMatch(err.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u);
    assert.doesNotMatch(err, /^\{"level":"error"\}/m);
    assert.match(err, /example\.com\/.*2J/);
  }
});

test('resume: a word that a shell would take apart is quoted', () => {
  assert.equal(shellWord('a/b-c.d'), 'a/b-c.d');
  assert.equal(shellWord("it's"), `'it'\\''s'`);
  assert.equal(shellWord('$(rm)'), "'$(rm)'");
  assert.equal(shellWord(''), "''");
});

test('resume: the printed command means the same crawl', () => {
  const argv = ['--include', '/a b/', '--include=c', '-d3', '--no-http2', '--max-time', '90s'];
  const given = resolveSettings({ argv: ['https://x.example/', ...argv] });
  assert.ok('settings' in given);
  const { settings, explicit, seeds } = given;
  const plan = { settings, explicit, seeds, typedSeeds: seeds, dir: 'my dir', isThere: false };
  const command = resumeCommand(plan);
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const again = resolveSettings({ argv: words.slice(2) as string[] });
  assert.ok('settings' in again, command);
  const withDir = { ...settings, crawl: { ...settings.crawl, dir: 'my dir' } };
  assert.deepEqual(again.settings, withDir);
});
