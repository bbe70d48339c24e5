/**
 * The ring at full size: hops, right answers, and the invariant at every step (D2, D7).
 *
 *   npm run sim -- ring [--nodes N] [--seed N] [--churn MINUTES] [--minutes M] [--loss SHARE]
 *                       [--kill SHARE] [--successors R]
 *
 *   grow    from a base of r + 1 to N nodes, by joins alone
 *   quiet   lookups: how many hops, and are they right?
 *   stale   the same with every finger of every node dead, and nothing mended
 *   churn   nodes join, leave and crash with a half-life of minutes, while others look up
 *   calm    lookups again, a round of fingers after the churn has ended
 *   kill    half of the nodes at once, without a word
 *
 * A hop is a node that was asked, the owner among them. An answer under churn is right when the
 * node that is named owned the key when it was asked, or when it was answered.
 */
import { parseArgs } from 'node:util';
import { CHORD_RULES } from '../../src/ring/index.ts';
import { Churn, grow } from './ring-churn.ts';
import { isRight, type Question, RingWorld } from './ring-world.ts';
import type { SimRow } from './run.ts';

export interface RingSize {
  readonly nodes: number;
  readonly seed: number;
  /** Half-life of a node in minutes; 0 for no churn. */
  readonly churn: number;
  /** How long the churn lasts. */
  readonly minutes: number;
  readonly loss: number;
  readonly kill: number;
  readonly successors: number;
}

/** So many rounds after half of the nodes died, every lookup is right again. */
export const ROUNDS_AFTER_KILL = 4;
/** Until every finger was mended once: there are about ten, and one is mended every 20 s. */
const SETTLE_MS = 240_000;
/** Lookups over dead fingers walk from list to list: long, so fewer are asked. */
const STALE_LOOKUPS = 200;

interface Figure {
  readonly figure: string;
  readonly value: string | number;
  readonly bound: string;
  readonly holds: boolean;
}

export function* run(args: readonly string[]): Generator<SimRow> {
  let failed = 0;
  for (const { holds, ...row } of figures(sizeFrom(args))) {
    if (!holds) failed++;
    yield {
      figure: row.figure,
      'measured value': row.value,
      'what must hold': row.bound,
      holds: row.bound === '' ? '' : holds ? 'yes' : 'NO',
    };
  }
  if (failed > 0) throw new Error(`${failed} figures do not hold`);
}

