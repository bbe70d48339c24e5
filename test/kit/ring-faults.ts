/**
 * What happens to a ring while it crawls, slot by slot, 20 s each (D7):
 *
 *   slots   kill kill stop kill kill kill … cut  cut  kill kill …
 *   kill    two nodes at random die by kill -9, and two others join with new folders and keys
 *   stop    one is stopped for three slots and returns; one more is killed with it
 *   cut     three are cut off from the others for a slot and a half; nobody dies meanwhile
 *
 * Never more than K − 1 = 2 copies of an arc go at once, and a slot is the time in which a ring
 * must have mended itself: that is what is promised, and all of it is asked for.
 */
import { setTimeout as pass } from 'node:timers/promises';
import type { RingNode, TestRing } from './ring.ts';

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
}

type Slot = 'kill' | 'stop' | 'cut' | 'pass';

const STOP_SLOTS = 3;
const CUT_SLOTS = 1.5;
const CUT_NODES = 3;
const KILLED_AT_ONCE = 2;

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
  const blows: Blows = { killed: 0, joined: 0, stopped: 0, cut: 0 };
  const asleep = new Set<RingNode>();
  const going: Promise<void>[] = [];
  const from = Date.now();
  for (const [nth, slot] of slotsOf(plan.slots).entries()) {
    ring.assertAlive();
    const begin = (blow: Promise<void>) => {
      blow.catch(() => undefined);
      going.push(blow);
    };
    if (slot === 'cut') begin(cut(ring, plan, blows));
    if (slot === 'stop') begin(stop(ring, plan, blows, asleep));
    const count = slot === 'kill' ? KILLED_AT_ONCE : slot === 'stop' ? KILLED_AT_ONCE - 1 : 0;
    if (count > 0) begin(replace(ring, plan, blows, asleep, count));
    await pass(from + (nth + 1) * plan.slotMs - Date.now());
  }
  await Promise.all(going);
  return blows;
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
  for (const _ of victims) {
    const { host } = await ring.join();
    blows.joined++;
    tell(`${host} joins with a new key`);
  }
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
