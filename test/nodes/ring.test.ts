/**
 * Rings of nodes on loopback, with the real transport: each node has its own sockets and key.
 * They mostly wait for rounds, so all tests run at once.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { systemClock } from '../../src/adapters/node/index.ts';
import { openPeers } from '../../src/adapters/peer/index.ts';
import { RingMember } from '../../src/crawl/ring-member.ts';
import type { Peers } from '../../src/ports/peers.ts';
import {
  type ChordRules,
  isInRange,
  type Membership,
  type Peer,
  type Position,
  placeOf,
} from '../../src/ring/index.ts';
import { SignKey } from '../../src/sign/index.ts';

const clock = systemClock();
const membership: Membership = { kind: 'secret', secret: Buffer.from('a secret of this ring') };
/** Quick rounds, and answers that may take as long as a busy machine makes them. */
const RULES: Partial<ChordRules> = {
  stabiliseMs: 250,
  fixMs: 200,
  reachMs: 1_000,
  patienceMs: 300,
};
/**
 * Lookups are right again after 4 rounds (docs/ring.md), of which silence is a small part. Here a
 * silence is longer than a round: that of two neighbours, three tries each, comes on top.
 */
const ROUNDS_PROMISED = 4 + Math.ceil((2 * 3 * 300) / 250);
const JOINS_MAX = 3;
const KEYS = Array.from({ length: 16 }, (_, i) => placeOf(Buffer.from(`host ${i}`)));

interface Node {
  readonly peers: Peers;
  readonly member: RingMember;
}

/** Whether the network between two nodes is cut. */
type Cut = (from: Peer, to: Peer) => boolean;

async function nodeOf(t: TestContext, n: number, isCut: Cut = () => false): Promise<Node> {
  const key = new SignKey(Buffer.alloc(32, n));
  const open = await openPeers({ key, membership, listen: '127.0.0.1:0', clock });
  const peers = cuttable(open, isCut);
  const member = new RingMember({ peers, clock, rules: RULES });
  t.after(() => member.close());
  return { peers, member };
}

/** What is sent over a cut is lost, and the sender is not told. */
function cuttable(peers: Peers, isCut: Cut): Peers {
  return {
    me: peers.me,
    send: async (to, message) => (isCut(peers.me, to) ? { kind: 'sent' } : peers.send(to, message)),
    meet: (at) => peers.meet(at),
    receive: (receiver) => peers.receive(receiver),
    counts: () => peers.counts(),
    close: () => peers.close(),
  };
}

async function ringOf(t: TestContext, count: number, isCut?: Cut): Promise<Node[]> {
  const opening = Array.from({ length: count }, (_, i) => nodeOf(t, i + 1, isCut));
  const nodes = await Promise.all(opening);
  const [first, ...others] = nodes as [Node, ...Node[]];
  first.member.start();
  for (const { member } of others) {
    await joined(member, first.peers.me.at);
  }
  return nodes;
}

/** A joiner that nobody answered in time may try again. */
async function joined(member: RingMember, at: string): Promise<void> {
  for (let tries = 1; (await member.join([at])).kind !== 'joined'; tries++) {
    assert.ok(tries < JOINS_MAX, 'a member joins');
  }
}

const inOrder = (nodes: readonly Node[]) =>
  [...nodes].sort((a, b) => (a.peers.me.place < b.peers.me.place ? -1 : 1));

/** The owner as somebody sees it who sees all nodes. */
function ownerOf(nodes: readonly Node[], key: Position): Node {
  const sorted = inOrder(nodes);
  return sorted.find(({ peers }) => peers.me.place >= key) ?? (sorted[0] as Node);
}

/** Every node asks for every key: how many were told another than the owner. */
async function wrongLookups(nodes: readonly Node[]): Promise<number> {
  const asked = nodes.flatMap(({ member }) =>
    KEYS.map(async (key) => {
      const found = await member.lookup(key);
      return found?.owner.id === ownerOf(nodes, key).peers.me.id;
    }),
  );
  return (await Promise.all(asked)).filter((isRight) => !isRight).length;
}

/** Asks until every answer is right, and says how many rounds had passed before the asking began. */
async function roundsUntilRight(nodes: readonly Node[]): Promise<number> {
  const rounds = () => Math.max(...nodes.map(({ member }) => member.view().rounds));
  const from = rounds();
  for (let passed = 0; ; passed = rounds() - from) {
    assert.ok(passed <= ROUNDS_PROMISED, `wrong after ${ROUNDS_PROMISED} rounds`);
    if ((await wrongLookups(nodes)) === 0) return passed;
  }
}

