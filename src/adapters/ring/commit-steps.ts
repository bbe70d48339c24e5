/**
 * A commit in the order in which a ring must keep it: what is known from now on, then what is
 * done. Forgetting goes first, as what is forgotten may be named again by the same commit.
 */
import { type Commit, NOTHING } from '../../ports/shard-store.ts';

/** One step when it has only one of the two. */
export function stepsOf(commit: Commit): readonly [Commit] | readonly [Commit, Commit] {
  if (commit.admitted.length === 0 || !isMore(commit)) return [commit];
  const { admitted, hosts, forgotten = [], ...rest } = commit;
  return [
    { ...NOTHING, admitted, hosts, forgotten },
    { ...rest, admitted: [], hosts: [] },
  ];
}

function isMore(commit: Commit): boolean {
  const { settled, robots, sketches, requeued, redated, moved } = commit;
  const { erased = [], untraced = [], shelved = [], unshelved = [] } = commit;
  const parts = [settled, robots, sketches, requeued, redated, moved];
  return [...parts, erased, untraced, shelved, unshelved].some(({ length }) => length > 0);
}
