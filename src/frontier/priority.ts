/**
 * How soon a URL is worth a visit (F2), in [0,1].
 *
 *   0.4 host authority + 0.3 freshness + 0.3 link context, damped by depth and parent
 *
 * A first version: authority is what the host's record says, a URL never fetched is fresh,
 * and context is where the link stands. Link scoring by content comes as a stage of its own.
 */
export interface LinkContext {
  readonly authority: number;
  /** In [0,1]: a followed link in running text is 1, a nofollow or boilerplate one less. */
  readonly context: number;
  readonly depth: number;
  readonly parentPriority: number;
}

export const SEED_PRIORITY = { high: 1, normal: 0.8, low: 0.5 } as const;

const DEPTH_DAMPING = 0.92;
const FRESH = 1;

export function priorityOf(link: LinkContext): number {
  const own = 0.4 * link.authority + 0.3 * FRESH + 0.3 * link.context;
  return own * DEPTH_DAMPING ** link.depth * (0.6 + 0.4 * link.parentPriority);
}