/** Every node knows all the others, in order from itself on, and owns what lies before it. */
function isSettled(nodes: readonly Node[]): boolean {
  const sorted = inOrder(nodes);
  return sorted.every(({ member }, i) => {
    const round = [...sorted.slice(i + 1), ...sorted.slice(0, i)].map(({ peers }) => peers.me.id);
    const { successors, before } = member.view();
    const isWhole = successors.map(({ id }) => id).join() === round.join();
    return isWhole && before?.id === round.at(-1);
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await clock.sleepUntil(clock.now() + 5);
}

describe('ring on loopback', { concurrency: true }, () => {
  test('ring: eight nodes on loopback; two die without a word; lookups are right again in time', async (t) => {
    const nodes = await ringOf(t, 8);
    await until(() => isSettled(nodes));
    await roundsUntilRight(nodes);
    for (const key of KEYS) {
      const owners = nodes.filter(({ member }) => isInRange(key, member.view().range));
      assert.equal(owners.length, 1, 'one owner of each key');
    }
    // Neighbours: the worst two, because each was the other's way around.
    const [one, two] = inOrder(nodes).slice(3, 5) as [Node, Node];
    const left = nodes.filter((node) => node !== one && node !== two);
    await Promise.all([one.member.close(), two.member.close()]);
    t.diagnostic(`right after ${await roundsUntilRight(left)} rounds`);
    await until(() => isSettled(left));
    await roundsUntilRight(left);
  });

  test('ring: who leaves says so, and nobody waits for it', async (t) => {
    const nodes = await ringOf(t, 4);
    await until(() => isSettled(nodes));
    const [gone, ...left] = nodes as [Node, ...Node[]];
    await gone.member.leave();
    assert.equal(gone.member.view().status, 'left');
    await until(() => isSettled(left));
    await roundsUntilRight(left);
  });

  test('ring: a second node with the key of a member is refused, through whomever it comes', async (t) => {
    const nodes = await ringOf(t, 3);
    await until(() => isSettled(nodes));
    for (const { peers } of nodes) {
      const twin = await nodeOf(t, 2);
      const end = await twin.member.join([peers.me.at]);
      assert.equal(end.kind === 'refused' && end.why, 'id-taken', peers.me.at);
      await twin.member.close();
    }
    assert.equal(isSettled(nodes), true);
  });

  test('ring: a node that died may come back with its key, at another address', async (t) => {
    const nodes = await ringOf(t, 3);
    await until(() => isSettled(nodes));
    const [first, , third] = nodes as [Node, Node, Node];
    await third.member.close();
    const again = await nodeOf(t, 3);
    await joined(again.member, first.peers.me.at);
    const now = [...nodes.slice(0, 2), again];
    await until(() => isSettled(now));
    await roundsUntilRight(now);
  });

  test('ring: a stranger cannot join, and is told why; nobody there is told, too', async (t) => {
    const [node] = (await ringOf(t, 1)) as [Node];
    const other: Membership = { kind: 'secret', secret: Buffer.from('the secret of another') };
    const key = new SignKey(Buffer.alloc(32, 9));
    const options = { key, membership: other, listen: '127.0.0.1:0', clock };
    const member = new RingMember({ peers: await openPeers(options), clock, rules: RULES });
    t.after(() => member.close());
    const end = await member.join([node.peers.me.at, '127.0.0.1:1']);
    assert.equal(end.kind === 'refused' && end.why, 'no-contact');
    const contacts = end.kind === 'refused' ? end.contacts.map(({ why }) => why) : [];
    assert.deepEqual(contacts, ['stranger', 'silent']);
    assert.equal(await member.lookup(KEYS[0] as Position), undefined);
  });

  test('ring: a peer that sends no message of the ring is dropped, and the ring goes on', async (t) => {
    const nodes = await ringOf(t, 2);
    await until(() => isSettled(nodes));
    const key = new SignKey(Buffer.alloc(32, 9));
    const mad = await openPeers({ key, membership, listen: '127.0.0.1:0', clock });
    t.after(() => mad.close());
    const [{ peers }] = nodes as [Node, Node];
    for (const text of ['', '{}', '{"v":1,"kind":"list","n":1,"list":7}', '[', '\0\0']) {
      await mad.send(peers.me, Buffer.from(text));
      await until(() => mad.counts().sessions === 0);
    }
    assert.equal(peers.counts().nonsense, 5);
    assert.equal(isSettled(nodes), true);
  });

  test('ring: a partition makes two rings of it, and its end one again', async (t) => {
    const far = new Set<string>();
    const nodes = await ringOf(t, 4, (from, to) => far.has(from.id) !== far.has(to.id));
    await until(() => isSettled(nodes));
    const [here, there] = [nodes.slice(0, 2), nodes.slice(2)];
    for (const { peers } of there) far.add(peers.me.id);
    await until(() => isSettled(here) && isSettled(there));
    await roundsUntilRight(here);
    far.clear();
    await until(() => isSettled(nodes));
    await roundsUntilRight(nodes);
  });
});
