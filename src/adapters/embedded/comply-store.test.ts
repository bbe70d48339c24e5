import assert from 'node:assert/strict';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { complyStoreContract } from '../../ports/comply-store.contract.ts';
import { admitting, settling, waitingFor } from '../../ports/shard-store.contract.rows.ts';
import { NOTHING } from '../../ports/shard-store.ts';
import { blankRecord, encodeTrace } from '../../record/index.ts';
import { expand } from '../folder/blocks.ts';
import { Packs } from '../folder/pack.ts';
import { scratchFolder } from '../folder/scratch.testkit.ts';
import { TrailFile } from '../folder/trail-file.ts';
import { EmbeddedComplyStore, EmbeddedShardStore, Lsm } from './index.ts';

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

it('embedded shard-store: the traces of all visits of an erased URL are in no pack', async () => {
  const dir = await scratchFolder();
  const lsm = await Lsm.open({ dir: join(dir, 'store'), syncAlways: false });
  const traces = await Packs.open({ folder: join(dir, 'traces') });
  const store = await EmbeddedShardStore.open(lsm, traces, 'zstd');
  const waiting = waitingFor('http://a.example/1');
  await store.commit(admitting([waiting, waitingFor('http://a.example/2')]));
  const texts = ['first-trace', 'second-trace', 'third-trace'];
  for (const [i, text] of texts.entries()) {
    const again = { ...waiting, again: i > 0 };
    const columns = { targets: [`http://t.example/${text}`], texts: text, rels: {}, kinds: {} };
    const settled = [settling(again, {}, encodeTrace({}, columns))];
    await store.commit({ ...NOTHING, settled });
  }
  assert.equal((await store.trace(waiting.key))?.links[0]?.text, 'third-trace');
  const record = { ...blankRecord(waiting.url, 1), state: 'skipped' as const };
  await store.commit({ ...NOTHING, erased: [{ key: waiting.key, record }] });
  for await (const { record: block } of traces.scan()) {
    const plain = Buffer.from(block === undefined ? '' : await expand(block)).toString();
    for (const text of texts) assert.ok(!plain.includes(text), text);
  }
  await store.close();
  await traces.close();
  await lsm.close();
});
