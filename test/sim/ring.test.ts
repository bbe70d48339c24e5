/**
 * The ring in virtual time: what must hold under churn, and that the checkers can fail. Each
 * planted fault is one that Chord as first published had, or invited.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Chord, isBetween, type Peer, type Step, step } from '../../src/ring/index.ts';
import { figures, type RingSize, run } from './ring.ts';
import { Churn, grow } from './ring-churn.ts';
import { isRight, RingWorld, type WorldOptions } from './ring-world.ts';

const RULES = { successors: 4, stabiliseMs: 3_000, fixMs: 5_000 };
const NODES = 40;

/** A ring of forty that lives through two minutes in which half of it is replaced, and more. */
function churned(seed: number, options: Partial<WorldOptions> = {}): RingWorld {
  const rules = { ...RULES, ...options.rules };
  const world = new RingWorld({ places: 2 * NODES, seed, ...options, rules });
  const coming = grow(world, NODES);
  // Until lists know the joiners, only the first five are principals, and none may go.
  world.runFor(20_000);
  const churn = new Churn(world, coming, 2);
  for (let second = 0; second < 120; second++) churn.runSecond();
  assert.ok(churn.crashes > 5 && churn.joins > 5, 'a churn has both');
  return world;
}

function askAll(world: RingWorld): number {
  world.runFor(60_000);
  const members = world.members();
  const questions = members.map((rank) => world.ask(rank, world.pick(members)));
  while (questions.some(({ isOver }) => !isOver)) world.runFor(1_000);
  return questions.filter((question) => !isRight(question)).length;
}

for (const seed of [1, 2, 3, 4]) {
  test(`ring: churn breaks no part of the invariant, and calm brings every answer (${seed})`, () => {
    const world = churned(seed);
    assert.deepEqual(world.truth.complaints, []);
    assert.ok(world.truth.walks > 50, 'rings were walked');
    assert.equal(askAll(world), 0);
    assert.ok(world.truth.isIdeal());
  });
}

test('ring: the same seed is the same history, another is another', () => {
  const [a, b, c] = [churned(7), churned(7), churned(8)];
  assert.equal(a.sent, b.sent);
  assert.deepEqual(a.members(), b.members());
  assert.notEqual(a.sent, c.sent);
});

/** Changes what a step came to, where a fault would have it otherwise. */
function planted(fault: (was: Chord, is: Chord) => Chord): Step {
  return (chord, input, now) => {
    const [is, effects] = step(chord, input, now);
    return [is === chord ? is : fault(chord, is), effects];
  };
}

/** What the checkers say of a few seeds with a fault. */
function complaintsOf(options: Partial<WorldOptions>): string {
  return [1, 2, 3, 4]
    .flatMap((seed) => churned(seed, options).truth.complaints)
    .map(({ what }) => what)
    .join('\n');
}

test('planted: a joiner that takes only its successor is caught', () => {
  const fault = planted((was, is) =>
    was.status === 'joining' && is.status === 'member' ? { ...is, list: is.list.slice(0, 1) } : is,
  );
  assert.match(complaintsOf({ step: fault }), /no live successor/);
});

test('planted: a successor list of one is caught', () => {
  const rules = { successors: 1 };
  assert.match(complaintsOf({ rules }), /no live successor|principals/);
});

/** Zero's successor two has taken one for its predecessor; one dies, zero hears of it, two dies. */
function hearingOfTheDead(step: Step): RingWorld {
  const rules = { ...RULES, successors: 2 };
  const world = new RingWorld({ seed: 1, places: 12, base: 6, rules, step });
  const until = (holds: () => boolean) => {
    for (let ms = 0; !holds(); ms++) {
      assert.ok(ms < 20_000, 'comes soon');
      world.runFor(1);
    }
  };
  const headOf = (rank: number) => world.chordAt(rank)?.list[0]?.at;
  world.join(1, [4]);
  until(() => world.chordAt(2)?.before?.at === world.peers[1]?.at);
  assert.equal(headOf(0), world.peers[2]?.at);
  world.crash([1]);
  const isTold = () => world.chordAt(0)?.stabilising?.whom === 'nearer';
  until(() => isTold() || headOf(0) === world.peers[1]?.at);
  world.crash([2]);
  return world;
}

test('planted: a stabilise that takes the nearer node unasked is caught', () => {
  const fault = planted((was, is) => {
    const open = is.stabilising;
    if (open?.whom !== 'nearer' || was.stabilising?.whom === 'nearer') return is;
    const list = [open.to, ...is.list].slice(0, is.rules.successors);
    return { ...is, list, stabilising: undefined };
  });
  assert.deepEqual(hearingOfTheDead(step).truth.complaints, []);
  const told = hearingOfTheDead(fault).truth.complaints.map(({ what }) => what);
  assert.match(told.join(), /1 members have no live successor/);
});

