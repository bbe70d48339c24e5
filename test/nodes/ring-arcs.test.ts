/**
 * Arcs on a ring of three nodes with real connections and real disks (D4, D5): what was kept is with
 * the next owner, a node that was stopped is brought up with rows, and one with a key that is there
 * already is refused.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Lsm } from '../../src/adapters/embedded/lsm.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { openPeers } from '../../src/adapters/peer/index.ts';
import { ArcQueue, LsmArcCopies, LsmArcTable, RingRows } from '../../src/adapters/ring/index.ts';
import { seededRandom } from '../../src/base/random.ts';
import { RingNode } from '../../src/crawl/ring-node.ts';
import { SignKey } from '../../src/sign/index.ts';

const clock = systemClock();
const secret = Buffer.from('a secret of this ring');
const ARCS = Array.from({ length: 64 }, (_, arc) => arc);
/** Quick terms, so that nobody waits for long. */
const QUICK = {
  rules: { copies: 2, termMs: 2_000, marginMs: 200, staggerMs: 150, againMs: 500 },
  chord: { stabiliseMs: 250, patienceMs: 400 },
  tickMs: 150,
};

interface Node {
  readonly ring: RingNode;
  readonly table: LsmArcTable;
  arcs: readonly number[];
  close(): Promise<void>;
}

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orb-ring-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function nodeOf(t: TestContext, key: number, dir: string): Promise<Node> {
  const peers = await openPeers({
    ...{ key: new SignKey(Buffer.alloc(32, key)), clock, listen: '127.0.0.1:0' },
    membership: { kind: 'secret', secret },
  });
  const lsm = await Lsm.open({ dir, syncAlways: false });
  const queue = new ArcQueue();
  const copies = new LsmArcCopies(lsm, queue);
  const ring = new RingNode({ peers, clock, random: seededRandom(key), copies, ...QUICK });
  let closing: Promise<void> | undefined;
  const node: Node = {
    ...{ ring, table: new LsmArcTable(new RingRows(lsm, ring, queue), 'inbox'), arcs: [] },
    close: () => {
      closing ??= ring.close().then(() => lsm.close());
      return closing;
    },
  };
  ring.onArcs((arcs) => {
    node.arcs = arcs;
  });
  t.after(node.close);
  return node;
}

/** Looks again and again: how a ring stands is nobody's event. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await clock.sleepUntil(clock.now() + 50);
}

/** Every arc is owned, by nodes that all keep copies of it, and all of them have everything. */
function isWhole(nodes: readonly Node[]): boolean {
  const owned = nodes.flatMap(({ ring }) => ring.report().arcs.filter((it) => it.role === 'owner'));
  const isLevel = owned.every(({ seats, level }) => seats.length === nodes.length && level === 3);
  return isLevel && isAllOwned(nodes) && nodes.every(({ arcs }) => arcs.length > 0);
}

const isAllOwned = (nodes: readonly Node[]) => nodes.flatMap(({ arcs }) => arcs).length === 64;
const owns = (nodes: readonly Node[], arc: number) =>
  nodes.find(({ arcs }) => arcs.includes(arc)) as Node;
const row = (arc: number) => {
  return { key: Buffer.from(`key ${arc}`), value: Buffer.alloc(9_000, arc) };
};

test('ring arcs: on real disks and connections, what K have kept outlives an owner', async (t) => {
  const dirs = await Promise.all([1, 2, 3].map(() => folder(t)));
  const open = (n: number) => nodeOf(t, n + 1, dirs[n] as string);
  const nodes = await Promise.all([open(0), open(1), open(2)]);
  const [a, b, c] = nodes;
  await a.ring.start();
  await until(() => a.arcs.length === 64);
  for (const arc of ARCS) await a.table.put(arc, [row(arc)]);
  for (const { ring } of [b, c]) assert.equal((await ring.join([a.ring.me.at])).kind, 'joined');
  await until(() => isWhole(nodes));
  for (const arc of ARCS) {
    const [found] = await owns(nodes, arc).table.rows(arc, undefined, 9);
    assert.deepEqual(found?.value, row(arc).value, 'rows went before the arc did');
  }
  const written = b.arcs.slice(0, 3);
  for (const arc of written) await b.table.put(arc, [{ ...row(arc), key: Buffer.from('new') }]);
  await b.close();
  await until(() => isAllOwned([a, c]));
  for (const arc of written) {
    assert.equal((await owns([a, c], arc).table.rows(arc, undefined, 9)).length, 2);
  }
  const { counts } = c.ring.report();
  assert.ok(counts.rowBytesIn > 9_000, 'brought up with rows');
  assert.equal(counts.nonsense + a.ring.report().counts.nonsense, 0);
});

test('ring arcs: a second node with the same key is refused while the first is there', async (t) => {
  const a = await nodeOf(t, 1, await folder(t));
  const b = await nodeOf(t, 2, await folder(t));
  const twin = await nodeOf(t, 2, await folder(t));
  await a.ring.start();
  await until(() => a.arcs.length === 64);
  assert.equal((await b.ring.join([a.ring.me.at])).kind, 'joined');
  const end = await twin.ring.join([a.ring.me.at]);
  assert.deepEqual([end.kind, end.kind === 'refused' && end.why], ['refused', 'id-taken']);
  assert.deepEqual(twin.arcs, []);
});
