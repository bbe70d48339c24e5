/**
 * A signing key in daily use (P8): made, shown, crawled with, and never told. A crawl with a key
 * file that will not do ends with 4 before it has asked anybody or written anything.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { diskKeyFiles } from '../../src/adapters/node/key-files.ts';
import { CrawlError, crawl } from '../../src/index.ts';
import { selfSigned } from '../../src/ports/http.contract.tls.ts';
import { DIRECTORY_PATH, DIRECTORY_TYPE, directoryBody } from '../../src/sign/index.ts';
import { openWebFor, orb, scratch } from '../kit/index.ts';

const AGENT = 'https://bot.example';
const SIZE = { seed: 3, hosts: 2, pages: 20, bodyBytes: 300, features: 'plain' } as const;

async function allBytes(dir: string): Promise<Buffer> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(join(entry.parentPath, entry.name)));
  return Buffer.concat(await Promise.all(texts));
}

async function newKey(t: TestContext) {
  const cwd = await scratch(t);
  const key = await diskKeyFiles(cwd).create('key.json');
  const { d: secret } = JSON.parse(await readFile(join(cwd, 'key.json'), 'utf8'));
  return { cwd, key, secret: secret as string };
}

test('a key in use: what is printed, logged and kept never holds its private half', async (t) => {
  const { cwd, key, secret } = await newKey(t);
  const web = await openWebFor(t, SIZE);
  const signing = ['--sign-key', 'key.json', '--signature-agent', AGENT];
  const loud = ['--verbose', '--json', '--log-format', 'json', '--stats-file', 'stats.json'];
  const pace = ['--allow-private', '--rate', 'max', '--scope', 'any', '--workers', '0'];
  const flags = ['--dir', 'c', ...web.flags, ...pace, ...signing, ...loud];
  const crawled = await orb(t, ['crawl', web.start, ...flags], { cwd });
  assert.equal(crawled.code, 0, crawled.stderr);
  const [shown, made, status] = await Promise.all([
    orb(t, ['key', 'show', 'key.json'], { cwd }),
    orb(t, ['key', 'new', '--out', 'other.json'], { cwd }),
    orb(t, ['status', '--dir', 'c', '--json', '--verbose'], { cwd }),
  ]);
  assert.equal(shown.stdout, `${directoryBody([key])}\n`);
  assert.match(shown.stderr, new RegExp(`^keyid ${key.keyid}$`, 'm'));
  const { d: other } = JSON.parse(await readFile(join(cwd, 'other.json'), 'utf8'));
  assert.ok(!(made.stdout + made.stderr).includes(other));
  assert.deepEqual(Object.keys(JSON.parse(shown.stdout).keys[0]), 'kty crv kid x use'.split(' '));

  const said = [crawled, shown, status].map(({ stdout, stderr }) => stdout + stderr);
  const kept = await allBytes(join(cwd, 'c'));
  const stats = await readFile(join(cwd, 'stats.json'), 'utf8');
  assert.ok(kept.includes('agent.signKey'), 'crawl.json keeps the path of the key');
  const seed = Buffer.from(secret, 'base64url');
  for (const form of [secret, seed, seed.toString('hex'), seed.toString('base64')]) {
    assert.equal(kept.indexOf(form), -1);
    assert.equal((said.join('\n') + stats).indexOf(String(form)), -1);
  }
});

test('a key file that will not do: exit 4, what to do, nobody asked, nothing written', async (t) => {
  const { cwd, secret } = await newKey(t);
  await chmod(join(cwd, 'key.json'), 0o644);
  const web = await openWebFor(t, SIZE);
  const crawlWith = (...flags: string[]) =>
    orb(t, ['crawl', web.start, '--dir', 'c', ...web.flags, '--verbose', ...flags], { cwd });
  const agent = ['--signature-agent', AGENT];
  const [missing, open] = await Promise.all([
    crawlWith('--sign-key', 'none.json', ...agent),
    crawlWith('--sign-key', 'key.json', ...agent),
  ]);
  assert.deepEqual([missing.code, open.code], [4, 4]);
  assert.match(missing.stderr, /none\.json does not exist.*orb key new/s);
  assert.match(open.stderr, /mode 0644.*chmod 600 key\.json/s);
  assert.ok(![missing, open].some(({ stderr }) => stderr.includes(secret)));
  assert.deepEqual(await readdir(cwd), ['key.json']);
  assert.equal(web.server.log.length, 0);
});

test('key check: a directory that is served over https is found, and one that is not is told', async (t) => {
  const { cwd, key } = await newKey(t);
  const server = createServer(selfSigned('localhost'), (request, response) => {
    const isThere = request.url === DIRECTORY_PATH;
    const type = { 'content-type': DIRECTORY_TYPE };
    response.writeHead(isThere ? 200 : 404, type).end(isThere ? directoryBody([key]) : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const agent = ['--signature-agent', `https://localhost:${port}`];
  const check = ['key', 'check', '--sign-key', 'key.json', ...agent, '--allow-private'];
  const [trusting, strict] = await Promise.all([
    orb(t, [...check, '--insecure'], { cwd }),
    orb(t, check, { cwd }),
  ]);
  assert.equal(trusting.code, 0, trusting.stdout + trusting.stderr);
  assert.match(trusting.stdout, /^ok /);
  assert.equal(strict.code, 1);
  assert.match(strict.stdout, /^fail .*cannot be had: .*self.signed/is);
});

test('a library crawl with a key file that is not there: E_CONFIG from the loop', async (t) => {
  const options = { seeds: 'http://127.0.0.1:9/', allowPrivate: true, signatureAgent: AGENT };
  const signKey = join(await scratch(t), 'none.json');
  await assert.rejects(
    async () => {
      for await (const page of crawl({ ...options, signKey })) assert.fail(page.url);
    },
    (error) => error instanceof CrawlError && error.code === 'E_CONFIG',
  );
});
