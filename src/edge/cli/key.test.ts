/** `orb key`, as a person meets it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch } from '../../../test/kit/index.ts';
import type { Outcome } from '../../fetch/index.ts';
import { fakeWorld } from './fake-world.test.ts';
import { runCli } from './run.ts';

async function run(...argv: string[]) {
  const world = fakeWorld({ argv });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), files: world.files };
}

test('key new, key show: the same directory, and how to go on', async (t) => {
  const file = join(await scratch(t), 'key.json');
  const made = await run('key', 'new', '--out', file);
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /keep it secret.*^keyid .{43}$.*--signature-agent/ms);
  const shown = await run('key', 'show', file);
  assert.equal(shown.out, made.out);
  const written = await run('key', 'show', file, '--output', 'directory.json', '--quiet');
  assert.deepEqual([written.out, written.err], ['', '']);
  assert.equal(written.files.get('directory.json'), made.out);
});

test('key show of two files: one directory with both', async (t) => {
  const dir = await scratch(t);
  const files = ['a.json', 'b.json'].map((name) => join(dir, name));
  for (const file of files) await run('key', 'new', '--out', file);
  const { out } = await run('key', 'show', ...files);
  assert.equal(JSON.parse(out).keys.length, 2);
});

test('key without what to do, or with something unknown: usage, and nothing made', async () => {
  for (const argv of [['key'], ['key', 'frob'], ['key', 'show'], ['key', 'new', 'x.json']]) {
    const { code, out, err } = await run(...argv);
    assert.deepEqual([code, out], [2, ''], argv.join(' '));
    assert.match(err, /Write: orb key/);
  }
});

test('key show of a file that is not there: exit 4, and what to do', async (t) => {
  const { code, err } = await run('key', 'show', join(await scratch(t), 'none'));
  assert.equal(code, 4);
  assert.match(err, /does not exist.*orb key new/s);
});

test('doctor: a key that is set is looked at; one that will not do is a failed check', async (t) => {
  const file = join(await scratch(t), 'key.json');
  await run('key', 'new', '--out', file);
  const agent = ['--signature-agent', 'https://bot.example'];
  const good = await run('doctor', '--sign-key', file, ...agent);
  assert.equal(good.code, 0);
  assert.match(good.out, /^ok {4}signing .*key .{43}, to be listed at https:\/\/bot\.example\//m);
  const bad = await run('doctor', '--sign-key', `${file}x`, ...agent);
  assert.equal(bad.code, 1);
  assert.match(bad.out, /^fail {2}signing .*does not exist\.\n +→ Make a key/m);
  assert.doesNotMatch((await run('doctor')).out, /signing/);
});

/** The directory as `answer` says, asked by the command. */
async function check(file: string, answer: { status?: number; type?: string; body?: string }) {
  const argv = ['key', 'check', '--sign-key', file, '--signature-agent', 'https://bot.example'];
  const world = fakeWorld({ argv });
  const { status = 200, type = 'application/http-message-signatures-directory+json' } = answer;
  const outcome: Outcome = {
    ...{ kind: 'answered', status, headers: { 'content-type': type } },
    ...{ body: Buffer.from(answer.body ?? ''), remoteAddress: '192.0.2.1', httpVersion: '1.1' },
    timing: { startedAt: 0, firstByteMs: 1, wholeMs: 1 },
  };
  const code = await runCli({ ...world, ask: async () => outcome });
  return { code, out: world.out(), err: world.err() };
}

test('key check: a good directory is ok, and what verifiers trip over is told', async (t) => {
  const file = join(await scratch(t), 'key.json');
  const { out: body } = await run('key', 'new', '--out', file);
  const good = await check(file, { body });
  assert.deepEqual([good.code, good.err], [0, '']);
  assert.match(good.out, /^ok {4}https:\/\/bot\.example\/\.well-known\/.* lists the key .{43}$/m);

  const [jwk] = JSON.parse(body).keys;
  const wrong: [Parameters<typeof check>[1], number, RegExp][] = [
    [{ status: 301, body }, 1, /answers 301, and verifiers follow no redirect/],
    [{ status: 404 }, 1, /answers 404/],
    [{ body: '<h1>hello</h1>' }, 1, /not a JSON object with a list of keys/],
    [{ body: '{"keys":[]}' }, 1, /does not list the key/],
    [{ body: '{"keys":[null]}' }, 1, /not a JSON object with a list of keys/],
    [{ body: JSON.stringify({ keys: [{ ...jwk, kid: 'mine' }] }) }, 1, /not its thumbprint/],
    [{ body: JSON.stringify({ keys: [{ ...jwk, d: 'x' }] }) }, 1, /private half.*make a new key/s],
    [{ body, type: 'application/json' }, 0, /^warn .*its type is application\/json/],
  ];
  for (const [answer, code, says] of wrong) {
    const found = await check(file, answer);
    assert.match(found.out, says);
    assert.equal(found.code, code, found.out);
  }
});

test('key check without a key: usage, with the line to write', async () => {
  const { code, err } = await run('key', 'check');
  assert.equal(code, 2);
  assert.match(err, /Write: orb key check --sign-key FILE --signature-agent/);
});
