/** `orb key`, as a person meets it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratch } from '../../../test/kit/index.ts';
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