test('planted: a dead successor replaced by a finger is caught', () => {
  const fault = planted((was, is) => {
    const isDropped = was.list.length > 1 && is.list.length > 0 && is.list[0] === was.list[1];
    const finger = is.fingers.findLast((one) => one !== undefined);
    return isDropped && finger !== undefined ? { ...is, list: [finger] } : is;
  });
  assert.match(complaintsOf({ step: fault }), /no live successor|principals|times round|rings/);
});

test('planted: an owner named by a finger is a wrong answer', () => {
  const nearest = (chord: Chord, key: Peer['place']) =>
    chord.fingers.findLast((one) => one !== undefined && isBetween(key, one.place, chord.me.place));
  const believing: Step = (chord, input, now) => {
    if (input.kind !== 'lookup') return step(chord, input, now);
    const owner = nearest(chord, input.key);
    if (owner === undefined) return step(chord, input, now);
    const found = { key: input.key, owner, range: undefined, hops: 0, at: now };
    return [chord, [{ kind: 'found', tag: input.tag, found }]];
  };
  assert.ok(askAll(churned(1, { step: believing })) > 0);
});

test('ring: with a tenth of all messages lost, calm still brings every answer', () => {
  const world = churned(5, { loss: 0.1 });
  assert.equal(askAll(world), 0);
});

test('ring: a partition makes two rings, and its end makes one of them', () => {
  const world = new RingWorld({ seed: 3, places: NODES, rules: { ...RULES, reachMs: 10_000 } });
  grow(world, NODES);
  world.runFor(60_000);
  assert.equal(world.truth.complaintCount, 0);
  world.sideOf = (rank) => rank % 3;
  world.runFor(90_000);
  assert.match(world.truth.complaints.map(({ what }) => what).join(), /2 rings|3 rings/);
  world.sideOf = undefined;
  world.runFor(240_000);
  assert.ok(world.truth.isIdeal(), 'one ring, and everybody knows its next');
  assert.equal(askAll(world), 0);
});

test('ring: all but three of forty killed at once: those three are a ring', () => {
  const world = new RingWorld({ seed: 4, places: NODES, rules: { ...RULES, successors: 16 } });
  grow(world, NODES);
  world.runFor(60_000);
  world.crash(world.members().filter((_, i) => i % 13 !== 0 || i > 30));
  assert.equal(world.truth.members, 3);
  world.runFor(180_000);
  assert.ok(world.truth.isIdeal());
  assert.equal(askAll(world), 0);
});

type Command = { readonly kind: 'join' | 'leave' | 'crash'; readonly rank: number; ms: number };

test('ring: no history of joins, leaves and crashes breaks the invariant', () => {
  const command: fc.Arbitrary<Command> = fc.record({
    kind: fc.constantFrom('join', 'join', 'leave', 'crash'),
    rank: fc.nat(15),
    ms: fc.integer({ min: 1, max: 5_000 }),
  });
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), fc.nat(1_000), (history, seed) => {
      const rules = { ...RULES, stabiliseMs: 1_500 };
      const world = new RingWorld({ seed, places: 16, base: 6, rules });
      for (const one of history) follow(world, one);
      assert.deepEqual(world.truth.complaints, []);
      assert.equal(askAll(world), 0);
    }),
    { numRuns: 60 },
  );
});

/** Zave's assumption: whoever goes leaves a base, and the ring a moment to notice. */
function follow(world: RingWorld, { kind, rank, ms }: Command): void {
  const members = world.members();
  if (kind === 'join') world.join(rank, [world.pick(members), world.pick(members)]);
  else if (world.truth.isMember(rank) && world.truth.principals > RULES.successors + 1) {
    if (kind === 'leave') world.leave(rank);
    else world.crash([rank]);
    world.runFor(4_000);
  }
  world.runFor(ms);
}

const SMALL: RingSize = {
  nodes: 120,
  seed: 1,
  churn: 3,
  minutes: 1,
  loss: 0,
  kill: 0.5,
  successors: 16,
};

test('sim ring: every figure holds at a hundred and twenty nodes', () => {
  const found = [...figures(SMALL)];
  assert.deepEqual(
    found.filter(({ holds }) => !holds),
    [],
  );
  const bounds = found.filter(({ bound }) => bound !== '').map(({ figure }) => figure);
  for (const what of ['quiet: mean hops', 'dead fingers: lookups right', 'invariant: complaints']) {
    assert.ok(bounds.includes(what), what);
  }
});

test('sim ring: a figure that does not hold fails the command', () => {
  const args = ['--nodes', '100', '--successors', '1', '--minutes', '1', '--churn', '1'];
  assert.throws(() => [...run(args)], /figures do not hold/);
  assert.throws(() => [...run(['--nodes', 'many'])], /--nodes takes a number/);
});
