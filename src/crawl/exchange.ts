/**
 * A step of the path: one request to the address that was found (../ports/http.ts), and a word
 * to the resolver on whether the address still answers (N1). Right before it is sent it must
 * still be ours to send: a name is looked up and a line opened in between.
 */
import { typeByName } from '../document/type-by-name.ts';
import type { Outcome, Validators } from '../fetch/index.ts';
import type { Lease } from '../frontier/index.ts';
import { hostnameOf, originOf } from '../url/index.ts';
import type { Walk } from './context.ts';
import { refusedByDenial } from './deny.ts';

export async function exchange(
  lease: Lease,
  address: string,
  known: Validators | undefined,
  walk: Walk,
  signal: AbortSignal,
): Promise<Outcome> {
  const { limits, headersOf } = walk.rules;
  const { url } = lease;
  const { arcs, neighbours } = walk;
  const mayStill = arcs && (() => arcs.mayAct(lease.host.arc));
  const isLate = mayStill?.() === false || neighbours?.isFresh(lease) === false;
  const denied = refusedByDenial(url, walk) ?? (isLate ? notOurs(walk) : undefined);
  if (denied !== undefined) {
    neighbours?.over(lease, denied);
    return denied;
  }
  const headers = headersOf(originOf(url), known);
  const isPage = lease.kind === 'page' && lease.waiting.kind === 'page';
  const wants = isPage ? (type: string) => walk.rules.wants(typeByName(type, url)) : () => true;
  const asked = { url, address, headers, limits, wants, ...(mayStill && { mayStill }) };
  const outcome = await walk.settling.wire.send(url, signal, (either) =>
    walk.ports.http.exchange(asked, either),
  );
  neighbours?.over(lease, outcome);
  const failed = outcome.kind === 'failed' && CONNECTION_FAILURES.has(outcome.reason);
  walk.ports.resolver.report(hostnameOf(url), !failed);
  return outcome;
}

const CONNECTION_FAILURES = new Set(['connect', 'connect-timeout']);

/** Its arc, or the turn, is another node's by now, or will be: the URL stays in the queue (P5, K1). */
function notOurs({ ports }: Walk): Outcome {
  const now = ports.clock.now();
  const detail = 'it is not ours to ask any more';
  return { kind: 'failed', reason: 'aborted', detail, startedAt: now, endedAt: now };
}
