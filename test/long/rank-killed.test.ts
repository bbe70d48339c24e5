/** The rating job is killed (-9) between its writes: nothing is lost, and the next one ends it. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FolderRunFiles } from '../../src/adapters/folder/run-files.ts';
import { openEngines } from '../../src/compose.ts';
import { hostsIn, mixedWeb, portsFor, queueIn, RULES } from '../../src/crawl/rank.testkit.ts';
import { runRank } from '../../src/crawl/rank.ts';
import { restingDesk } from '../../src/crawl/rank-desk.ts';
import { killAfter } from '../../src/ports/crash.contract.ts';

const CHILD = new URL('./rank-killed.child.ts', import.meta.url);
const OPTIONS = { syncAlways: false, codec: 'gzip' } as const;
const folders: string[] = [];
after(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orb-rank-'));
  folders.push(dir);
  return dir;
}

/** What the folder holds, before and after its hosts are rated to the end. */
async function rateToTheEnd(dir: string) {
  const engines = await openEngines(dir, OPTIONS);
  const { store } = engines;
  const urls = (await queueIn(store)).map((row) => row.split(' ')[0]).sort();
  const ports = { ...portsFor(store), files: new FolderRunFiles(join(dir, 'rank')) };
  await runRank(ports, restingDesk(store), { rules: RULES });
  const held = { urls, hosts: await hostsIn(store), queue: await queueIn(store) };
  await engines.close();
  return held;
}

test('rank: killed between its writes: every URL waits once, the next job ends it', async () => {
  const whole = await folder();
  const engines = await openEngines(whole, OPTIONS);
  await mixedWeb(engines.store);
  await engines.close();
  const copies = [await folder(), await folder(), await folder()];
  for (const copy of copies) await cp(whole, copy, { recursive: true });
  const expected = await rateToTheEnd(whole);
  assert.equal(expected.urls.length, 403);
  for (const [i, copy] of copies.entries()) {
    await killAfter(1 + 12 * i, CHILD, [copy]);
    assert.deepEqual(await rateToTheEnd(copy), expected);
  }
});
