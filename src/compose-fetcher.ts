/**
 * The composition root of a fetcher (K3, A2): a line to the web and the addresses of the nodes
 * that lend requests. No store, no frontier, no resolver: an owner says which address to ask, and
 * whether this machine may is checked here, on the address connected to (Y1).
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { openLender } from './adapters/api/lender.ts';
import { openHttp, systemClock } from './adapters/node/index.ts';
import { openSigner } from './adapters/node/key-files.ts';
import type { Settings } from './config/index.ts';
import {
  Fetcher,
  type FetcherHooks,
  type FetcherSession,
  leaseSecondsFor,
} from './crawl/fetcher.ts';
import * as plan from './crawl/plan.ts';

const NAME_BYTES = 6;
const NAME_LENGTH_MAX = 100;

export async function openFetcher(
  settings: Settings,
  hooks: FetcherHooks,
): Promise<FetcherSession> {
  const clock = systemClock();
  const sign = await openSigner(settings.agent, clock);
  const { proxy, insecure, http2 } = settings.network;
  const http = openHttp({
    ...{ clock, addresses: plan.addressRulesFrom(settings), acceptBadTls: insecure },
    ...{ allowH2: http2, sign, ...(proxy !== undefined && { proxy }) },
  });
  const { frontier, frontierToken: token } = settings.fetcher;
  const region = plan.fetchRegionFrom(settings);
  const name = workerName();
  const lenders = frontier.map((url) => openLender({ url, fetcher: name, region, token }));
  const { concurrency, timeoutMs } = settings.fetch;
  const leaseSeconds = leaseSecondsFor(timeoutMs);
  const fetcher = new Fetcher({ clock, http }, { concurrency, leaseSeconds, ...hooks });
  return {
    lenders: frontier,
    region,
    run: () => fetcher.run(lenders),
    drain: () => fetcher.drain(),
    abort: () => fetcher.abort(),
    progress: () => ({ openVisits: fetcher.open, ...fetcher.counts }),
    close: () => http.close(),
  };
}

/** Of this process and no other, ever. */
export function workerName(): string {
  const own = `${hostname()}-${process.pid}-${randomBytes(NAME_BYTES).toString('hex')}`;
  return own.replace(/[^\x21-\x7e]/g, '_').slice(-NAME_LENGTH_MAX);
}
