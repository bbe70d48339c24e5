/**
 * A ring whose nodes were all stopped (D7): each comes back and looks for those it knew, who do the
 * same. In this process, with the real transport and folders.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRingNote } from '../../src/adapters/folder/ring-folder.ts';
import { openRing } from '../../src/compose-ring.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import type { RingRequest, RingSession } from '../../src/crawl/ring-desk.ts';
import { scratch } from '../kit/index.ts';

const FLAGS = ['--secret', 'a secret that nobody guesses', '--ring-term', '3s', '--workers', '0'];

function requestOf(dir: string, listen: string, contacts: readonly string[]): RingRequest {
  const resolved = resolveSettings({ argv: [...FLAGS, '--listen', listen, '--render', 'never'] });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  const way = contacts.length === 0 ? 'start' : 'join';
  return { dir, seeds: [], asMade: true, settings: resolved.settings, way, contacts };
}

async function addressOf({ desk }: RingSession): Promise<string> {
  return (await desk.report()).me.at;
}

const PATIENCE_MS = 60_000;

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const last = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(performance.now() < last, `within a minute it is not so: ${what}`);
    await new Promise((look) => setTimeout(look, 50));
  }
}

test('ring: all nodes were stopped and come back at once: they find each other, and the jobs are there', async (t) => {
  const open: RingSession[] = [];
  const closeAll = async () => {
    await Promise.all(open.splice(0).map((session) => session.close()));
  };
  t.after(closeAll);
  const place = await scratch(t);
  const dirs = ['n1', 'n2'].map((name) => join(place, name)) as [string, string];
  open.push(await openRing(requestOf(dirs[0], '127.0.0.1:0', [])));
  const first = open[0] as RingSession;
  open.push(await openRing(requestOf(dirs[1], '127.0.0.1:0', [await addressOf(first)])));
  const places = await Promise.all(open.map(addressOf));
  const members = (await readRingNote(dirs[1]))?.members.map(({ at }) => at);
  assert.deepEqual(members, [places[0]], 'it knows whom to look for from the moment it is in');
  const started = await first.jobs.start({ urls: ['http://192.0.2.1/'], name: 'kept', depth: 0 });
  assert.ok(started !== 'reused');
  const isSeated = async () =>
    (await first.desk.report()).arcs.every(({ seats }) => seats.length === 2);
  await until('each arc has two seats', isSeated);
  await closeAll();

  const back = dirs.map((dir, nth) => openRing(requestOf(dir, places[nth] as string, [])));
  open.push(...(await Promise.all(back)));
  for (const session of open) {
    const names = () => session.jobs.list().map(({ name }) => name);
    await until('the job is there', async () => names().includes('kept'));
    await until('both are found', async () => (await session.desk.survey()).nodes.length === 2);
  }
});