function sizeFrom(args: readonly string[]): RingSize {
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.keys(DEFAULTS).map((name) => [name, { type: 'string' as const }]),
    ),
  });
  const given = Object.entries(values).map(([name, value]) => {
    const number = Number(value);
    if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} takes a number`);
    return [name, number];
  });
  const size = { ...DEFAULTS, ...Object.fromEntries(given) } as RingSize;
  if (size.nodes < 2 * size.successors) throw new Error('--nodes: at least twice --successors');
  if (size.loss >= 1 || size.kill >= 1) throw new Error('--loss and --kill are shares below 1');
  return size;
}

const DEFAULTS: RingSize = {
  nodes: 10_000,
  seed: 1,
  churn: 5,
  minutes: 5,
  loss: 0,
  kill: 0.5,
  successors: CHORD_RULES.successors,
};

export function* figures(size: RingSize): Generator<Figure> {
  const { nodes, seed, loss, successors, churn, minutes, kill } = size;
  const fresh = churn === 0 ? 0 : Math.ceil(nodes * (0.1 + (0.7 * minutes) / churn));
  const world = new RingWorld({ seed, loss, places: nodes + fresh, rules: { successors } });
  const coming = grow(world, nodes);
  yield told(`grown from ${successors + 1} by joins`, world.truth.members);
  world.runFor(SETTLE_MS);
  yield* hopFigures('quiet', asked(world, 2 * nodes), nodes);
  if (loss === 0) yield* staleFigures(world);
  if (churn > 0) {
    yield* churnFigures(world, new Churn(world, coming, churn), minutes);
    world.runFor(SETTLE_MS);
    yield* hopFigures('after churn', asked(world, nodes), world.truth.members);
  }
  yield* invariantFigures(world);
  if (kill > 0) yield* killFigures(world, kill);
}

/** Lookups of random keys by random members, until all are answered. */
function asked(world: RingWorld, count: number): Question[] {
  const members = world.members();
  const questions = Array.from({ length: count }, () =>
    world.ask(world.pick(members), Math.floor(world.random.next() * world.peers.length)),
  );
  while (questions.some(({ isOver }) => !isOver)) world.runFor(1_000);
  return questions;
}

function* hopFigures(when: string, questions: readonly Question[], nodes: number) {
  const hops = hopsOf(questions);
  const mean = hops.reduce((sum, n) => sum + n, 0) / hops.length;
  const half = Math.log2(nodes) / 2;
  const isNear = Math.abs(mean / half - 1) <= 0.1;
  const p99 = quantile(hops, 0.99);
  yield rightFigure(`${when}: lookups right`, questions);
  yield figure(`${when}: mean hops`, mean, `${half.toFixed(2)} ± 10%`, isNear);
  yield told(`${when}: p50 of hops`, quantile(hops, 0.5));
  yield figure(`${when}: p99 of hops`, p99, `≤ ${(2 * half + 2).toFixed(1)}`, p99 <= 2 * half + 2);
}

function* staleFigures(world: RingWorld) {
  const dead = world.peers.filter(({ rank }) => !world.isRunning(rank));
  if (dead.length === 0) return;
  world.isTending = false;
  const kept = new Map(world.members().map((rank) => [rank, world.chordAt(rank)?.fingers ?? []]));
  for (const rank of kept.keys()) {
    world.alter(rank, (chord) => ({
      ...chord,
      fingers: chord.fingers.map(() => world.pick(dead)),
    }));
  }
  const questions = asked(world, STALE_LOOKUPS);
  yield rightFigure('dead fingers: lookups right', questions);
  yield told('dead fingers: p50 of hops', quantile(hopsOf(questions), 0.5));
  for (const [rank, fingers] of kept) world.alter(rank, (chord) => ({ ...chord, fingers }));
  world.isTending = true;
}

function* churnFigures(world: RingWorld, churn: Churn, minutes: number) {
  const questions: Question[] = [];
  const perSecond = Math.ceil(world.truth.members / 500);
  for (let second = 0; second < minutes * 60; second++) {
    churn.runSecond();
    const members = world.members();
    for (let i = 0; i < perSecond; i++) {
      const target = Math.floor(world.random.next() * world.peers.length);
      questions.push(world.ask(world.pick(members), target));
    }
  }
  const { joins, leaves, crashes } = churn;
  yield told('churn: joins, leaves, crashes', `${joins}, ${leaves}, ${crashes}`);
  const over = questions.filter(({ isOver }) => isOver);
  const right = over.filter(isRight).length / over.length;
  const text = `${(100 * right).toFixed(2)}% of ${over.length}`;
  yield figure('churn: lookups right', text, '≥ 99%', right >= 0.99);
  yield told('churn: p50 of hops', quantile(hopsOf(over), 0.5));
  yield told('churn: p99 of hops', quantile(hopsOf(over), 0.99));
}

function* invariantFigures({ truth, steps, rules }: RingWorld) {
  const { checks, walks, complaintCount, complaints, principalsMin } = truth;
  for (const { at, what } of complaints) yield told(`at ${at / 1000} s`, what);
  yield told('steps, each checked', checks);
  yield told('walks round the whole ring', walks);
  yield figure('invariant: complaints', complaintCount, '0', complaintCount === 0 && steps > 0);
  const base = rules.successors + 1;
  yield figure('fewest principals', principalsMin, `≥ ${base}`, principalsMin >= base);
}

function* killFigures(world: RingWorld, share: number) {
  const { truth, rules } = world;
  const members = shuffled(world, world.members());
  world.crash(members.slice(0, Math.floor(share * members.length)));
  yield told('killed at once', `${Math.floor(share * members.length)} of ${members.length}`);
  yield told('killed: cut off', truth.cutOff);
  const batches: Question[][] = [];
  let idealAt = -1;
  for (let round = 0; round <= 2 * ROUNDS_AFTER_KILL; round++) {
    if (idealAt < 0 && truth.isIdeal()) idealAt = round;
    const left = world.members();
    batches.push(
      Array.from({ length: 500 }, () =>
        world.ask(world.pick(left), Math.floor(world.random.next() * world.peers.length)),
      ),
    );
    world.runFor(rules.stabiliseMs);
  }
  while (batches.flat().some(({ isOver }) => !isOver)) world.runFor(1_000);
  const wrongLast = batches.findLastIndex((batch) => !batch.every(isRight));
  const first = batches[0]?.filter(isRight).length;
  yield told('killed: right at once, of 500', first ?? 0);
  yield told('killed: rounds to right heads', idealAt < 0 ? 'more' : idealAt);
  const rounds = wrongLast + 1;
  const bound = `≤ ${ROUNDS_AFTER_KILL}`;
  yield figure('killed: rounds to right lookups', rounds, bound, rounds <= ROUNDS_AFTER_KILL);
}

function shuffled(world: RingWorld, ranks: number[]): number[] {
  for (let i = ranks.length - 1; i > 0; i--) {
    const j = Math.floor(world.random.next() * (i + 1));
    [ranks[i], ranks[j]] = [ranks[j] as number, ranks[i] as number];
  }
  return ranks;
}

function hopsOf(questions: readonly Question[]): number[] {
  return questions.flatMap(({ found }) => (found === undefined ? [] : [found.hops]));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function rightFigure(name: string, questions: readonly Question[]): Figure {
  const right = questions.filter(isRight).length;
  return figure(name, `${right} of ${questions.length}`, 'all', right === questions.length);
}

function told(name: string, value: string | number): Figure {
  return { figure: name, value, bound: '', holds: true };
}

function figure(name: string, value: string | number, bound: string, holds: boolean): Figure {
  return { figure: name, value, bound, holds };
}
