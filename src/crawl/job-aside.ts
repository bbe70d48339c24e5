/**
 * The turn of a URL has come, and its job says no: paused, it goes to the shelf; ended, it is
 * forgotten, so that another may name it. No request is made, and no turn is used.
 */
import type { Aside, PageLease } from '../frontier/index.ts';
import type { Walk } from './context.ts';

export function settleAside(lease: PageLease, aside: Aside, walk: Walk): Promise<void> {
  const { waiting } = lease;
  const ending = { lease, candidates: [], change: {} };
  if (aside === 'shelve') return walk.settling.add({ ...ending, shelved: [waiting] });
  // Before the commit: who names it from now on is settled after this.
  walk.recent.forget(waiting.url);
  return walk.settling.add({ ...ending, forgotten: [waiting] });
}
