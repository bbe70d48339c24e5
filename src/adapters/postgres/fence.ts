/**
 * A commit is done only if its node holds every arc that it changes, at that instant and until
 * the commit ends (shard-store.ts, promise 15): a node that was stopped for a minute wakes up
 * with writes of hosts that are others' by now.
 *
 * The question goes out with the first statements, so it costs no round trip; what a refused
 * commit did by then is rolled back.
 */
import { aroundArc, strangeArcs } from '../../ports/commit-arcs.ts';
import type { Commit } from '../../ports/shard-store.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { hostKeyOf } from '../../record/index.ts';
import { quarterOf } from '../../url/index.ts';
import { int4Array } from './arrays.ts';
import type { Send, Statement } from './link.ts';
import { HELD } from './tenures.ts';

/** Those of the arcs that are held; and nobody else takes them before this transaction ends. */
const HOLD: Statement = {
  name: 'hold',
  text: `SELECT arc FROM tenure WHERE arc = ANY ($1::int4[]) AND ${HELD}
    ORDER BY arc FOR KEY SHARE`,
};

/** To be sent first in a transaction; answers the arcs that are not the holder's. */
export async function notHeldBy(send: Send, commit: Commit, holder: string): Promise<number[]> {
  const arcs = arcsOf(commit);
  if (arcs.length === 0) return [];
  const around = [...new Set(arcs.flatMap(aroundArc))];
  const rows = await send<{ arc: number }>(HOLD, [int4Array(around), holder]);
  const held = new Set(rows.map(({ arc }) => arc));
  return strangeArcs(arcs, (arc) => held.has(arc));
}

export function refuseStrange(arcs: readonly number[]): void {
  if (arcs.length > 0) throw new NotOurs(arcs);
}

type Changes = Omit<Required<Commit>, 'change'>;
type KeyOf<Kind extends keyof Changes> = (row: Changes[Kind][number]) => Uint8Array;

/** A kind of change that is not here does not compile: none gets past the fence. */
const KEYS: { readonly [Kind in keyof Changes]: KeyOf<Kind> } = {
  settled: ({ waiting }) => waiting.key,
  admitted: ({ waiting }) => waiting.key,
  requeued: ({ waiting }) => waiting.key,
  redated: ({ due }) => due.key,
  moved: ({ to }) => to.key,
  hosts: ({ host }) => hostKeyOf(host),
  robots: ({ host }) => host,
  sketches: ({ host }) => host,
  erased: ({ key }) => key,
  untraced: (key) => key,
  shelved: ({ key }) => key,
  unshelved: ({ key }) => key,
  forgotten: ({ key }) => key,
};

/** The smallest arcs of which a row is changed, in order. */
export function arcsOf(commit: Commit): number[] {
  const arcs = new Set<number>();
  const add = <Kind extends keyof Changes>(kind: Kind) => {
    const keyOf = KEYS[kind] as (row: unknown) => Uint8Array;
    for (const row of commit[kind] ?? []) arcs.add(quarterOf(keyOf(row)));
  };
  for (const kind of Object.keys(KEYS) as (keyof Changes)[]) add(kind);
  return [...arcs].sort((a, b) => a - b);
}
