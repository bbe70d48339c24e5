/**
 * Bad input: each a clear message with what to do, the right exit code (L3), and nothing lost.
 * What is typed wrong first, then folders that cannot be used, then files damaged by hand.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type OrbEnd, openWebFor, orb, scratch, startOrb, waitForRequests } from '../kit/index.ts';

const SMALL = { seed: 2, hosts: 3, pages: 40, features: 'plain', bodyBytes: 1_000 } as const;
const FAST = ['--allow-private', '--rate', 'max', '--scope', 'any'];

/** Exit code, what is said and what to do; never a stack of calls. */
function refused(end: OrbEnd, code: number, ...words: readonly RegExp[]): void {
  assert.equal(end.code, code, end.stderr);
  for (const word of words) assert.match(end.stderr, word);
  assert.doesNotMatch(end.stderr, /\n\s+at .*:\d+:\d+/, 'no stack');
  assert.equal(end.stdout, '', 'stdout is for data');
}

/** Nobody listens there. */
const DEAD = 'http://127.0.0.1:1/';

async function openCrawl(t: TestContext, ...flags: string[]) {
  const web = await openWebFor(t, SMALL);
  const top = await scratch(t);
  const dir = join(top, 'crawl');
  const args = ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST];
  const end = await orb(t, [...args, ...flags]);
  assert.equal(end.code, 0, end.stderr);
  const rows = (await orb(t, ['pages', '--dir', dir])).stdout;
  web.server.reset();
  return { web, top, dir, args, rows };
}

