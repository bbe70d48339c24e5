/**
 * What happens to a ring while it crawls, slot by slot, 20 s each (D7):
 *
 *   slots   kill kill stop kill kill kill … cut  cut  kill kill …
 *   kill    two nodes at random die by kill -9, and two others join with new folders and keys
 *   stop    one is stopped for three slots and returns; one more is killed with it
 *   cut     three are cut off from the others for a slot and a half; nobody dies meanwhile
 *
 * Never more than K − 1 = 2 copies of an arc go at once: that is what is promised, and all of it
 * is asked for. So a slot lasts until the ring has mended itself, too: every arc has an owner and
 * all of its copies again. How long that took is told; on a machine with room it is less than a slot.
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
  /** Seconds from each blow until the ring was whole again. */
  readonly mendedSec: number[];
}

type Slot = 'kill' | 'stop' | 'cut' | 'pass';

const STOP_SLOTS = 3;
const CUT_SLOTS = 1.5;
const CUT_NODES = 3;
const KILLED_AT_ONCE = 2;
const MEND_MS_MAX = 180_000;
const LOOK_MS = 1_000;
const SEATS = 5;

/** Which slot is for what: the stop after a quarter, the cut after six tenths. */
export function slotsOf(count: number): Slot[] {
  const slots = Array.from({ length: count }, (): Slot => 'kill');
  if (count < STOP_SLOTS + 2) return slots;
  slots[Math.floor(count / 4)] = 'stop';
  const cutAt = Math.max(Math.floor(count * 0.6), Math.floor(count / 4) + STOP_SLOTS + 1);
  if (cutAt + 1 < count) slots.splice(cutAt, 2, 'cut', 'pass');
  return slots;
}

export async function blowsOn(ring: TestRing, plan: FaultPlan): Promise<Blows> {
  const blows: Blows = { killed: 0, joined: 0, stopped: 0, cut: 0, mendedSec: [] };
  const asleep = new Set<RingNode>();
  const going: Promise<void>[] = [];
  plan.tell(`whole after ${await mended(ring, asleep, going)} s`);
  for (const slot of slotsOf(plan.slots)) {
    const from = Date.now();
    const begin = (blow: Promise<void>) => {
      blow.catch(() => undefined);
      going.push(blow);
    };
    if (slot === 'cut') begin(cut(ring, plan, blows));
    if (slot === 'stop') begin(stop(ring, plan, blows, asleep));
    const count = slot === 'kill' ? KILLED_AT_ONCE : slot === 'stop' ? KILLED_AT_ONCE - 1 : 0;
    if (count > 0) begin(replace(ring, plan, blows, asleep, count));
    if (slot !== 'cut') blows.mendedSec.push(await mended(ring, asleep, going));
    plan.tell(`mended after ${blows.mendedSec.at(-1)} s`);
    await pass(Math.max(0, from + plan.slotMs - Date.now()));
  }
  await Promise.all(going);
  return blows;
}

/** Until every arc has an owner and all of its copies; answers with the seconds that it took. */
async function mended(
  ring: TestRing,
  asleep: ReadonlySet<RingNode>,
  going: readonly Promise<void>[],
): Promise<number> {
  const from = Date.now();
  await going.at(-1);
  const whole = new Map<number, string>();
  for (; ; await pass(LOOK_MS)) {
    ring.assertAlive();
    const awake = ring.nodes.filter((node) => !asleep.has(node));
    const seen = await ring.seen(awake[0]);
    noteWhole(whole, seen, Math.min(SEATS, awake.length));
    if (whole.size === ARCS) return Math.round((Date.now() - from) / 1_000);
    const state = JSON.stringify(seen.arcs.filter(({ arc }) => !whole.has(arc)));
    assert.ok(Date.now() - from < MEND_MS_MAX, `not mended: ${state}`);
  }
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
