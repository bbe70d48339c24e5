import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawPage } from '../../content/index.ts';
import { parserPoolContract } from '../../ports/parser-pool.contract.ts';
import { decodeTrace } from '../../record/index.ts';
import { documentPool } from './document-pool.ts';
import { inlinePool } from './inline-pool.ts';
import { findPlugin, importPlugins } from './plugin-files.ts';

const MB = 1024 * 1024;
const LIMITS = { threads: 1, timeoutMs: 300, memoryBytes: 64 * MB, plugins: [] as string[] };

parserPoolContract('document', () => documentPool(inlinePool(), { ...LIMITS, timeoutMs: 10_000 }));

/** Reads `application/x-odd` by doing what the body says. */
const ODD = `
import { threadId } from 'node:worker_threads';
export default {
  name: 'odd', types: ['application/x-odd'],
  read({ body }) {
    const what = Buffer.from(body).toString();
    if (what === 'throw') throw new Error('no such thing');
    if (what === 'hang') for (;;);
    if (what === 'exit') process.exit(1);
    const held = [];
    if (what === 'heap') for (;;) held.push(new Array(10_000).fill({ a: held.length }));
    if (what === 'buffers') for (;;) held.push(Buffer.alloc(4_000_000, 1));
    return { title: 'Odd', text: 'some words of it', links: [{ href: 'next', text: 'to the next', rel: 'nofollow' }, { href: '/first' }], metadata: { chapters: 3, thread: threadId } };
  },
};
`;

function page(body: string, more: Partial<RawPage['headers']> = {}): RawPage {
  const headers = { 'content-type': 'application/x-odd', ...more } as Record<string, string>;
  const limits = { decodedBytesMax: 1_000_000, agent: 'Orbweaver' };
  return {
    url: 'https://a.example/dir/x',
    kind: 'page',
    body: Buffer.from(body),
    headers,
    ...limits,
  };
}

describe('documents on threads', () => {
  let folder = '';
  let plugins: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orb-plugins-'));
    const home = join(folder, 'node_modules', '@me', 'odd');
    await mkdir(home, { recursive: true });
    const manifest = { name: '@me/odd', type: 'module', exports: { '.': { import: './odd.js' } } };
    await writeFile(join(home, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(home, 'odd.js'), ODD);
    await writeFile(join(folder, 'wrong.mjs'), 'export default { name: "wrong" };');
    plugins = [findPlugin('@me/odd', folder)];
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('a plugin of a package: its links, title, words and metadata are the page’s', async () => {
    const pool = documentPool(inlinePool(), { ...LIMITS, plugins });
    const made = await pool.digest(page('fine', { 'x-robots-tag': 'noarchive' }));
    assert.deepEqual([made.title, made.words, made.links], ['Odd', 4, ['https://a.example/first']]);
    assert.equal(made.directives.noarchive, true);
    const { links, document } = decodeTrace(made.trace);
    assert.deepEqual(
      links.map(({ rel, text }) => [rel, text]),
      [
        ['nofollow', 'to the next'],
        ['', ''],
      ],
    );
    assert.equal(document?.chapters, '3');
    await pool.close();
  });

  it('the package that the documentation shows: read by its name', async () => {
    const docs = await readFile(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
    const [code = '', manifest = ''] = ['js', 'json'].map(
      (kind) => new RegExp(`\`\`\`${kind}\\n([\\s\\S]+?)\`\`\``).exec(docs)?.[1] ?? '',
    );
    const { name } = JSON.parse(manifest);
    const home = join(folder, 'node_modules', name);
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), manifest);
    await writeFile(join(home, 'index.js'), code);
    const pool = documentPool(inlinePool(), { ...LIMITS, plugins: [findPlugin(name, folder)] });
    const made = await pool.digest(
      page('# Hi\n=> /next The next\n', { 'content-type': 'text/gemini' }),
    );
    assert.deepEqual([made.title, made.links], ['Hi', ['https://a.example/next']]);
    await pool.close();
  });

  it('a plugin that throws, hangs or ends its thread: its page has the reason, the next is read', async () => {
    const pool = documentPool(inlinePool(), { ...LIMITS, plugins });
    const bodies = ['throw', 'hang', 'exit', 'fine'];
    const made = await Promise.all(bodies.map((body) => pool.digest(page(body))));
    assert.deepEqual(
      made.map(({ trouble }) => trouble),
      ['odd: no such thing', 'odd: not done in 0.3 s', 'odd: it ended its thread', ''],
    );
    assert.deepEqual(
      made.map(({ bodyBytes }) => bodyBytes),
      bodies.map(({ length }) => length),
    );
    assert.ok(made.every(({ contentHash }) => contentHash.length === 32));
    await pool.close();
  });

  it('a plugin that eats memory, in the heap or beside it: ended, and the memory is back', async () => {
    const pool = documentPool(inlinePool(), { ...LIMITS, timeoutMs: 20_000, plugins });
    await pool.digest(page('fine'));
    const before = process.memoryUsage.rss();
    for (const body of ['heap', 'buffers']) {
      const made = await pool.digest(page(body));
      assert.equal(made.trouble, 'odd: needed more than 64 MB of memory');
    }
    assert.equal((await pool.digest(page('fine'))).title, 'Odd');
    const grownMb = () => (process.memoryUsage.rss() - before) / MB;
    const patience = Date.now() + 20_000;
    // V8 gives pages back in its own time, and tells nobody.
    while (grownMb() >= 100 && Date.now() < patience) await sleep(100);
    assert.ok(grownMb() < 100, `${grownMb().toFixed(0)} MB more than before`);
    await pool.close();
  });

  it('a plugin that is not there, or is none: said at once, with what to do', async () => {
    assert.throws(
      () => findPlugin('orbweaver-plugin-nothing', folder),
      /no plugin orbweaver-plugin-nothing/,
    );
    assert.throws(() => findPlugin('./nothing.js', folder), { code: 'E_PLUGIN' });
    const wrong = findPlugin('./wrong.mjs', folder);
    await assert.rejects(importPlugins([wrong]), /types is a list of media types/);
  });

  it('a thread with nothing to do is ended, and another started when it is needed', async () => {
    const pool = documentPool(inlinePool(), { ...LIMITS, timeoutMs: 10_000, plugins, idleMs: 1 });
    const threadOf = async () =>
      decodeTrace((await pool.digest(page('fine'))).trace).document?.thread;
    const first = await threadOf();
    let now = first;
    for (let tries = 0; now === first && tries < 1_000; tries++) {
      for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
      now = await threadOf();
    }
    assert.notEqual(now, first);
    await pool.close();
  });
});
