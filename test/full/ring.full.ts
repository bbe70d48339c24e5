/**
 * A ring of eight processes, each at a loopback address of its own: kill -9 of two, a stop of
 * one and its return, a killed one that joins again. `npm run test:full -- ring`.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RingView } from '../../src/crawl/ring-member.ts';
import { type ChordRules, type Peer, placeOf } from '../../src/ring/index.ts';
import type { Wish } from './ring.child.ts';

const CHILD = fileURLToPath(new URL('./ring.child.ts', import.meta.url));
/** As always, five times as fast. */
const RULES: Partial<ChordRules> = {
  stabiliseMs: 1_000,
  fixMs: 500,
  reachMs: 3_000,
  patienceMs: 200,
};
/** Rounds of stabilising after which lookups are right again (docs/ring.md). */
const ROUNDS_PROMISED = 4;
const KEYS = Array.from({ length: 24 }, (_, i) => placeOf(Buffer.from(`host ${i}`)));

class NodeProcess {
  readonly me: Peer;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, me: Peer) {
    this.#child = child;
    this.me = me;
  }

  static async open(t: TestContext, n: number): Promise<NodeProcess> {
    const child = fork(CHILD, [`${n}`, `127.0.0.${n}:0`, JSON.stringify(RULES)]);
    t.after(() => child.kill('SIGKILL'));
    const [{ said }] = (await once(child, 'message')) as [{ said: Peer }];
    return new NodeProcess(child, said);
  }

  async ask<T>(wish: Wish): Promise<T> {
    const answer = once(this.#child, 'message');
    this.#child.send(wish);
    return ((await answer) as [{ said: T }])[0].said;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

type Four = [NodeProcess, NodeProcess, NodeProcess, NodeProcess, ...NodeProcess[]];

async function ringOf(t: TestContext, count: number): Promise<NodeProcess[]> {
  const opening = Array.from({ length: count }, (_, i) => NodeProcess.open(t, i + 1));
  const nodes = await Promise.all(opening);
  const [first, ...others] = nodes as [NodeProcess, ...NodeProcess[]];
  await first.ask({ kind: 'start' });
  for (const node of others) {
    assert.deepEqual(await node.ask({ kind: 'join', via: [first.me.at] }), { kind: 'joined' });
  }
  return nodes;
}

async function wrongLookups(nodes: readonly NodeProcess[]): Promise<number> {
  const sorted = [...nodes].sort((a, b) => (a.me.place < b.me.place ? -1 : 1));
  const truth = KEYS.map((key) => (sorted.find(({ me }) => me.place >= key) ?? sorted[0])?.me.id);
  const told = await Promise.all(
    nodes.map((node) => node.ask<(string | null)[]>({ kind: 'lookup', keys: KEYS })),
  );
  return told.flat().filter((id, i) => id !== truth[i % KEYS.length]).length;
}

/** Looks up until all is right, and says how many rounds had passed before the asking began. */
async function roundsUntilRight(nodes: readonly NodeProcess[], roundsMax: number): Promise<number> {
  const rounds = async () => {
    const views = await Promise.all(nodes.map((node) => node.ask<RingView>({ kind: 'view' })));
    return Math.max(...views.map((view) => view.rounds));
  };
  const from = await rounds();
  for (let passed = 0; ; passed = (await rounds()) - from) {
    assert.ok(passed <= roundsMax, `wrong after ${roundsMax} rounds`);
    if ((await wrongLookups(nodes)) === 0) return passed;
  }
}

test('ring of processes: kill -9 of two, and one that was stopped and returns', async (t) => {
  const nodes = await ringOf(t, 8);
  const [one, two, sleeper, contact, ...others] = nodes as Four;
  const rest = [contact, ...others];
  t.diagnostic(`joined: right after ${await roundsUntilRight(nodes, 8)} rounds`);

  one.kill('SIGKILL');
  two.kill('SIGKILL');
  const rounds = await roundsUntilRight([sleeper, ...rest], ROUNDS_PROMISED);
  t.diagnostic(`two of ${nodes.length} killed: right after ${rounds} rounds`);

  sleeper.kill('SIGSTOP');
  t.diagnostic(`one stopped: right after ${await roundsUntilRight(rest, ROUNDS_PROMISED)} rounds`);
  sleeper.kill('SIGCONT');
  t.diagnostic(`it returns: right after ${await roundsUntilRight([sleeper, ...rest], 20)} rounds`);

  const again = await NodeProcess.open(t, 1);
  assert.deepEqual(await again.ask({ kind: 'join', via: [contact.me.at] }), {
    kind: 'joined',
  });
  t.diagnostic(
    `a killed one joins again: right after ${await roundsUntilRight([again, sleeper, ...rest], 8)} rounds`,
  );
  assert.equal(await wrongLookups([again, sleeper, ...rest]), 0);
});
