/**
 * What happens to a ring while it crawls, every 20 s and not a second later (D7):
 *
 *   kill    two nodes at random die by kill -9, and two others join with new folders and keys
 *   stop    one dies, and one is stopped for three slots and returns; kills go on meanwhile
 *   cut     after the last kill three are cut off from the others for a slot and a half
 *
 * Two nodes go at once, K − 1: that is what is promised. Before the next two go the ring must have
 * mended itself by then: every arc has an owner and all of its copies again. Nobody waits for
 * that; how long it took is told, and a slot in which it took longer is told as one.
 */
import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { ARCS, type RingNode, type RingSeen, type TestRing } from './ring.ts';

export interface FaultPlan {
  readonly slots: number;
  readonly slotMs: number;
  /** From 0 to below 1. */
  readonly chance: () => number;
  readonly tell: (line: string) => void;
}

export interface Blows {
  killed: number;
  joined: number;
  stopped: number;
  cut: number;
  /** Seconds from each blow until the ring was whole again, where that was before the next. */
  readonly mendedSec: number[];
  unmended: number;
}

type Slot = 'kill' | 'stop' | 'cut' | 'pass';

const STOP_SLOTS = 3;
const CUT_SLOTS = 1.5;
const CUT_NODES = 3;
const KILLED_AT_ONCE = 2;
const BEGIN_MS_MAX = 180_000;
const LOOK_MS = 500;
const SEATS = 5;

/** Which slot is for what: the stop after a quarter, the cut when the kills are over. */
export function slotsOf(count: number): Slot[] {
  const slots = Array.from({ length: count }, (): Slot => 'kill');
  if (count < STOP_SLOTS + 2) return slots;
  slots[Math.floor(count / 4)] = 'stop';
  return [...slots, 'cut', 'pass'];
}

export async function blowsOn(ring: TestRing, plan: FaultPlan): Promise<Blows> {
  const blows: Blows = { killed: 0, joined: 0, stopped: 0, cut: 0, mendedSec: [], unmended: 0 };
  const asleep = new Set<RingNode>();
  const going: Promise<void>[] = [];
  const isWhole = (await mended(ring, asleep, Date.now() + BEGIN_MS_MAX)) !== undefined;
  assert.ok(isWhole, 'a ring is whole before it is beaten');
  const began = Date.now();
  for (const [nth, slot] of slotsOf(plan.slots).entries()) {
    const until = began + (nth + 1) * plan.slotMs;
    const begin = (blow: Promise<void>) => {
      blow.catch(() => undefined);
      going.push(blow);
    };
    if (slot === 'cut') begin(cut(ring, plan, blows));
    if (slot === 'stop') begin(stop(ring, plan, blows, asleep));
    const count = slot === 'kill' ? KILLED_AT_ONCE : slot === 'stop' ? KILLED_AT_ONCE - 1 : 0;
    if (count > 0) {
      begin(replace(ring, plan, blows, asleep, count));
      await noteMending(ring, plan, blows, asleep, until);
    }
    await pass(Math.max(0, until - Date.now()));
  }
  await Promise.all(going);
  return blows;
}

async function noteMending(
  ring: TestRing,
  { tell }: FaultPlan,
  blows: Blows,
  asleep: ReadonlySet<RingNode>,
  until: number,
): Promise<void> {
  const left = new Map<number, string>();
  const seconds = await mended(ring, asleep, until - LOOK_MS, left);
  if (seconds === undefined) blows.unmended++;
  else blows.mendedSec.push(seconds);
  tell(seconds === undefined ? `not mended: ${[...left.values()]}` : `mended after ${seconds} s`);
}

