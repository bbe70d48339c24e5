/**
 * Who is not let into a ring, and why, in words that say what to check (D8, L4): each with the real
 * transport, in this process. And folders: a node's, a plain crawl's, one that was refused before.
 */
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCrawl } from '../../src/compose.ts';
import { readFolder } from '../../src/compose-read.ts';
import { openRing } from '../../src/compose-ring.ts';
import { askRing } from '../../src/compose-ring-ask.ts';
import { ringKeyOf } from '../../src/compose-ring-folder.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import type { RingRequest, RingSession } from '../../src/crawl/ring-desk.ts';
import { certify } from '../../src/ring/index.ts';
import { SignKey } from '../../src/sign/index.ts';
import { scratch } from '../kit/index.ts';
import type { Cleanup } from '../kit/place.ts';

const FLAGS = ['--listen', '127.0.0.1:0', '--workers', '0', '--render', 'never'];
const SECRET = 'a secret that nobody guesses';

function settingsOf(flags: readonly string[]) {
  const resolved = resolveSettings({ argv: [...FLAGS, ...flags] });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  return resolved.settings;
}

function requestOf(dir: string, flags: readonly string[], contacts: readonly string[]) {
  const way: RingRequest['way'] = contacts.length === 0 ? 'start' : 'join';
  return { dir, seeds: [], asMade: true, settings: settingsOf(flags), way, contacts };
}

/** Nodes are closed before their folders are thrown away: what is registered first is done first. */
function nodesOf(t: Cleanup) {
  const sessions: RingSession[] = [];
  t.after(async () => {
    for (const session of sessions) await session.close();
  });
  return async (request: RingRequest): Promise<RingSession> => {
    const session = await openRing(request);
    sessions.push(session);
    return session;
  };
}

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

async function refused(request: RingRequest): Promise<Refused> {
  try {
    await (await openRing(request)).close();
  } catch (error) {
    return error as Refused;
  }
  return assert.fail('it was let in');
}

test('ring: whoever is not let in is told what to check, and may try again with its folder', async (t) => {
  const opened = nodesOf(t);
  const place = await scratch(t);
  const dir = (name: string) => join(place, name);
  const flags = ['--secret', SECRET];
  const first = await opened(requestOf(dir('n1'), flags, []));
  const { at } = (await first.desk.report()).me;

  const stranger = await refused(requestOf(dir('n2'), ['--secret', `${SECRET}!`], [at]));
  assert.equal(stranger.code, 'E_RING_REFUSED');
  assert.match(stranger.hint, /Give the secret of that ring/);
  const short = await refused(requestOf(dir('n2'), ['--secret', 'short'], [at]));
  assert.match(`${short.code} ${short.message}`, /E_CONFIG .*shorter than 16 bytes/);
  const none = await refused(requestOf(dir('n2'), [], [at]));
  assert.match(`${none.code} ${none.hint}`, /E_CONFIG .*--secret-file/);
  const nobody = await refused(requestOf(dir('n2'), flags, ['127.0.0.1:1']));
  assert.match(`${nobody.code} ${nobody.message}`, /E_RING_DOWN .*127\.0\.0\.1:1/);

  await writeFile(dir('open.secret'), SECRET, { mode: 0o644 });
  const open = await refused(requestOf(dir('n2'), ['--secret-file', dir('open.secret')], [at]));
  assert.match(open.hint, /chmod 600/);

  const busy = createServer();
  await new Promise<void>((done) => busy.listen(0, '127.0.0.1', done));
  t.after(() => void busy.close());
  const { port } = busy.address() as { port: number };
  const taken = await refused(
    requestOf(dir('n2'), [...flags, '--listen', `127.0.0.1:${port}`], [at]),
  );
  assert.match(`${taken.code} ${taken.message}`, /E_CONFIG .*another process does already/);

  const asked = { ...requestOf(dir('n2'), [...flags, '--strip-www'], [at]), asMade: false };
  const other = await refused(asked);
  assert.match(`${other.code} ${other.message}`, /E_FOLDER_SETTINGS .*--strip-www/);

  for (const [flag, value] of [
    ['--copies', '2'],
    ['--ack', 'full'],
    ['--ring-term', '4s'],
  ] as const) {
    const differs = await refused(requestOf(dir('n2'), [...flags, flag, value], [at]));
    assert.match(
      `${differs.code} ${differs.message}`,
      new RegExp(`E_FOLDER_SETTINGS .*${flag} was`),
    );
    assert.match(differs.hint, /give every node the same/);
  }
  assert.equal((await first.desk.survey()).nodes.length, 1, 'nobody of them was a member');

  await mkdir(dir('copy'));
  await cp(join(dir('n1'), 'ring.key'), join(dir('copy'), 'ring.key'));
  const twin = await refused(requestOf(dir('copy'), flags, [at]));
  assert.match(`${twin.code} ${twin.hint}`, /E_RING_REFUSED Was the folder copied\?/);

  const second = await opened(requestOf(dir('n2'), flags, [at]));
  assert.equal((await second.desk.report()).status, 'member');
  assert.ok((await askRing(dir('n2'))) !== undefined, 'it is asked through its folder');
});

