/**
 * The test web's names as a `resolver` port, without a packet sent.
 *
 * By default only addresses of the web itself are given out; the others are `refused`, as the
 * address rules of a crawl would have it. A name that alternates does so when it was forgotten.
 */
import type { Resolution, Resolver } from '../src/ports/resolver.ts';
import type { Web } from './web.ts';

const FAILURES_MAX = 3;

export function webResolver(
  web: Web,
  allows: (address: string) => boolean = ownAddresses(web),
): Resolver {
  const known = new Map<string, Resolution>();
  const failures = new Map<string, number>();
  const times = new Map<string, number>();
  let asked = 0;
  let hits = 0;
  return {
    async resolve(hostname) {
      const name = hostname.toLowerCase();
      const cached = known.get(name);
      if (cached !== undefined) {
        hits++;
        return cached;
      }
      asked++;
      const time = times.get(name) ?? 0;
      times.set(name, time + 1);
      const found = resolution(web, name, time, allows);
      known.set(name, found);
      return found;
    },
    report(hostname, connected) {
      const name = hostname.toLowerCase();
      const count = connected ? 0 : (failures.get(name) ?? 0) + 1;
      failures.set(name, count % FAILURES_MAX);
      if (count === FAILURES_MAX) known.delete(name);
    },
    stats: () => ({ asked, hits }),
  };
}

function resolution(
  web: Web,
  name: string,
  time: number,
  allows: (address: string) => boolean,
): Resolution {
  const answer = web.resolve(name, time);
  if (answer.kind !== 'address') return { kind: 'failed', detail: `${answer.kind} for ${name}` };
  const { address } = answer;
  if (allows(address)) return { kind: 'address', address, family: 4 };
  return { kind: 'refused', address, detail: `${address} is not an address of the test web` };
}

function ownAddresses(web: Web): (address: string) => boolean {
  const own = new Set([...web.hosts, ...web.specials].map((host) => host.address));
  return (address) => own.has(address);
}
