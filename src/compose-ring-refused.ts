/** Why a node is not let into a ring, in words that say what to check (D8). */
import { CrawlError } from './base/errors.ts';
import type { JoinEnd } from './crawl/ring-member.ts';
import type { Unsent } from './ports/peers.ts';
import { type Membership, RING_VERSION } from './ring/index.ts';

type Refused = Extract<JoinEnd, { kind: 'refused' }>;

/** `contacts` are the addresses that were tried, in order. */
export function refusedJoin(
  { why, contacts: failed }: Refused,
  contacts: readonly string[],
  membership: Membership,
  dir: string,
): CrawlError {
  if (why === 'id-taken') return idTaken(dir);
  if (why === 'another-ring') return ofAnotherRing(dir);
  const tried = failed.map((one, nth) => `${contacts[nth] ?? 'a member'}: ${one.detail}`);
  const list = tried.length === 0 ? contacts.join(', ') : tried.join('; ');
  const isMet = (what: Unsent['why']) => failed.some((one) => one.why === what);
  if (isMet('stranger')) {
    return new CrawlError(
      'E_RING_REFUSED',
      `The ring takes this node for a stranger (${list}).`,
      strangerHint(membership),
    );
  }
  if (isMet('version')) {
    const what = `The ring speaks another version than ${RING_VERSION} (${list}).`;
    return new CrawlError('E_RING_REFUSED', what, 'Run the same version of orb on every node.');
  }
  if (isMet('full')) {
    const what = `The members that were asked have too many connections (${list}).`;
    return new CrawlError('E_RING_DOWN', what, 'Try again, or name another member.');
  }
  if (why === 'no-answer') {
    const what = `A member answered, but the ring did not take this node in within its time (${list}).`;
    return new CrawlError(
      'E_RING_DOWN',
      what,
      'The ring may be healing: try again in some seconds.',
    );
  }
  const hint =
    'Is a node running there, and is this its ring address, not that of its API? ' +
    'Name another member, or check what lies between.';
  return new CrawlError('E_RING_DOWN', `No member of the ring answers (${list}).`, hint);
}

function ofAnotherRing(dir: string): CrawlError {
  const hint = 'Join with an empty folder; what this one has crawled stays a ring of its own.';
  return new CrawlError('E_RING_REFUSED', `The node of ${dir} began a ring of its own.`, hint);
}

function idTaken(dir: string): CrawlError {
  const hint =
    'Was the folder copied? Each node needs its own: join with an empty one. If this node was ' +
    'killed just now, start it again in a few seconds.';
  const what = `Another node with the key of ${dir} is alive in the ring.`;
  return new CrawlError('E_RING_REFUSED', what, hint);
}

export function strangerHint({ kind }: Membership): string {
  return kind === 'secret'
    ? 'Give the secret of that ring: --secret-file FILE. Is it the address of a ring, not that of ' +
        'an API? Where certificates let nodes in, give --certificate and --ring-key.'
    : 'Is the certificate by the key of that ring, and do the clocks of both machines agree? ' +
        'Where it lets nodes in by a secret, give --secret-file.';
}
