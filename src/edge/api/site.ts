/** The list of endpoints as a web site: guarded, read against its schemas, told in problems. */
import { CrawlError } from '../../base/errors.ts';
import type { CrawlSession } from '../../crawl/session.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WebAnswer, WebCall, WebRoute, WebSite } from '../../ports/web-server.ts';
import { BODY_BYTES_MAX, type Endpoint } from './endpoint.ts';
import type { Feed } from './feed.ts';
import { type Guard, makeGuard } from './guard.ts';
import { Idempotency } from './idempotency.ts';
import { inputReader, isRefused } from './input.ts';
import { problem } from './problem.ts';
import { RateLimit } from './rate-limit.ts';
import { endpointsOf } from './routes.ts';
import type { TokenEntry } from './tokens.ts';

export interface ApiParts extends SiteRules {
  readonly session: CrawlSession;
  readonly feed: Feed;
  readonly version: string;
  readonly more?: readonly Endpoint[];
  /** A node that leaves the API to others: health and `more` alone (K3). */
  readonly isBare?: boolean;
}

/** Whom a site lets in. */
export interface SiteRules {
  readonly clock: Clock;
  readonly names: readonly string[];
  readonly tokens: readonly TokenEntry[];
  /** Bound to loopback: no token is needed. */
  readonly isOpen: boolean;
  readonly requestsPerSecond: number;
  /** Hears of what nobody expected. */
  readonly onBug: (error: unknown) => void;
}

export function makeSite(parts: ApiParts): WebSite {
  return siteOf(endpointsOf(parts), parts);
}

export function siteOf(endpoints: readonly Endpoint[], rules: SiteRules): WebSite {
  const { clock, names, tokens, isOpen, requestsPerSecond, onBug } = rules;
  const rate = new RateLimit(requestsPerSecond);
  const guard = makeGuard({ clock, rate, names, tokens, isOpen });
  const keys = new Idempotency(clock);
  const routes = endpoints.map((endpoint) => routeOf(endpoint, guard, keys, onBug));
  return {
    routes,
    refuse: (fault, call, detail) =>
      (call && guard(call, undefined)) ?? problem(fault, said(fault, detail)),
  };
}

function routeOf(
  endpoint: Endpoint,
  guard: Guard,
  keys: Idempotency,
  onBug: ApiParts['onBug'],
): WebRoute {
  const { method, role, takesBytes = false, bodyBytesMax = BODY_BYTES_MAX } = endpoint;
  const read = inputReader(endpoint);
  const act = async (call: WebCall): Promise<WebAnswer> => {
    const input = read(call);
    return isRefused(input) ? input : endpoint.handle(input);
  };
  return {
    ...{ method, bodyBytesMax, takesBytes },
    path: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    admit: (call) => guard(call, role),
    answer: async (call) => {
      try {
        return await (endpoint.isKeyed ? keys.once(call, () => act(call)) : act(call));
      } catch (error) {
        return failed(error, onBug);
      }
    },
  };
}

/** Our own words may be shown; those of a bug are for the log alone. */
function failed(error: unknown, onBug: ApiParts['onBug']): WebAnswer {
  onBug(error);
  if (error instanceof CrawlError) return problem('unavailable', `${error.message}. ${error.hint}`);
  return problem('broken', 'The log of the service says more.');
}

function said(fault: Parameters<WebSite['refuse']>[0], detail: string): string {
  switch (fault) {
    case 'not-found':
      return 'Nothing is at this address; /docs/ lists what is.';
    case 'method-not-allowed':
      return `Only ${detail} can be done here.`;
    case 'too-large':
      return 'Send less at once: 1 MB, 32 MB and 100,000 URLs as seeds, or the body of a lease.';
    case 'unsupported-media-type':
      return 'Send JSON, as application/json; what a parser brings, as application/octet-stream.';
    case 'head-too-large':
      return 'Its address and headers may have 16 KB together.';
    case 'too-slow':
      return 'It did not arrive in time.';
    case 'malformed':
      return `The request cannot be read: ${detail}`;
    case 'broken':
      return 'The log of the service says more.';
  }
}
