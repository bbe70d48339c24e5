/**
 * The package as a stranger gets it: `npm run test:package`.
 *
 *   npm pack ─→ tarball ─→ npm install in an empty project ─→ npx orb demo
 *                                                          ├→ import { crawl, … } from 'orbweaver'
 *                                                          └→ tsc finds the types
 *
 * Not part of `npm test`: the install takes the package's dependencies from the registry. The
 * project runs on the Node that is first on the PATH outside of npm's own, 20.19 or later.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A stranger has none of our node_modules on the PATH, and none of npm's variables. */
function strangerEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((dir) => !dir.includes('node_modules'));
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_)|ORB_|NODE_)/i.test(name),
  );
  return { ...Object.fromEntries(own), PATH: path.join(delimiter) };
}

const env = strangerEnvironment();
const ORB = 'node_modules/orbweaver/bin/orb.js';
const PATIENCE_MS = 10_000;

async function packed(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orbpack-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', dir], { cwd: root });
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  const names: string[] = files.map((file: { path: string }) => file.path);
  assert.ok(names.includes('bin/orb.js') && names.includes('dist/src/index.d.ts'), `${names}`);
  const stray = names.filter((name) => !/^(bin|dist)\/|^[A-Z]+(\.md)?$|^package\.json$/.test(name));
  assert.deepEqual(stray, [], 'nothing but what runs');
  assert.deepEqual(
    names.filter((name) => /\.(test|contract|testkit)\./.test(name)),
    [],
  );
  const project = join(dir, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"name":"stranger","type":"module"}');
  await run('npm', ['install', '--no-audit', '--no-fund', join(dir, filename)], {
    cwd: project,
    env,
  });
  return project;
}

/** A service with the stranger's Node; `at` is where it answers, `ended` its exit. */
function startService(t: TestContext, orb: string, cwd: string) {
  const service = spawn('node', [orb, 'serve', '--port', '0'], { cwd, env });
  const ended = once(service, 'exit');
  t.after(() => service.kill('SIGKILL'));
  const lines = createInterface({ input: service.stderr });
  const at = Promise.race([once(lines, 'line'), ended.then(() => ['it ended'])]).then(([said]) => {
    const found = /"url":"(http:[^"]+)\/"/.exec(String(said))?.[1];
    assert.ok(found, String(said));
    return found;
  });
  return { at, ended, kill: (signal: NodeJS.Signals) => service.kill(signal) };
}

const PROGRAM = `
import { canonicalize, crawl } from 'orbweaver';
const titles = [];
for await (const page of crawl({ seeds: process.argv[2], allowPrivate: true, delay: '20ms' })) {
  titles.push(page.title);
}
console.log(JSON.stringify([canonicalize('HTTP://Example.com:80/a/../b#c'), titles.sort()]));
`;

const TYPED = `
import { canonicalize, crawl, type PageEvent } from 'orbweaver';
const seen: PageEvent[] = [];
for await (const page of crawl({ seeds: ['http://127.0.0.1/'], limit: 3 })) seen.push(page);
export const first: string | undefined = canonicalize(seen[0]?.url ?? '');
// @ts-expect-error: an option that is not there is an error
crawl({ seeds: [], speed: 'much' });
`;

test('package: it installs into an empty project and works there', async (t) => {
  const project = await packed(t);
  const { stdout: version } = await run('node', ['--version'], { env });
  t.diagnostic(`node ${version.trim()}`);

  await t.test('npx orb demo: crawls its web to the end and agrees with its truth', async () => {
    const { stderr, stdout } = await run('npx', ['orb', 'demo'], { cwd: project, env });
    assert.match(stderr + stdout, /It matches/);
  });

  await t.test('import: for await over a crawl of a local server', async (t) => {
    const server = createServer(({ url }, reply) => {
      const links = url === '/' ? '<a href="/a">a</a><a href="/b">b</a>' : '';
      reply.setHeader('content-type', 'text/html');
      reply.statusCode = url === '/robots.txt' ? 404 : 200;
      reply.end(`<title>page ${url}</title>${links}`);
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    await writeFile(join(project, 'program.js'), PROGRAM);
    const args = ['program.js', `http://127.0.0.1:${port}/`];
    const { stdout } = await run('node', args, { cwd: project, env });
    const found = ['http://example.com/b', ['page /', 'page /a', 'page /b']];
    assert.deepEqual(JSON.parse(stdout), found);
  });

  await t.test('types: tsc finds them, and they know the options', async () => {
    await writeFile(join(project, 'typed.ts'), TYPED);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022'];
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')];
    const args = [tsc, ...flags, ...types, 'typed.ts'];
    await run(process.execPath, args, { cwd: project }).catch((error) =>
      assert.fail(`tsc: ${error.stdout}`),
    );
  });

  await t.test('serve: the API and the dashboard are in it', async (t) => {
    const service = startService(t, ORB, project);
    const at = await service.at;
    assert.equal((await fetch(`${at}/crawl/stats`)).status, 200);
    const page = await (await fetch(`${at}/`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    assert.ok(script, page);
    assert.equal((await fetch(`${at}${script}`)).status, 200);
    service.kill('SIGTERM');
    assert.equal((await service.ended)[0], 143);
  });

  await t.test('install: a handful of packages, and no more', async () => {
    const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'));
    const packages = Object.entries<{ hasInstallScript?: boolean }>(lock.packages);
    t.diagnostic(`${packages.length - 2} packages besides orbweaver`);
    const scripts = packages.filter(([, one]) => one.hasInstallScript === true);
    t.diagnostic(`with install scripts: ${scripts.map(([name]) => name).join(' ') || 'none'}`);
    // The server of the API brings 45 of them.
    assert.ok(packages.length < 80, `${packages.length} packages`);
  });
});

test('checkout: an older Node starts a current one, and killed it takes that along', async (t) => {
  const { stdout: version } = await run('node', ['--version'], { env });
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const isOld = major < 22 || (major === 22 && minor < 18) || (major === 23 && minor < 6);
  if (!isOld) return t.skip(`Node ${version.trim()} of this machine starts no other`);
  const dir = await mkdtemp(join(tmpdir(), 'orbkilled-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const service = startService(t, join(root, 'bin', 'orb.js'), dir);
  const at = await service.at;
  assert.equal((await fetch(`${at}/healthz`)).status, 200);
  service.kill('SIGKILL');
  await service.ended;
  const last = performance.now() + PATIENCE_MS;
  const isThere = () => fetch(`${at}/healthz`).then(Boolean, () => false);
  while (await isThere()) assert.ok(performance.now() < last, 'it is still there');
});
