import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import {
  arcCopiesContract,
  arcCopiesKilled,
  type CopiesCase,
} from '../../ports/arc-copies.contract.ts';
import { Lsm } from '../embedded/lsm.ts';
import { hostRows } from './copies.testkit.ts';
import { ArcQueue, LsmArcCopies } from './index.ts';

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
