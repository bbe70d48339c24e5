/** One GET by itself, under the address rules of a crawl: for commands that look at one document. */
import type { AddressRules } from '../../fetch/address.ts';
import type { Outcome } from '../../fetch/outcome.ts';
import { systemClock } from './clock.ts';
import { openHttp } from './http.ts';
import { openResolver } from './resolver.ts';

export interface AskOnce {
  readonly headers: Readonly<Record<string, string>>;
  readonly addresses: AddressRules;
  readonly dns: readonly string[];
  readonly proxy: string | undefined;
  readonly acceptBadTls: boolean;
}

const LIMITS = {
  ...{ connectMs: 10_000, firstByteMs: 10_000, wholeMs: 20_000 },
  ...{ headerBytes: 64 * 1024, bodyBytes: 1024 * 1024 },
};

export async function askOnce(url: string, how: AskOnce): Promise<Outcome> {
  const { headers, addresses, dns: servers, proxy, acceptBadTls } = how;
  const clock = systemClock();
  const startedAt = clock.now();
  const found = await openResolver({ clock, addresses, servers }).resolve(new URL(url).hostname);
  if (found.kind === 'refused') return found;
  if (found.kind === 'failed') {
    return { kind: 'failed', reason: 'dns', detail: found.detail, startedAt, endedAt: clock.now() };
  }
  const http = openHttp({ clock, addresses, acceptBadTls, ...(proxy !== undefined && { proxy }) });
  const { address } = found;
  const request = { url, address, headers, limits: LIMITS, wants: () => true };
  return http.exchange(request).finally(() => http.close());
}
