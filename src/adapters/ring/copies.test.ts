import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  arcCopiesContract,
  arcCopiesKilled,
  type CopiesCase,
  savedAt,
} from '../../ports/arc-copies.contract.ts';
import { settling, traceOf, waitingFor } from '../../ports/shard-store.contract.rows.ts';
import { NOTHING } from '../../ports/shard-store.ts';
import { arcOf } from '../../url/index.ts';
import { after as afterAll, TABLE, tableKey } from '../embedded/keys.ts';
import { Lsm } from '../embedded/lsm.ts';
import { hostRows } from './copies.testkit.ts';
import { ArcQueue, LsmArcCopies } from './index.ts';
import { openNode } from './one-node.testkit.ts';
import { savedRow } from './saved.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orb-copies-'));
  folders.push(dir);
  return dir;
}

async function openIn(dir: string): Promise<CopiesCase> {
  const opened: Lsm[] = [];
  const open = async (folder: string) => {
    const lsm = await Lsm.open({ dir: folder, syncAlways: false });
    opened.push(lsm);
    return new LsmArcCopies(lsm, new ArcQueue());
  };
  return {
    copies: await open(dir),
    other: async () => open(await newFolder()),
    reopen: async () => {
      await opened.shift()?.close();
      return open(dir);
    },
    entry: hostRows,
    close: async () => {
      await Promise.all(opened.map((lsm) => lsm.close()));
    },
  };
}

arcCopiesContract('embedded', async () => openIn(await newFolder()));

arcCopiesKilled('embedded', async () => {
  const dir = await newFolder();
  const script = new URL('./copies.testkit.ts', import.meta.url);
  return { script, args: [dir], open: () => openIn(dir) };
});

test('killed while an arc was dropped: the rest of it goes at the next start', async () => {
  const lsm = await Lsm.open({ dir: await newFolder(), syncAlways: false });
  const before = new LsmArcCopies(lsm, new ArcQueue());
  const rows = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`n${n}`, '']));
  for (const arc of [7, 8]) {
    const bodies = [hostRows(arc, rows)];
    await before.save(arc, savedAt(1), { kind: 'entries', bodies });
  }
  await lsm.write([savedRow(7, savedAt(0), true)]);
  const copies = new LsmArcCopies(lsm, new ArcQueue());
  assert.deepEqual((await copies.saved()).get(7), savedAt(0));
  assert.deepEqual(await copies.sums(7, 1), [0]);
  assert.notDeepEqual(await copies.sums(8, 1), [0]);
  await copies.save(7, savedAt(2), { kind: 'entries', bodies: [hostRows(7, rows)] });
  const again = new LsmArcCopies(lsm, new ArcQueue());
  await again.saved();
  assert.notDeepEqual(await again.sums(7, 1), [0], 'what came after is not dropped');
  await lsm.close();
});

test('a dropped arc: where its traces lie is still known, so that they can be erased', async () => {
  const { lsm, store, copies, close } = await openNode(await newFolder());
  const url = waitingFor('http://a.example/');
  const admitted = [{ waiting: url, maybeKnown: true }];
  const settled = [settling(url, { visits: 1 }, traceOf(url.url))];
  await store.commit({ ...NOTHING, admitted, settled });
  await copies.save(arcOf(url.key), savedAt(0), { kind: 'drop' });
  assert.deepEqual(await store.urls([url.key]), [undefined]);
  const gte = tableKey(TABLE.oldTrace, url.key);
  assert.equal((await lsm.keys({ gte, lt: afterAll(gte), limit: 9 })).length, 1);
  await close();
});
