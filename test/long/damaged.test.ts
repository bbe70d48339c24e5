/**
 * Files damaged by hand, and a disk that fills up: a clear message with what to do, exit 8 or 3
 * (L3), and nothing lost. What was damaged is put back afterwards: the crawl must be as before,
 * however often it was tried in between.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { ClassicLevel } from 'classic-level';
import { readFolder } from '../../src/compose-read.ts';
import { judge } from '../../testweb/index.ts';
import { inventoryOf, openWebFor, orb, pageRequests, scratch, type TestWeb } from '../kit/index.ts';
import type { Cleanup } from '../kit/place.ts';

const FAST = ['--allow-private', '--rate', 'max', '--scope', 'any'];

interface Made {
  readonly web: TestWeb;
  readonly dir: string;
  /** A copy, untouched. */
  readonly kept: string;
  readonly args: readonly string[];
  readonly rows: readonly unknown[];
}

const WEB = { seed: 2, hosts: 3, pages: 40, bodyBytes: 1_000, features: 'plain' } as const;

/** Fifteen pages of forty, crawled once for all tests: as they lie in the log, and in tables. */
async function makeCrawls(t: Cleanup): Promise<Record<'logged' | 'tabled', Made>> {
  const web = await openWebFor(t, WEB);
  const top = await scratch(t);
  const dir = join(top, 'crawl');
  const args = ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST];
  assert.equal((await orb(t, [...args, '--limit', '15'])).code, 0);
  const [logged, tabled] = [join(top, 'logged'), join(top, 'tabled')];
  await cp(dir, logged, { recursive: true });
  await cp(dir, tabled, { recursive: true });
  await intoTables(join(tabled, 'store'));
  const rows = await rowsOf(dir);
  assert.ok(rows.length >= 15, `${rows.length} rows`);
  const made = { web, dir, args, rows };
  return { logged: { ...made, kept: logged }, tabled: { ...made, kept: tabled } };
}

/** What `orb pages` prints from, in this process. */
async function rowsOf(dir: string): Promise<readonly unknown[]> {
  const { answers, close } = await readFolder(dir);
  try {
    const rows: unknown[] = [];
    for await (const row of answers.pages({})) rows.push(row);
    return rows;
  } finally {
    await close();
  }
}

/** The folder as the crawl left it: whoever opens a store writes in it. */
async function again({ web, dir, kept }: Made): Promise<void> {
  await rm(dir, { recursive: true });
  await cp(kept, dir, { recursive: true });
  web.server.reset();
}

/** A small store lives in the engine's log; a large one in tables. This makes it look large. */
async function intoTables(store: string): Promise<void> {
  const db = new ClassicLevel<Buffer, Buffer>(store, { keyEncoding: 'buffer' });
  await db.open();
  await db.compactRange(Buffer.alloc(1), Buffer.alloc(32, 255), { keyEncoding: 'buffer' });
  await db.close();
}

type Damage = 'cut to nothing' | 'overwritten' | 'deleted';
const DAMAGES: readonly Damage[] = ['cut to nothing', 'overwritten', 'deleted'];

async function damage(path: string, how: Damage): Promise<void> {
  if (how === 'deleted') return rm(path);
  const bytes = await readFile(path);
  const third = Math.floor(bytes.length / 3);
  for (let at = third; at < 2 * third + 1; at++) bytes[at] = (at * 73 + 11) % 256;
  await writeFile(path, how === 'overwritten' ? bytes : '');
}

const HINT = /restore .* from a copy, or .*--fresh/;

/** Damages files in every way; whoever opens the folder is told, and can go on with a copy of it. */
async function mustTell(
  t: TestContext,
  made: Made,
  folder: string,
  name: RegExp,
  copied: 'the file' | 'the folder' = 'the file',
): Promise<void> {
  const { web, dir, kept, args, rows } = made;
  await again(made);
  const files = (await readdir(join(dir, folder))).filter((file) => name.test(file));
  assert.ok(files.length > 0, `${folder} has ${name}`);
  for (const how of DAMAGES) {
    await again(made);
    for (const file of files) await damage(join(dir, folder, file), how);
    await assert.rejects(rowsOf(dir), { code: 'E_STORE_DAMAGED', hint: HINT }, `${files} ${how}`);
  }
  for (const command of [args, ['pages', '--dir', dir]]) {
    const end = await orb(t, command);
    assert.equal(end.code, 8, `${files} deleted, orb ${command[0]}: ${end.stderr}`);
    assert.match(end.stderr, /E_STORE_DAMAGED/);
    assert.match(end.stderr, HINT);
  }
  if (copied === 'the folder') await again(made);
  for (const file of files) await cp(join(kept, folder, file), join(dir, folder, file));
  assert.deepEqual(await rowsOf(dir), rows, 'put back, it is as it was');
  assert.equal(web.server.log.length, 0, 'nobody was asked');
}

