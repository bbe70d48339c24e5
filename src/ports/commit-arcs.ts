/** The arcs that a commit changes: whoever writes it must hold them all (tenures.ts). */
import { hostKeyOf } from '../record/index.ts';
import { arcOf } from '../url/index.ts';
import type { Commit } from './shard-store.ts';

export function arcsIn(commit: Commit): Set<number> {
  const arcs = new Set<number>();
  for (const key of keysIn(commit)) arcs.add(arcOf(key));
  return arcs;
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
