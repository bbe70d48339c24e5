import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('./orb.js', import.meta.url));
const OTHER_NODE = 'node_modules/node/bin/node';

/** A project of these files around the launcher. */
async function project(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orbtest-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    if (path === OTHER_NODE) await symlink(process.execPath, join(dir, path));
    else await writeFile(join(dir, path), text);
  }
  await mkdir(join(dir, 'bin'));
  await copyFile(LAUNCHER, join(dir, 'bin/orb.js'));
  return dir;
}

/** Starts the launcher in a Node that says it is `version`. */
function start(dir: string, version: string, ...argv: string[]): ChildProcess {
  const lie = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
  const load = `data:text/javascript,${encodeURIComponent(lie)}`;
  return spawn(process.execPath, ['--import', load, join(dir, 'bin/orb.js'), ...argv], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (text) => {
    out += text;
  });
  child.stderr?.on('data', (text) => {
    err += text;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

const SAYS = (what: string) =>
  `export async function main() { console.log('${what}', process.argv.slice(2).join(' ')); process.exitCode = 7; }`;
const TYPED = SAYS('source').replace('main()', 'main(_x?: string): Promise<void>');

test('launcher: a packed project runs in this Node, also in 20.19', async (t) => {
  const dir = await project(t, { 'dist/src/main.js': SAYS('packed') });
  for (const version of ['20.19.0', '24.1.0']) {
    const { code, out } = await ended(start(dir, version, 'a', '--b'));
    assert.deepEqual([code, out], [7, 'packed a --b\n']);
  }
  const old = await ended(start(dir, '20.18.1'));
  assert.equal(old.code, 1);
  assert.match(old.err, /20\.18\.1 is too old[\s\S]*20\.19/);
});

test('launcher: sources come before a build that was left beside them', async (t) => {
  const dir = await project(t, { 'dist/src/main.js': SAYS('packed'), 'src/main.ts': TYPED });
  assert.deepEqual((await ended(start(dir, '24.0.0'))).out, 'source \n');
});

test('launcher: sources run in a Node that strips types', async (t) => {
  const dir = await project(t, { 'src/main.ts': TYPED });
  for (const version of ['22.18.0', '23.6.0', '24.0.0']) {
    assert.deepEqual((await ended(start(dir, version))).out, 'source \n', version);
  }
});

test('launcher: sources in an older Node run in the one from npm, exit code and all', async (t) => {
  const dir = await project(t, { 'src/main.ts': TYPED, [OTHER_NODE]: '' });
  for (const version of ['20.19.0', '22.17.0', '23.5.0']) {
    const { code, out } = await ended(start(dir, version, 'x'));
    assert.deepEqual([code, out], [7, 'source x\n'], version);
  }
});

test('launcher: without any Node that can, it says what to do', async (t) => {
  const dir = await project(t, { 'src/main.ts': TYPED });
  const { code, err } = await ended(start(dir, '20.19.0'));
  assert.equal(code, 1);
  assert.match(err, /cannot run TypeScript[\s\S]*npm ci/);
  const empty = await ended(start(await project(t, {}), '24.0.0'));
  assert.match(empty.err, /incomplete/);
});

test('launcher: signals reach the child, and its end is ours', async (t) => {
  const main = `export async function main(): Promise<void> {
    const timer = setInterval(() => {}, 1000);
    process.once('SIGTERM', () => { clearInterval(timer); process.exitCode = 143; });
    console.log('ready');
    await new Promise((resolve) => process.once('SIGTERM', resolve));
  }`;
  const dir = await project(t, { 'src/main.ts': main, [OTHER_NODE]: '' });
  const child = start(dir, '20.19.0');
  const end = ended(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  child.kill('SIGTERM');
  assert.equal((await end).code, 143);
});

test('launcher: what will not close does not keep the process', async (t) => {
  const main =
    'export async function main() { setInterval(() => {}, 1000); process.exitCode = 6; }';
  const dir = await project(t, { 'dist/src/main.js': main });
  assert.equal((await ended(start(dir, '24.0.0'))).code, 6);
});
