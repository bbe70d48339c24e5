/**
 * A robots.txt that redirects to a host of another node (R1, K1): only its owner may ask there,
 * and does so for its own pages; what it read is in the store. Where nobody did so yet, the
 * host's front page is handed on, since a hop is a mention, and we look again later.
 */
import type { Outcome } from '../fetch/index.ts';
import { SEED_PRIORITY } from '../quality/index.ts';
import { hostKeyOf } from '../record/index.ts';
import { hostOf, originOf } from '../url/index.ts';
import { type Mention, seedMention } from './admit.ts';
import type { Walk } from './context.ts';

export interface Elsewhere {
  /** What its owner read, or why there is nothing. */
  readonly read: Outcome;
  /** Nobody asked yet, so it is worth another look. */
  readonly isUnread: boolean;
  readonly named: readonly Mention[];
}

/** Undefined when the host is ours to ask. */
export async function robotsElsewhere(
  to: string,
  job: number | undefined,
  walk: Walk,
): Promise<Elsewhere | undefined> {
  const host = hostKeyOf(hostOf(to));
  if (walk.arcs === undefined || walk.arcs.isMine(host)) return undefined;
  const now = walk.ports.clock.now();
  const origin = originOf(to);
  const stored = await walk.ports.store.host(host);
  const known = stored?.robots.find((one) => one.origin === origin && one.expiresAt > now);
  const isRobots = to === `${origin}/robots.txt`;
  if (isRobots && known !== undefined && known.status > 0) {
    const { status, body } = known;
    const timing = { startedAt: now, firstByteMs: 0, wholeMs: 0 };
    const said = { status, body, headers: {}, remoteAddress: '', httpVersion: '1.1' as const };
    return { read: { kind: 'answered', ...said, timing }, isUnread: false, named: [] };
  }
  const isUnread = isRobots && known === undefined;
  let why = 'asks for /robots.txt only';
  if (isRobots) why = isUnread ? 'has not read it yet' : 'got no answer';
  const detail = `${origin} is another node's to ask, which ${why}`;
  const read = { kind: 'failed', reason: 'closed', detail, startedAt: now, endedAt: now } as const;
  const front = { ...seedMention(`${origin}/`, 'page', SEED_PRIORITY.normal, job ?? 0), depth: 1 };
  return { read, isUnread, named: [front] };
}
