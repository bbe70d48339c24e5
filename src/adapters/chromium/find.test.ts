import assert from 'node:assert/strict';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What stands in a folder with a copy of find.ts: there, our own packages are not found. */
interface Place {
  readonly packages: readonly string[];
  readonly command?: string;
}

async function findIn(t: TestContext, { packages, command }: Place, executable?: string) {
  const dir = await mkdtemp(join(tmpdir(), 'orb-find-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const copy = join(dir, 'lib', 'find.ts');
  await mkdir(join(dir, 'lib'));
  await copyFile(fileURLToPath(new URL('find.ts', import.meta.url)), copy);
  for (const name of packages) {
    const home = join(dir, 'node_modules', name);
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'package.json'), '{ "main": "index.js" }');
    const code = `exports.chromium = {}; exports.executablePath = async () => '/packed/chromium';`;
    await writeFile(join(home, 'index.js'), code);
  }
  if (command !== undefined) {
    await writeFile(join(dir, command), '#!/bin/sh\n');
    await chmod(join(dir, command), 0o755);
  }
  const { findBrowser } = (await import(pathToFileURL(copy).href)) as typeof import('./find.ts');
  return { dir, found: await findBrowser({ executable, folders: dir, cwd: dir }) };
}

const isLinux = process.platform === 'linux';

test('find: with neither driver nor browser, both are named', async (t) => {
  const { found } = await findIn(t, { packages: [] });
  assert.ok(found.kind === 'missing');
  assert.equal(found.problem, 'the package playwright-core is not installed');
  const command = isLinux
    ? /'npm install playwright-core @sparticuz\/chromium'\. /
    : /'npm install playwright-core'/;
  assert.match(found.fix, command);
});

test('find: beside a browser that is installed, the driver alone is to be installed', async (t) => {
  const { found, dir } = await findIn(t, { packages: [], command: 'chromium' });
  assert.ok(found.kind === 'missing');
  assert.match(found.problem, /playwright-core is not installed, to drive .*chromium with$/);
  assert.ok(found.problem.includes(dir));
  assert.match(found.fix, /'npm install playwright-core'\. /);
});

test('find: with the driver alone, a browser is to be installed', {
  skip: isLinux ? false : 'for Linux',
}, async (t) => {
  const { found } = await findIn(t, { packages: ['playwright-core'] });
  assert.ok(found.kind === 'missing');
  assert.match(
    found.problem,
    /no Chromium in the PATH, and the package @sparticuz\/chromium is not/,
  );
  assert.match(
    found.fix,
    /'npm install @sparticuz\/chromium', or Chromium or Chrome on your system/,
  );
});

test('find: which browser is used: the one that is named, installed, or packed', async (t) => {
  const packages = ['playwright-core', '@sparticuz/chromium'];
  const installed = await findIn(t, { packages, command: 'google-chrome' });
  const chrome = join(installed.dir, 'google-chrome');
  assert.deepEqual(installed.found, { kind: 'found', what: `${chrome} (installed)` });
  const named = await findIn(t, { packages }, chrome);
  assert.deepEqual(named.found, { kind: 'found', what: `${chrome} (as named)` });
  if (!isLinux) return;
  const packed = await findIn(t, { packages });
  const what = '/packed/chromium (of @sparticuz/chromium)';
  assert.deepEqual(packed.found, { kind: 'found', what });
});

test('find: one that is named and not there is said, whatever else is installed', async (t) => {
  const packages = ['playwright-core', '@sparticuz/chromium'];
  const { found } = await findIn(t, { packages, command: 'chromium' }, '/no/such/chromium');
  assert.ok(found.kind === 'missing');
  assert.equal(found.problem, '/no/such/chromium cannot be run');
  assert.match(found.fix, /^Name another with --chromium PATH or ORB_CHROMIUM/);
});
