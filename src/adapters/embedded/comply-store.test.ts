import assert from 'node:assert/strict';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { complyStoreContract } from '../../ports/comply-store.contract.ts';
import { scratchFolder } from '../folder/scratch.testkit.ts';
import { TrailFile } from '../folder/trail-file.ts';
import { EmbeddedComplyStore, Lsm } from './index.ts';

complyStoreContract('embedded', async () => {
  const dir = await scratchFolder();
  const path = join(dir, 'audit.jsonl');
  let lsm = await Lsm.open({ dir: join(dir, 'store'), syncAlways: false });
  return {
    store: new EmbeddedComplyStore(lsm, new TrailFile(path)),
    tear: () => appendFile(path, '{"seq":2,"at'),
    reopen: async () => {
      await lsm.close();
      lsm = await Lsm.open({ dir: join(dir, 'store'), syncAlways: false });
      return new EmbeddedComplyStore(lsm, new TrailFile(path));
    },
  };
});

/** Random letters are written as they are, whatever compresses the tables. */
const SECRET = 'qX7vKp2LmZ9sWd4RtYb8';

async function filesWith(dir: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(dir)) {
    if ((await readFile(join(dir, name))).includes(text)) found.push(name);
  }
  return found;
}

it('lsm: a purged row: what it held is in no file, whatever level it had sunk to', async () => {
  for (const sinksFirst of [false, true]) {
    const dir = join(await scratchFolder(), 'store');
    const lsm = await Lsm.open({ dir, syncAlways: false });
    const key = (n: number) => Buffer.from(`vrow${String(n).padStart(8, '0')}`);
    const row = (n: number, text: string) => {
      return { type: 'put', key: key(n), value: Buffer.from(`${text} ${n}`) } as const;
    };
    const rows = Array.from({ length: 2_000 }, (_, n) => row(n, n === 700 ? SECRET : 'plain'));
    await lsm.write(rows);
    if (sinksFirst) await lsm.purge([key(3)]);
    assert.notDeepEqual(await filesWith(dir, SECRET), []);
    await lsm.write([row(700, 'blank')]);
    await lsm.purge([key(700)]);
    assert.deepEqual(await filesWith(dir, SECRET), [], `sunk first: ${sinksFirst}`);
    const [value] = await lsm.getMany([key(700)]);
    assert.equal(value?.toString(), 'blank 700');
    await lsm.close();
  }
});
