/**
 * The smallest arcs that a commit changes: whoever writes it must hold each of them, or what it
 * is part of (tenures.ts).
 */
import { hostKeyOf } from '../record/index.ts';
import { formerOf, quarterOf } from '../url/index.ts';
import type { Commit } from './shard-store.ts';

export function arcsIn(commit: Commit): Set<number> {
  const arcs = new Set<number>();
  for (const key of keysIn(commit)) arcs.add(quarterOf(key));
  return arcs;
}

/** Any of these will do: it, or what it was split from. */
export function aroundArc(arc: number): number[] {
  return [arc, ...formerOf(arc)];
}

/** Those of the arcs that are not held. */
export function strangeArcs(arcs: Iterable<number>, isHeld: (arc: number) => boolean): number[] {
  return [...arcs].filter((arc) => !aroundArc(arc).some(isHeld));
}

function* keysIn(commit: Commit): Iterable<Uint8Array> {
  for (const { waiting } of [...commit.settled, ...commit.admitted]) yield waiting.key;
  for (const { host } of commit.hosts) yield hostKeyOf(host);
  for (const { host } of [...commit.robots, ...commit.sketches]) yield host;
  for (const { due } of [...commit.requeued, ...commit.redated]) yield due.key;
  for (const { to } of commit.moved) yield to.key;
  for (const { key } of commit.erased ?? []) yield key;
  yield* commit.untraced ?? [];
  for (const { key } of commit.shelved ?? []) yield key;
  for (const { key } of commit.unshelved ?? []) yield key;
  for (const { key } of commit.forgotten ?? []) yield key;
}
