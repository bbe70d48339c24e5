import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemMachine } from './machine.ts';

test('machine: facts about a folder that is not there yet, which stays so', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'orbtest-'));
  t.after(() => rm(top, { recursive: true, force: true }));
  const dir = join(top, 'a', 'b');
  const facts = await systemMachine().facts({ dir });
  assert.equal(facts.writeProblem, '');
  assert.ok((facts.freeBytes ?? 0) > 0);
  assert.equal(facts.node, process.versions.node);
  assert.equal(facts.lookup, undefined);
  assert.ok(!existsSync(join(top, 'a')));
  assert.deepEqual(await readdir(top), []);
});

test('machine: a folder that cannot be written says why', async (t) => {
  const top = await mkdtemp(join(tmpdir(), 'orbtest-'));
  t.after(() => rm(top, { recursive: true, force: true }));
  await writeFile(join(top, 'file'), '');
  const { writeProblem } = await systemMachine().facts({ dir: join(top, 'file', 'x') });
  assert.match(writeProblem, /ENOTDIR|EEXIST/);
});

test('machine: names are looked up only when asked, and a failure is told', async () => {
  const lookup = { name: 'localhost', servers: [] };
  const { lookup: found } = await systemMachine().facts({ dir: tmpdir(), lookup });
  assert.ok((found?.addresses.length ?? 0) > 0);
  const none = { name: 'no-such-host.invalid', servers: ['127.0.0.1:9'] };
  const { lookup: failed } = await systemMachine().facts({ dir: tmpdir(), lookup: none });
  assert.match(failed?.problem ?? '', /no-such-host\.invalid/);
});
