/** `orb doctor` on the folder of a ring's node (L6): one that runs, one that rests, what is wrong with it. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { readRingNote } from '../../src/adapters/folder/ring-folder.ts';
import { openRing } from '../../src/compose-ring.ts';
import { checkRing, runningChecks } from '../../src/compose-ring-check.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import type { RingRequest, RingSession } from '../../src/crawl/ring-desk.ts';
import { scratch } from '../kit/index.ts';

const SECRET = 'a secret that nobody guesses';

function settingsOf(flags: readonly string[]) {
  const argv = ['--workers', '0', '--render', 'never', ...flags];
  const resolved = resolveSettings({ argv });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  return resolved.settings;
}

function requestOf(dir: string, contacts: readonly string[]): RingRequest {
  const settings = settingsOf(['--secret', SECRET, '--listen', '127.0.0.1:0']);
  const way = contacts.length === 0 ? 'start' : 'join';
  return { dir, seeds: [], asMade: true, settings, way, contacts };
}

async function linesOf(dir: string, ...flags: readonly string[]): Promise<string> {
  const checks = await checkRing(dir, settingsOf(flags));
  return checks.map(({ state, what, fix }) => `${state}: ${what} → ${fix ?? ''}`).join('\n');
}

test('doctor: a node of a ring that runs, that rests, and what keeps it from coming back', async (t) => {
  // Closed before its folder is thrown away: what is registered first is done first.
  const open: RingSession[] = [];
  t.after(() => Promise.all(open.map((session) => session.close())));
  const place = await scratch(t);
  const dir = (name: string) => join(place, name);
  assert.deepEqual(await checkRing(dir('none'), settingsOf([])), []);
  const first = await openRing(requestOf(dir('n1'), []));
  open.push(first);
  const { at } = (await first.desk.report()).me;
  const second = await openRing(requestOf(dir('n2'), [at]));

  const runs = await linesOf(dir('n1'));
  assert.match(runs, /^ok: the node runs at 127\.0\.0\.1:\d+ \(member\), owns \d+ of 64 arcs/);
  assert.match(runs, /ok: those of all nodes agree/);
  const last = performance.now() + 20_000;
  while ((await readRingNote(dir('n2')))?.members.length === 0) {
    assert.ok(performance.now() < last, 'it notes whom it knows');
    await new Promise((look) => setTimeout(look, 50));
  }
  await second.close();

  const given = ['--secret', SECRET, '--listen', '127.0.0.1:0'];
  const rests = await linesOf(dir('n2'), ...given);
  assert.match(rests, /^ok: the node does not run; .* is free for it/);
  assert.match(rests, new RegExp(`ok: ${at} answers and lets it in`));
  assert.match(
    await linesOf(dir('n2')),
    /^fail: A node needs the secret of its ring.*ring\.secret/,
  );
  const stranger = await linesOf(dir('n2'), '--secret', `${SECRET}!`, '--listen', '127.0.0.1:0');
  assert.match(stranger, /fail: .*→ Give the secret of that ring/);

  const busy = createServer().listen(0, '127.0.0.1');
  t.after(() => void busy.close());
  await new Promise((done) => busy.once('listening', done));
  const { port } = busy.address() as { port: number };
  const taken = await linesOf(dir('n2'), '--secret', SECRET, '--listen', `127.0.0.1:${port}`);
  assert.match(taken, /^fail: Nobody can listen at .* → Give an address of this machine/);
});

test('doctor: a ring with a silent node, an arc without an owner, a clock that is wrong: each is said', () => {
  const peer = (n: number) => ({ id: `id${n}`, place: `${n}`.repeat(16), at: `192.0.2.${n}:7946` });
  const report = (n: number, skewMs: number) => ({
    ...{ me: peer(n), status: 'member', at: 1_000_000 + skewMs, before: undefined },
    ...{ successors: [], fingers: [], arcs: [], lookups: [] },
  });
  const seen = (n: number, skewMs: number) => {
    return { peer: peer(n), report: report(n, skewMs), heardAt: 1_000_000 };
  };
  const arc = { epoch: 1, seats: [peer(1).place, peer(2).place], level: 2, isHanding: false };
  const survey = {
    ...{ at: 1_000_000, me: peer(1), isWhole: true },
    nodes: [seen(1, 0), seen(2, 90_000), { peer: peer(3), report: undefined, heardAt: undefined }],
    arcs: [
      { ...arc, arc: 0, owner: peer(1).place },
      { ...arc, arc: 1, owner: undefined },
    ],
  };
  const checks = runningChecks(report(1, 0) as never, survey as never);
  assert.deepEqual(
    checks.map(({ state, name }) => `${name} ${state}`),
    ['ring ok', 'ring nodes warn', 'ring arcs fail', 'ring clocks fail'],
  );
  assert.ok(checks.slice(1).every(({ fix }) => fix !== undefined));
  assert.match(
    checks.map(({ what }) => what).join(),
    /192\.0\.2\.3:7946.*arc 1.*192\.0\.2\.2:7946/,
  );
});
