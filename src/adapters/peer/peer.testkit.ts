/** Nodes of one ring on loopback, and what stands between them. */
import type { TestContext } from 'node:test';
import type { Peers } from '../../ports/peers.ts';
import { certify, type Membership } from '../../ring/index.ts';
import { SignKey } from '../../sign/index.ts';
import { systemClock } from '../node/index.ts';
import { openPeers, type PeersOptions } from './index.ts';

export const clock = systemClock();
const RING_KEY = new SignKey(Buffer.alloc(32, 250));
const DAY_MS = 86_400_000;

export function secretMember(secret = 'a secret of this ring'): Membership {
  return { kind: 'secret', secret: Buffer.from(secret) };
}

export interface CertificateCase {
  readonly by?: SignKey;
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** A member by the ring's key, from a day ago to tomorrow if nothing else is said. */
export function certifiedMember(key: SignKey, it: CertificateCase = {}): Membership {
  const { by = RING_KEY, fromMs = -DAY_MS, untilMs = DAY_MS } = it;
  const now = clock.now();
  const node = key.publicJwk.x;
  const span = { from: now + fromMs, until: now + untilMs };
  const certificate = certify(by, { node, name: 'a node', ...span });
  return { kind: 'certificate', ring: RING_KEY.publicJwk.x, certificate };
}

export async function openNode(
  t: TestContext,
  options: Partial<PeersOptions> & Pick<PeersOptions, 'key'>,
): Promise<Peers> {
  const peers = await openPeers({
    membership: secretMember(),
    listen: '127.0.0.1:0',
    clock,
    ...options,
    limits: { dialMs: 300, ...options.limits },
  });
  t.after(() => peers.close());
  return peers;
}