describe('damaged by hand', () => {
  const ends: (() => unknown)[] = [];
  let made: Record<'logged' | 'tabled', Made>;
  before(async () => {
    made = await makeCrawls({ after: (end) => void ends.unshift(end) });
  });
  after(async () => {
    for (const end of ends) await end();
  });

  test('damaged: the log of the store, which the engine itself would pass over', async (t) => {
    await mustTell(t, made.logged, 'store', /\.log$/, 'the folder');
  });

  test('damaged: a table of the store', async (t) => {
    await mustTell(t, made.tabled, 'store', /\.ldb$/);
  });

  for (const name of ['CURRENT', 'MANIFEST']) {
    test(`damaged: ${name} of the store, and its tables are not thrown away`, async (t) => {
      await mustTell(t, made.tabled, 'store', new RegExp(`^${name}`));
    });
  }

  test('damaged: crawl.json, which says what crawl it is', async (t) => {
    await mustTell(t, made.logged, '.', /^crawl\.json$/);
  });

  test('damaged: what the message says to do works: --fresh begins anew', async (t) => {
    const { web, dir, args } = made.tabled;
    await again(made.tabled);
    for (const file of ['crawl.json', join('store', 'CURRENT')]) {
      web.server.reset();
      await damage(join(dir, file), 'overwritten');
      const end = await orb(t, [...args, '--fresh']);
      assert.equal(end.code, 0, end.stderr);
      const verdict = judge(web.web, web.server.log, web.web.truth({ scope: 'any' }));
      assert.deepEqual(verdict.missing, []);
    }
  });

  test('damaged: the filter is only a help, and is made again', async (t) => {
    const { web, dir, args } = made.logged;
    await again(made.logged);
    await damage(join(dir, 'filter.bin'), 'overwritten');
    const end = await orb(t, args);
    assert.equal(end.code, 0, end.stderr);
    assert.equal(pageRequests(web).length, 25, 'the rest of forty, none twice');
  });

  test('damaged: a pack of bodies is told by whoever reads a body; the crawl goes on', async (t) => {
    const { web, dir, args } = made.logged;
    await again(made.logged);
    await damage(join(dir, 'bodies', 'pack-000001.orb'), 'overwritten');
    await assert.rejects(inventoryOf(t, dir), { code: 'E_STORE_DAMAGED', message: /pack-000001/ });
    const end = await orb(t, args);
    assert.equal(end.code, 0, end.stderr);
    assert.equal(pageRequests(web).length, 25);
  });

  test('disk: full in the middle of a crawl, it says so; with more room the same command goes on', async (t) => {
    const disk = await smallDisk(t, '2m');
    if (disk === undefined) return;
    const web = await openWebFor(t, { ...WEB, pages: 120, bodyBytes: 80_000 });
    const dir = join(disk.path, 'crawl');
    const args = ['crawl', web.start, '--dir', dir, ...web.flags, ...FAST];
    for (const time of ['in the middle', 'from the start']) {
      const end = await orb(t, args);
      assert.equal(end.code, 3, `${time}: ${end.stderr}`);
      assert.match(end.stderr, /E_DISK_FULL/);
      assert.match(end.stderr, /run the same command/);
    }
    disk.resize('64m');
    const rest = await orb(t, args);
    assert.equal(rest.code, 0, rest.stderr);
    const verdict = judge(web.web, web.server.log, web.web.truth({ scope: 'any' }));
    assert.deepEqual([verdict.missing, verdict.stray], [[], []]);
    const { bodies } = await inventoryOf(t, dir);
    assert.ok(bodies > 100, `${bodies} bodies can be read`);

    disk.resize('64m,ro');
    const locked = await orb(t, args);
    assert.equal(locked.code, 3, locked.stderr);
    assert.match(locked.stderr, /E_DISK_READONLY/);
    assert.equal((await orb(t, ['crawl', web.start, '--dir', join(disk.path, 'new')])).code, 3);
  });

  /** A disk of memory, where this machine lets us mount one. */
  async function smallDisk(t: TestContext, size: string) {
    const path = await mkdtemp(join(tmpdir(), 'orbdisk-'));
    const mount = (options: string) =>
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' });
    try {
      mount(`size=${size}`);
    } catch (error) {
      await rm(path, { recursive: true });
      t.skip(`no disk can be mounted here: ${String((error as Error).message).split('\n')[0]}`);
      return undefined;
    }
    t.after(async () => {
      execFileSync('umount', ['-l', path]);
      await rm(path, { recursive: true });
    });
    return { path, resize: (to: string) => mount(`remount,size=${to}`) };
  }
});
