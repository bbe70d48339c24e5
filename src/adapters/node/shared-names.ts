/**
 * Names that another node has just asked for (N1): found in the cache that nodes share, or asked
 * for and put there. An address from there is judged by this node's own rules, like any other.
 */

import { parseIp } from '../../fetch/ip.ts';
import type { SharedCache } from '../../ports/shared-cache.ts';
import type { Addresses, Ask } from './resolver-ask.ts';

/** As long as a resolver keeps it for itself. */
const LIFE_MS = 300_000;

export function sharedAsk(ask: Ask, cache: SharedCache): Ask {
  return async (hostname) => {
    const [known] = await cache.get('address', [hostname]);
    const told = known && addressesIn(known);
    if (told !== undefined) return told;
    const found = await ask(hostname);
    if (found.kind === 'found') {
      const value = Buffer.from(found.addresses.join(' '));
      void cache.put('address', [{ name: hostname, value, lifeMs: LIFE_MS }]);
    }
    return found;
  };
}

/** Undefined when it is not a list of addresses: whoever wrote it was not one of us. */
function addressesIn(value: Uint8Array): Addresses | undefined {
  const addresses = Buffer.from(value).toString().split(' ');
  const areAll = addresses.every((address) => parseIp(address) !== undefined);
  return areAll ? { kind: 'found', addresses } : undefined;
}
