/**
 * The frontier over random histories in virtual time (F3–F7, P1–P5): whatever happens in
 * whatever order, jobs paused and cancelled among it, whoever takes from wherever, no URL is lost
 * or asked twice at a time, and nobody is asked too soon.
 * The world that complains is in world.testkit.ts; a failure prints its seed and its history.
 */
import { test } from 'node:test';
import fc from 'fast-check';
import { POLITE, type Politeness } from './index.ts';
import { LEASE_MS, World } from './world.testkit.ts';
import type { Answer, RobotsKind } from './world-servers.testkit.ts';

const HOSTS = 5;
const at = fc.nat(20);
const answers = fc.constantFrom<Answer[]>(
  ...(['well', 'well', 'well', 'well', 'busy', 'busy-later', 'ill', 'gone', 'refused'] as const),
);

type Op = (world: World) => void;

/** Prints as what it does, for the counterexample. */
function op(name: string, does: Op): Op {
  return Object.assign(does, { [fc.toStringMethod]: () => name });
}

const some = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 50, max: 120 }));
const push = fc
  .tuple(fc.nat(HOSTS - 1), some, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean())
  .map(([h, n, p, late]) =>
    op(`push ${n} to h${h} ${p}${late ? ' late' : ''}`, (w) => w.push(h, n, p, late)),
  );
const take = fc
  .tuple(fc.nat(8), fc.nat(8))
  .map(([n, pages]) => op(`take ${n}, ${pages}`, (w) => w.take(n, pages)));
const takeFrom = fc
  .tuple(fc.nat(8), fc.nat(8), fc.constantFrom('eu', 'as', 'na', ''))
  .map(([n, pages, from]) => op(`take ${n}, ${pages} from ${from}`, (w) => w.take(n, pages, from)));
const step = fc.tuple(at, answers).map(([i, a]) => op(`step ${i} ${a}`, (w) => w.step(i, a)));
const beginRefill = fc.nat(6).map((n) => op(`begin refill ${n}`, (w) => w.beginRefills(n)));
const stepRefill = at.map((i) => op(`step refill ${i}`, (w) => w.stepRefill(i)));
const advance = fc
  .oneof(fc.nat(999), fc.nat(5_000), fc.nat(3_600_000), fc.constant(LEASE_MS))
  .map((ms) =>
    op(`advance ${ms}`, (w) => {
      w.now += ms;
    }),
  );
function resume(world: World, job: number): void {
  world.deliver();
  world.frontier.pushBack(world.jobs.resume(job));
}

function cancel(world: World, job: number): void {
  world.deliver();
  const { frontier, jobs, now } = world;
  const named = jobs.cancel(job, (url) => frontier.isOut(url), now);
  frontier.push(named, now);
}

const rare = fc.oneof(
  at.map((i) => op(`release ${i}`, (w) => w.release(i))),
  fc.constant(op('deliver', (w) => w.deliver())),
  fc.constant(op('expire', (w) => w.expire())),
  fc.constant(op('requeue due', (w) => w.requeueDue())),
  fc
    .tuple(fc.nat(HOSTS - 1), fc.nat(3))
    .map(([h, a]) => op(`h${h} moves to ${a}`, (w) => w.move(h, a))),
  fc.nat(2).map((j) => op(`pause ${j}`, (w) => w.jobs.pause(j))),
  fc.nat(2).map((j) => op(`resume ${j}`, (w) => resume(w, j))),
  fc.integer({ min: 1, max: 2 }).map((j) => op(`cancel ${j}`, (w) => cancel(w, j))),
  fc.boolean().map((clean) => op(clean ? 'restart' : 'crash', (w) => w.restart(clean))),
);
const opsWith = (taking: fc.Arbitrary<Op>) =>
  fc.array(
    fc.oneof(
      { weight: 3, arbitrary: push },
      { weight: 8, arbitrary: taking },
      { weight: 20, arbitrary: step },
      { weight: 4, arbitrary: beginRefill },
      { weight: 6, arbitrary: stepRefill },
      { weight: 8, arbitrary: advance },
      { weight: 6, arbitrary: rare },
    ),
    { maxLength: 200, size: 'max' },
  );
const ops = opsWith(take);
const kinds = fc.constantFrom<RobotsKind[]>('none', 'none', 'delay', 'forbid', 'redirect', 'down');
const settings = fc.record({
  robots: fc.array(kinds, { minLength: HOSTS, maxLength: HOSTS }),
  addresses: fc.array(fc.nat(2), { minLength: HOSTS, maxLength: HOSTS }),
  seed: fc.nat(),
});

function check(
  policy: fc.Arbitrary<Politeness>,
  numRuns: number,
  histories = ops,
  lastFrom = '',
): void {
  fc.assert(
    fc.property(settings, policy, histories, ({ robots, addresses, seed }, polite, history) => {
      const world = new World(polite, [...robots], [...addresses], seed);
      for (const happens of history) happens(world);
      world.drain(20_000, lastFrom);
    }),
    { numRuns },
  );
}

test('frontier: whatever happens, nobody is asked too soon and no URL is lost or asked twice', () => {
  const polite = fc
    .record({
      addressDelayMs: fc.constantFrom(1, 500, 1_000, 2_500),
      delayMsByHost: fc.constantFrom(new Map(), new Map([['h0.example', 100]])),
    })
    .map((some) => ({ ...POLITE, ...some }));
  check(polite, 300);
});

test('frontier: the same holds where several take, from several regions, and one of them is left', () => {
  const addressDelayMs = fc.constantFrom(1, 1_000);
  const polite = addressDelayMs.map((ms) => ({ ...POLITE, addressDelayMs: ms }));
  check(polite, 100, opsWith(takeFrom), 'na');
});

test('frontier: limits on pages a host and requests a day hold in every history', () => {
  const limited = fc
    .record({ pagesPerHostMax: fc.constantFrom(0, 1, 3), fetchesPerDayMax: fc.constantFrom(2, 5) })
    .map((some) => ({ ...POLITE, ...some }));
  check(limited, 100);
});

test('frontier: without politeness a host has no more requests open than its lanes', () => {
  const rude = fc
    .record({ lanes: fc.constantFrom(1, 2, 4), pagesPerHostMax: fc.constantFrom(0, 3) })
    .map((some) => ({ ...POLITE, delayMs: 0, addressDelayMs: 0, ...some }));
  check(rude, 150);
});
