/**
 * A step of the path: which address is asked, and is it that address's turn (N1, P4, Y1)?
 */
import { isPublic, type Outcome } from '../fetch/index.ts';
import type { Lease } from '../frontier/index.ts';
import { hostnameOf } from '../url/index.ts';
import type { Walk } from './context.ts';
import { refusedByDenial } from './deny.ts';

/** An address to ask now; an outcome when there is none; or the URL is back in the queue. */
export async function findAddress(
  lease: Lease,
  walk: Walk,
  signal: AbortSignal,
): Promise<string | Outcome | 'another turn'> {
  const { clock, resolver, http } = walk.ports;
  const denied = refusedByDenial(lease.url, walk);
  if (denied !== undefined) return denied;
  const startedAt = clock.now();
  const answer = await resolver.resolve(hostnameOf(lease.url), signal);
  if (answer.kind === 'failed') {
    const reason = signal.aborted ? 'aborted' : 'dns';
    return { kind: 'failed', reason, detail: answer.detail, startedAt, endedAt: clock.now() };
  }
  if (answer.kind === 'refused') return answer;
  if (walk.rules.privateOnly && isPublic(answer.address)) {
    return {
      kind: 'refused',
      address: answer.address,
      detail: '--rate max is for private addresses',
    };
  }
  if (!walk.frontier.bind(lease, answer.address, clock.now())) return 'another turn';
  if (walk.neighbours === undefined) return answer.address;
  const isOurs = await walk.neighbours.claim(lease, answer.address, http.endsBy);
  return isOurs ? answer.address : 'another turn';
}