describe('bad input', { concurrency: 3 }, () => {
  test('typed: what is no URL, no flag, no value or no command is named, with the nearest right one', async (t) => {
    const ask = (...args: string[]) => orb(t, args);
    refused(await ask('crawl', 'not a url'), 2, /'not a url' is not a whole URL/, /https:\/\//);
    refused(await ask('crawl', 'ftp://x.test/'), 2, /not an http: or https: URL/);
    refused(await ask('crawl'), 2, /nothing to crawl/, /orb crawl https:/);
    refused(await ask('crawl', 'http://x.test/', '--dpeth', '3'), 2, /--dpeth/, /--depth\?/);
    refused(await ask('crwal', 'http://x.test/'), 2, /'crwal' is not known/, /crawl, status/);
    const both = await ask('crawl', 'http://x.test/', '--depth', 'x', '--rate', 'fast');
    refused(both, 2, /--depth: 'x' is not a whole number/, /--rate: 'fast' is not a number/);
    refused(await ask('crawl', 'http://x.test/', '--rate', 'max'), 2, /--allow-private/);
  });

  test('typed: settings in files and in the environment are held to the same', async (t) => {
    const cwd = await scratch(t);
    const ask = (env: Record<string, string> = {}) =>
      orb(t, ['crawl', 'http://x.test/'], { cwd, env });
    refused(await ask({ ORB_LIMITS_DPETH: '3' }), 4, /ORB_LIMITS_DPETH/, /ORB_LIMITS_DEPTH/);
    await writeFile(join(cwd, 'orb.config.json'), '{"limits":{"dpeth":3}}');
    refused(await ask(), 4, /limits\.dpeth/, /limits\.depth/);
    await writeFile(join(cwd, 'orb.config.json'), '{"limits":');
    refused(await ask(), 4, /not JSON/);
    assert.deepEqual(await readdir(cwd), ['orb.config.json'], 'nothing was made');
    refused(await orb(t, ['crawl', '-i', 'no.txt'], { cwd: await scratch(t) }), 2, /no\.txt/);
  });

  test('folder: of other settings or seeds, of something else, a file, or not there', async (t) => {
    const { web, top, dir, args, rows } = await openCrawl(t, '--limit', '10');
    refused(await orb(t, [...args, '--depth', '3']), 4, /--depth was 20 and is now 3/, /--fresh/);
    const other = ['crawl', web.web.urlOf(1, 0), '--dir', dir, ...web.flags, ...FAST];
    refused(await orb(t, other), 4, /holds a crawl of http/, /--dir/);
    assert.equal((await orb(t, ['pages', '--dir', dir])).stdout, rows, 'nothing was touched');

    const at = (place: string, ...flags: string[]) =>
      orb(t, ['crawl', web.start, '--dir', join(top, place), ...web.flags, ...FAST, ...flags]);
    await mkdir(join(top, 'foreign'));
    await writeFile(join(top, 'foreign', 'thesis.doc'), 'years of work');
    refused(await at('foreign'), 4, /not a crawl's/, /--dir/);
    refused(await at('foreign', '--fresh'), 4, /not a crawl's/);
    assert.deepEqual(await readdir(join(top, 'foreign')), ['thesis.doc']);
    await writeFile(join(top, 'file'), 'x');
    refused(await at('file'), 4, /is a file, not a folder/, /--dir/);
    refused(await orb(t, ['pages', '--dir', join(top, 'nothing')]), 4, /no crawl in/, /--dir/);
    assert.equal(web.server.log.length, 0, 'nobody was asked');
  });

  test('folder: a start that was cut off before it had a name is begun again', async (t) => {
    const web = await openWebFor(t, SMALL);
    const dir = join(await scratch(t), 'crawl');
    await mkdir(join(dir, 'store'), { recursive: true });
    await writeFile(join(dir, 'crawl.json.new'), '{"form');
    const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST]);
    assert.equal(end.code, 0, end.stderr);
  });

  test('folder: in use by another process, it is refused to a second one, also with --fresh', async (t) => {
    const web = await openWebFor(t, SMALL);
    const dir = join(await scratch(t), 'crawl');
    const args = ['crawl', web.start, '--dir', dir, ...web.flags, '--delay', '1m'];
    const first = startOrb(t, args);
    await waitForRequests(web, 1, () => first.isOver);
    refused(await orb(t, args), 8, /another process/, /orb status/);
    refused(await orb(t, [...args, '--fresh']), 8, /another process/);
    const status = await orb(t, ['status', '--dir', dir]);
    assert.equal(status.code, 0, 'the running crawl answers');
    first.kill('SIGINT');
    assert.equal((await first.ended).code, 130);
    assert.equal(web.server.log.length, 1);
  });

  test('folder: where nothing can be written, it says so', async (t) => {
    const web = await openWebFor(t, SMALL);
    const at = (dir: string) => orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST]);
    const locked = await lockedFolder(t);
    if (locked === undefined) return;
    refused(await at(join(locked, 'crawl')), 3, /cannot be written/, /--dir/);
    assert.equal(web.server.log.length, 0);
  });

  /** Root may write everywhere but in the kernel's own file systems. */
  async function lockedFolder(t: TestContext): Promise<string | undefined> {
    const dir = process.getuid?.() === 0 ? '/sys' : join(await scratch(t), 'locked');
    if (dir !== '/sys') await mkdir(dir, { mode: 0o555 });
    const answer = await mkdir(join(dir, 'try')).catch((error) => error.code);
    if (['EPERM', 'EACCES', 'EROFS'].includes(answer)) return dir;
    t.skip(`no folder here refuses to be written (${dir}: ${answer})`);
    return undefined;
  }

  test('host: one that nobody serves is given up at once with --retries 0, and says so meanwhile', async (t) => {
    const dir = join(await scratch(t), 'crawl');
    const args = ['crawl', DEAD, '--dir', dir, '--allow-private', '--retries'];
    const end = await orb(t, [...args, '0']);
    refused(
      end,
      5,
      /Nothing was fetched/,
      /could not be read \(connect: .*ECONNREFUSED/,
      /orb why/,
    );
  });

  test('host: that nothing may be asked for a while is said, and kept for a restart', async (t) => {
    const elsewhere = createServer((_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.2:1/robots.txt' }).end();
    });
    t.after(() => elsewhere.close());
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    for (const url of [DEAD, `http://127.0.0.1:${port}/`]) {
      const dir = join(await scratch(t), 'crawl');
      const flags = ['--dir', dir, '--allow-private', '--backoff', '1m'];
      const patient = startOrb(t, ['crawl', url, ...flags]);
      await patient.said(/"event":"progress"/);
      assert.match(patient.stderr, /next request in \d+ s.*"robots\.txt connect":1/);
      const { stdout } = await orb(t, ['why', url, '--dir', dir]);
      assert.match(stdout, /could not be reached .* may be asked .*\(in \d+ s\)/s);
    }
  });

  test('typed: what was typed never reaches a message as a control', async (t) => {
    const end = await orb(t, ['crawl', 'http://\u001b[31mred.test/']);
    refused(end, 2);
    assert.ok(!end.stderr.includes('\u001b'), 'no escape in a message');
  });
});
