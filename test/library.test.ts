/** The library as a program uses it (L5): pages as they come, at the reader's pace, to an end. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CrawlError, type CrawlOptions, crawl, type PageEvent } from '../src/index.ts';
import { asked, openWebFor, pageRequests, scratch, type TestWeb } from './kit/index.ts';

const SIZE = { seed: 21, hosts: 6, pages: 200, bodyBytes: 1_000 } as const;
const CONCURRENCY = 4;
/** Pages that may be fetched before the reader has asked for them (edge/library/crawl.ts). */
const PAGES_AHEAD = 16;

async function open(t: TestContext, features: 'plain' | 'honest' = 'plain') {
  const web = await openWebFor(t, { ...SIZE, features });
  return { web, options: optionsFor(web) };
}

function optionsFor(web: TestWeb): CrawlOptions {
  const { start, server } = web;
  const network = { allowPrivate: true, dns: [`127.0.0.1:${server.dnsPort}`] } as const;
  const pace = { rate: 'max', backoff: '200ms', workers: 0, concurrency: CONCURRENCY } as const;
  return { seeds: start, scope: 'any', ...network, ...pace };
}

/** Turns of the event loop until nothing has been asked for a while. */
async function untilQuiet(web: TestWeb): Promise<number> {
  for (let before = -1; before !== web.server.log.length; ) {
    before = web.server.log.length;
    await new Promise((look) => setTimeout(look, 100));
  }
  return web.server.log.length;
}

test('library: for await gives every page once, with its links and its body', async (t) => {
  const { web, options } = await open(t, 'honest');
  const pages: PageEvent[] = [];
  for await (const page of crawl(options)) pages.push(page);
  const truth = web.web.truth({ scope: 'any' });
  const urls = pages.map((page) => page.url).sort();
  assert.deepEqual(urls, [...truth.urls('page'), ...truth.urls('dead')].sort());
  const root = pages.find((page) => page.url === web.start);
  assert.ok(root && root.links.length > 5 && root.title.length > 0);
  for (const { links } of pages) assert.equal(new Set(links).size, links.length, 'each once');
  assert.match(Buffer.from(root.body).toString(), /<title>/);
  assert.deepEqual([root.status, root.state, root.depth], [200, 'indexed', 0]);
  assert.match(root.urlHash, /^sha256:[0-9a-f]{64}$/);
});

test('library: a reader who is slow holds the crawl back', async (t) => {
  const { web, options } = await open(t);
  let read = 0;
  for await (const _page of crawl(options)) {
    read++;
    if (read % 20 !== 0) continue;
    await untilQuiet(web);
    const ahead = pageRequests(web).length - read;
    assert.ok(ahead <= PAGES_AHEAD + CONCURRENCY, `${ahead} pages ahead of the reader`);
    if (read === 60) break;
  }
  assert.equal(read, 60);
});

test('library: an AbortSignal ends the loop, and what is in the folder stays', async (t) => {
  const { web, options } = await open(t);
  const dir = join(await scratch(t), 'crawl');
  const abort = new AbortController();
  let read = 0;
  for await (const _page of crawl({ ...options, dir, signal: abort.signal })) {
    if (++read === 30) abort.abort();
  }
  assert.ok(read >= 30 && read < 200, `${read} pages`);
  const before = asked(web).size;
  for await (const _page of crawl({ ...options, dir })) read++;
  assert.equal(asked(web).size, 200);
  assert.equal(pageRequests(web).length, 200, 'none twice');
  assert.ok(before < 200);
});

test('library: a signal that has aborted already asks nobody', async (t) => {
  const { web, options } = await open(t);
  for await (const page of crawl({ ...options, signal: AbortSignal.abort() })) {
    assert.fail(`${page.url} was fetched`);
  }
  assert.equal(web.server.log.length, 0);
});

test('library: stop() finishes what is under way and tells what was done', async (t) => {
  const { web, options } = await open(t);
  const running = crawl(options);
  const pages = running[Symbol.asyncIterator]();
  for (let n = 0; n < 10; n++) assert.equal((await pages.next()).done, false);
  const { end, progress } = await running.stop();
  assert.equal(end, 'stopped');
  assert.equal(progress.totals.asked, pageRequests(web).length);
  assert.ok(progress.totals.waiting > 0);
  assert.equal((await pages.next()).done, true);
});

test('library: a crawl without a folder leaves none behind', async (t) => {
  const { options } = await open(t);
  const before = new Set(await readdir(tmpdir()));
  for await (const _page of crawl({ ...options, limit: 5 })) {
    // read to the end
  }
  const left = (await readdir(tmpdir())).filter((name) => /^orb-/.test(name) && !before.has(name));
  assert.deepEqual(left, []);
});

test('library: wrong options are told by name before anything is made', async (t) => {
  const { web, options } = await open(t);
  const wrong = (more: object, code: string, words: RegExp) => {
    const make = () => crawl({ ...options, ...more } as CrawlOptions);
    assert.throws(make, (error: unknown) => {
      assert.ok(error instanceof CrawlError, `${error}`);
      assert.equal(error.code, code);
      assert.match(error.message, words);
      return true;
    });
  };
  wrong({ seeds: 'not a url' }, 'E_SEED', /not a url/);
  wrong({ dpeth: 3 }, 'E_CONFIG', /dpeth/);
  wrong({ depth: 'deep' }, 'E_CONFIG', /depth/);
  wrong({ allowPrivate: false }, 'E_CONFIG', /rate/);
  assert.equal(web.server.log.length, 0);
});

test('library: a folder of another crawl is an error of the loop', async (t) => {
  const { web, options } = await open(t);
  const dir = join(await scratch(t), 'crawl');
  for await (const _page of crawl({ ...options, dir, limit: 3 })) {
    // read to the end
  }
  const other = { ...options, dir, seeds: web.web.urlOf(1, 0) };
  const read = async () => {
    for await (const page of crawl(other)) assert.fail(page.url);
  };
  await assert.rejects(read, { code: 'E_FOLDER_SETTINGS' });
});

/** Ends by itself, or the test is cut off: whatever stays open keeps a process alive. */
test('library: leaving the loop closes everything, and the process ends', async (t) => {
  const { options } = await open(t);
  const library = fileURLToPath(new URL('../src/index.ts', import.meta.url));
  const program = `
    import { crawl } from ${JSON.stringify(library)};
    let read = 0;
    for await (const page of crawl(${JSON.stringify({ ...options, workers: 1 })})) if (++read === 20) break;
    console.log(read, process.getActiveResourcesInfo().filter((name) => !/Pipe|TTY|FSReq/.test(name)).join(' '));
  `;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
  assert.equal(stdout.trim(), '20', 'nothing is open any more');
});