test('ring: folders: a plain crawl in one of a node, and the other way round, are refused', async (t) => {
  const place = await scratch(t);
  const [node, plain] = [join(place, 'node'), join(place, 'plain')];
  const session = await openRing(requestOf(node, [], []));
  const secret = await readFile(join(node, 'ring.secret'), 'utf8');
  assert.ok(secret.trim().length >= 43, 'who begins a ring makes its secret');
  await assert.rejects(session.desk.leave()[Symbol.asyncIterator]().next(), /the only one/);
  await session.close();
  await assert.rejects(readFolder(node), /does not run/);
  const crawl = { dir: node, seeds: ['http://127.0.0.1:1/'], settings: settingsOf([]) };
  await assert.rejects(openCrawl(crawl), /is the folder of a node of a ring/);
  await (await openCrawl({ ...crawl, dir: plain })).close();
  assert.match((await refused(requestOf(plain, [], []))).message, /a crawl that is of no ring/);
  const again = await openRing(requestOf(node, [], []));
  assert.equal((await again.desk.report()).arcs.length, 64, 'it has what it had');
  await again.close();
});

test('ring: certificates: of this node and for now, or it is said what is wrong with them', async (t) => {
  const opened = nodesOf(t);
  const place = await scratch(t);
  const ring = new SignKey(Buffer.alloc(32, 9));
  const flagsFor = async (name: string, life: readonly [number, number]) => {
    const dir = join(place, name);
    const [from, until] = life.map((hours) => Date.now() + hours * 3_600_000) as [number, number];
    const key = await ringKeyOf(dir);
    const file = join(place, `${name}.cert`);
    await writeFile(file, certify(ring, { node: key.publicJwk.x, name, from, until }));
    return { dir, flags: ['--certificate', file, '--ring-key', ring.publicJwk.x] };
  };
  const one = await flagsFor('n1', [-1, 1]);
  const first = await opened(requestOf(one.dir, one.flags, []));
  const { at } = (await first.desk.report()).me;
  const over = await flagsFor('n2', [-9, -1]);
  const late = await refused(requestOf(over.dir, over.flags, [at]));
  assert.match(`${late.message} ${late.hint}`, /n2\.cert .*Is the clock right\?/);
  const theirs = await refused(requestOf(over.dir, one.flags, [at]));
  assert.match(theirs.message, /does not make this node/);
  const bySecret = await refused(requestOf(over.dir, ['--secret', SECRET], [at]));
  assert.match(`${bySecret.code} ${bySecret.hint}`, /E_RING_REFUSED .*--certificate/);
  const two = await flagsFor('n2', [-1, 1]);
  const second = await opened(requestOf(two.dir, two.flags, [at]));
  assert.equal((await second.desk.report()).status, 'member');
});

test('ring: a member that comes back with another number of copies is refused; without a word it has its own', async (t) => {
  const dir = join(await scratch(t), 'n1');
  const flags = ['--secret', SECRET];
  await (await openRing(requestOf(dir, [...flags, '--copies', '2'], []))).close();
  const other = await refused({
    ...requestOf(dir, [...flags, '--copies', '4'], []),
    asMade: false,
  });
  assert.match(`${other.code} ${other.message}`, /E_FOLDER_SETTINGS .*--copies was 2 and is now 4/);
  const again = await openRing(requestOf(dir, flags, []));
  const { at } = (await again.desk.report()).me;
  const joiner = requestOf(`${dir}-2`, [...flags, '--copies', '3'], [at]);
  assert.match((await refused(joiner)).message, /--copies was 2 and is now 3/);
  await again.close();
});