/** Until every arc has an owner and all of its copies; the seconds that it took, if it did. */
async function mended(
  ring: TestRing,
  asleep: ReadonlySet<RingNode>,
  until: number,
  left = new Map<number, string>(),
): Promise<number | undefined> {
  const from = Date.now();
  const whole = new Map<number, string>();
  for (; Date.now() < until; await pass(LOOK_MS)) {
    ring.assertAlive();
    const awake = ring.nodes.filter((node) => !asleep.has(node));
    // Whoever is asked may be the one that dies.
    const seen = await ring.seen(awake[0]).catch(() => undefined);
    if (seen === undefined) continue;
    noteWhole(whole, seen, Math.min(SEATS, awake.length));
    left.clear();
    for (const one of seen.arcs) if (!whole.has(one.arc)) left.set(one.arc, textOf(one, seen));
    const isMended = ring.nodes.length === ring.size && whole.size === ARCS;
    if (isMended) return Math.round((Date.now() - from) / 1_000);
  }
  return undefined;
}

/** `12 of epoch 5, 3 level: 4a! 7b* 9f`, where ! is silent and * is the owner. */
function textOf({ arc, epoch, owner, level, seats }: RingSeen['arcs'][0], seen: RingSeen): string {
  const alive = new Set(seen.nodes.flatMap((node) => (node.is_silent ? [] : [node.place])));
  const name = (seat: string) =>
    `${seat.slice(0, 4)}${alive.has(seat) ? '' : '!'}${seat === owner ? '*' : ''}`;
  return `\n      ${arc} of epoch ${epoch}, ${level} level: ${seats.map(name).join(' ')}`;
}

/**
 * An arc is whole that has all of its seats, on live nodes, and was level at one look: from then on
 * its copies are behind by what is on its way and no more, which while a ring writes is always some.
 */
function noteWhole(whole: Map<number, string>, { arcs, nodes }: RingSeen, most: number): void {
  const alive = new Set(nodes.flatMap((node) => (node.is_silent ? [] : [node.place])));
  for (const { arc, epoch, seats, level } of arcs) {
    const name = `${epoch} ${seats}`;
    const isKept = seats.length >= most && seats.every((place) => alive.has(place));
    if (!isKept || level === undefined || whole.get(arc) !== name) whole.delete(arc);
    if (isKept && level !== undefined && level >= seats.length) whole.set(arc, name);
  }
}

async function replace(
  ring: TestRing,
  { tell, chance }: FaultPlan,
  blows: Blows,
  asleep: ReadonlySet<RingNode>,
  count: number,
): Promise<void> {
  const victims = drawn(
    ring.nodes.filter((node) => !asleep.has(node)),
    count,
    chance,
  );
  tell(`kill -9 of ${victims.map(({ host }) => host).join(', ')}`);
  await Promise.all(victims.map((node) => ring.kill(node)));
  blows.killed += count;
  const join = async () => {
    const { host } = await ring.join();
    blows.joined++;
    tell(`${host} joins with a new key`);
  };
  await Promise.all(victims.map(join));
}

async function stop(
  ring: TestRing,
  { tell, chance, slotMs }: FaultPlan,
  blows: Blows,
  asleep: Set<RingNode>,
): Promise<void> {
  const [node] = drawn(ring.nodes, 1, chance) as [RingNode];
  asleep.add(node);
  blows.stopped++;
  tell(`${node.host} is stopped`);
  node.kill('SIGSTOP');
  await pass(STOP_SLOTS * slotMs);
  node.kill('SIGCONT');
  asleep.delete(node);
  tell(`${node.host} returns`);
}

async function cut(
  ring: TestRing,
  { tell, chance, slotMs }: FaultPlan,
  blows: Blows,
): Promise<void> {
  const hosts = drawn(ring.nodes, CUT_NODES, chance).map(({ host }) => host);
  blows.cut++;
  tell(`${hosts.join(', ')} are cut off`);
  ring.lines.cut(new Set(hosts));
  await pass(CUT_SLOTS * slotMs);
  ring.lines.heal();
  tell('the cut is healed');
}

function drawn<T>(from: readonly T[], count: number, chance: () => number): T[] {
  const left = [...from];
  const draw = () => left.splice(Math.floor(chance() * left.length), 1) as [T];
  return Array.from({ length: Math.min(count, left.length) }, () => draw()[0]);
}
