/** Pages as Markdown on the command line: on stdout, in JSON lines, as a folder of files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryNewFiles } from '../../adapters/memory/new-files.ts';
import { CrawlError } from '../../base/errors.ts';
import { markdownPath } from './export-markdown.ts';
import { each, type FakeParts, fakeWorld, page } from './fake-world.test.ts';
import { runCli } from './run.ts';

async function orb(argv: string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const newFiles = new MemoryNewFiles();
  const world = fakeWorld({ crawls: ['.orb/news'], ...parts, newFiles, argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), files: newFiles.files };
}

const HTML = 'text/html; charset=utf-8';
const held = { contentHash: Buffer.alloc(32, 1), contentType: HTML };
const BODIES: Readonly<Record<string, string>> = {
  'https://example.com/': '<title>Home</title><h1>Home</h1><p>See <a href="x">x</a>.',
  'https://example.com/a(b)': '<p>Second',
  'https://example.com/empty': '<script>x</script>',
  'https://example.com/image.png': 'PNG',
};
const PAGES = [
  page('https://example.com/', held),
  page('https://example.com/a(b)', held),
  page('https://example.com/empty', held),
  page('https://example.com/image.png', { ...held, contentType: 'image/png' }),
  page('https://example.com/robots-says-no', { state: 'skipped', httpStatus: 0 }),
  page('https://example.com/broken', held),
];
const answers = {
  pages: () => each(PAGES),
  body: async (url: string) => {
    const body = BODIES[url];
    if (body === undefined) throw new CrawlError('E_STORE_DAMAGED', 'rotten', 'restore it');
    return Buffer.from(body);
  },
};
const HOME = '# Home\n\nSee [x](https://example.com/x).\n';

test('pages --format markdown: each page under a line that names it; what is damaged is told', async () => {
  const { code, out, err } = await orb(['pages', '--format', 'markdown'], { answers });
  assert.equal(code, 0, err);
  const mark = '[//]: # (https://example.com/';
  assert.equal(out, `${mark})\n\n${HOME}\n${mark}a%28b%29)\n\nSecond\n\n`);
  assert.match(err, /1 page left out: the stored body is damaged/);
});

test('pages --markdown --front-matter: YAML in place of that line', async () => {
  const { out } = await orb(['pages', '--markdown', '--front-matter'], { answers });
  assert.ok(out.startsWith(`---\ntitle: "Home"\nurl: "https://example.com/"\n---\n\n${HOME}`), out);
});

test('pages --json --markdown: a field of each page that has a text', async () => {
  const { out } = await orb(['pages', '--json', '--markdown'], { answers });
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    rows.map(({ markdown }) => markdown),
    [HOME, 'Second\n', '', undefined, undefined, undefined],
  );
});

test('markdown: only of pages; a settings file that wants it leaves other commands alone', async () => {
  const refused = await orb(['status', '--format', 'markdown']);
  assert.deepEqual([refused.code, refused.out], [2, '']);
  assert.match(refused.err, /orb status has no pages to write as Markdown/);
  const files = { 'orb.config.json': JSON.stringify({ readable: { markdown: true } }) };
  const status = await orb(['status'], { files });
  assert.deepEqual([status.code, status.err], [0, '']);
});

test('export markdown: a file for each page, under its host and path', async () => {
  const { code, files, err } = await orb(['export', 'markdown'], { answers });
  assert.match(err, /^2 pages as Markdown in news-markdown\n1 page left out/);
  assert.notEqual(code, 0, 'a damaged body is told by the exit code, too');
  const names = ['news-markdown/example.com/index.md', 'news-markdown/example.com/a%28b%29.md'];
  assert.deepEqual([...files.keys()].sort(), names.sort());
  assert.equal(files.get('news-markdown/example.com/index.md')?.toString(), HOME);
});

test('export markdown: two pages that would share a name keep apart', async () => {
  const twins = ['https://example.com/', 'https://example.com/index'];
  const { files } = await orb(['export', 'markdown', '--out', 'x'], {
    answers: {
      pages: () => each(twins.map((url) => page(url, held))),
      body: async () => Buffer.from('<p>a'),
    },
  });
  assert.equal(files.size, 2);
});

test('export markdown: no name leaves its folder or upsets a file system', () => {
  const path = (url: string) => markdownPath(url);
  assert.equal(
    path('https://example.com/docs/?p=2&q=a b'),
    'example.com/docs/index%3Fp=2&q=a%20b.md',
  );
  assert.equal(path('https://example.com:81/a//b.html'), 'example.com%3A81/a/b.html.md');
  assert.equal(path('https://example.com/%2e%2e/%2F..'), 'example.com/%2F...md');
  for (const url of [`https://example.com/${'a/'.repeat(99)}`, 'https://example.com/c:\\x*|"<>']) {
    assert.match(path(url), /^[\w.%=&+,@~/-]+$/);
    assert.ok(path(url).split('/').length <= 27);
  }
});
