import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { diskSecretFiles } from './secret-files.ts';

const isWindows = process.platform === 'win32' && 'Windows has no mode bits';

test('secret files: a new file and a replaced one are the owner’s alone, whatever the umask', {
  skip: isWindows,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'orb-secret-'));
  const umask = process.umask(0);
  t.after(async () => {
    process.umask(umask);
    await rm(folder, { recursive: true });
  });
  const files = diskSecretFiles(folder);
  const mode = async () => (await stat(join(folder, 'in/it.json'))).mode & 0o777;
  await files.write('in/it.json', 'one');
  assert.equal(await mode(), 0o600);
  process.umask(0o777);
  await files.write('in/it.json', 'two');
  assert.equal(await mode(), 0o600);
  assert.equal(await files.read('in/it.json'), 'two');
  assert.deepEqual(await readdir(join(folder, 'in')), ['it.json'], 'no draft is left');
});

test('secret files: one that others can read is refused, with what to do; none is undefined', {
  skip: isWindows,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'orb-secret-'));
  t.after(() => rm(folder, { recursive: true }));
  const files = diskSecretFiles(folder);
  assert.equal(await files.read('none'), undefined);
  await writeFile(join(folder, 'open'), 'x');
  for (const mode of [0o644, 0o640, 0o602]) {
    await chmod(join(folder, 'open'), mode);
    await assert.rejects(files.read('open'), {
      code: 'E_CONFIG',
      message: /open can be read or changed by others \(mode 06\d\d\)/,
      hint: 'Run: chmod 600 open',
    });
  }
});
