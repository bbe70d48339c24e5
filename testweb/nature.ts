/**
 * What a page is: plain, or one of the kinds that a feature brings.
 *
 * Only leaves are special, so that no subtree hangs on a page that leads nowhere. Busy pages are
 * at most two on a host: five server errors in a day would put the host to sleep (P2).
 */
import { mix, SALT } from './hash.ts';
import type { Host } from './hosts.ts';
import type { Feature } from './options.ts';
import { HOPS_MAX, hopOf, isLeaf, landingOf } from './resources.ts';

/** Shares of leaves, in ten-thousandths. */
const SHARES = {
  'redirect-301': ['redirects', 80],
  'redirect-302': ['redirects', 60],
  'redirect-307': ['redirects', 30],
  'redirect-308': ['redirects', 40],
  'redirect-chain': ['redirects', 50],
  'redirect-away': ['redirects', 60],
  'redirect-loop': ['redirects', 20],
  'redirect-long': ['redirects', 20],
  'status-403': ['errors', 20],
  'status-404': ['errors', 100],
  'status-410': ['errors', 30],
  'status-451': ['errors', 20],
  'status-500': ['server-errors', 30],
  slow: ['slow', 20],
  twin: ['copies', 150],
  near: ['copies', 150],
  'soft-404': ['copies', 40],
  'script-only': ['scripts', 50],
  'windows-1251': ['charsets', 50],
  shift_jis: ['charsets', 50],
  'utf-16': ['charsets', 30],
  'wrong-meta': ['charsets', 30],
  changing: ['changes', 300],
  pdf: ['documents', 50],
  'binary-as-html': ['documents', 20],
  'plain-text': ['documents', 40],
  'meta-noindex': ['directives', 40],
  'meta-nofollow': ['directives', 40],
  'x-robots': ['directives', 40],
} as const satisfies Record<string, readonly [Feature, number]>;

export const BUSY = [
  'busy-429-seconds',
  'busy-429-date',
  'busy-429-silent',
  'busy-503-seconds',
  'busy-503-date',
  'busy-503-silent',
] as const;

export type Nature =
  | 'page'
  | 'landing'
  | 'hop'
  | 'feed'
  | 'missing'
  | keyof typeof SHARES
  | (typeof BUSY)[number];

/** Every kind of page, for `examples` and for tests that walk over all. */
export const PAGE_NATURES = [...Object.keys(SHARES), ...BUSY] as Nature[];

const BUSY_SIZE_MIN = 16;
const DRAWS = 10_000;

export interface NatureTable {
  readonly names: readonly Nature[];
  /** names[i] holds for draws below upTo[i]. */
  readonly upTo: readonly number[];
  readonly busy: boolean;
}

export function natureTable(features: ReadonlySet<Feature>): NatureTable {
  const names: Nature[] = [];
  const upTo: number[] = [];
  let sum = 0;
  for (const [name, [feature, share]] of Object.entries(SHARES)) {
    if (!features.has(feature)) continue;
    sum += share;
    names.push(name as Nature);
    upTo.push(sum);
  }
  return { names, upTo, busy: features.has('busy') };
}

/** The kind of any resource number of the host; undefined when nothing is there. */
export function natureOf(table: NatureTable, host: Host, resource: number): Nature | undefined {
  const { size } = host;
  if (resource < size) return pageNature(table, host, resource);
  if (resource < 2 * size) {
    const page = resource - size;
    return endsOnLanding(table, host, page) ? 'landing' : undefined;
  }
  if (resource < 11 * size) {
    const page = Math.floor((resource - 2 * size) / HOPS_MAX);
    const n = 1 + ((resource - 2 * size) % HOPS_MAX);
    return n <= hopsOf(pageNature(table, host, page), host, page) ? 'hop' : undefined;
  }
  if (resource === 11 * size) return host.feed ? 'feed' : undefined;
  return host.softMissing ? 'soft-404' : 'missing';
}

export function pageNature(table: NatureTable, host: Host, page: number): Nature {
  if (!isLeaf(host, page)) return 'page';
  if (table.busy && page >= host.size - 2 && host.size >= BUSY_SIZE_MIN) {
    const draw = mix(host.seed + SALT.headers, page) % 40;
    const busy = BUSY[draw];
    if (busy !== undefined) return busy;
  }
  if (isOrphan(host, page)) return 'page';
  const draw = mix(host.seed + SALT.nature, page) % DRAWS;
  const { upTo } = table;
  const last = upTo.length - 1;
  if (last < 0 || draw >= upTo[last]!) return 'page';
  let at = 0;
  while (draw >= upTo[at]!) at++;
  return table.names[at]!;
}

/** Named by the sitemap alone; no page links to it. */
export function isOrphan(host: Host, page: number): boolean {
  if (!host.sitemap || !isLeaf(host, page)) return false;
  return mix(host.seed + SALT.orphan, page) % 50 === 0;
}

/** How many `/hop/` URLs stand between the redirecting page and its end. */
export function hopsOf(nature: Nature, host: Host, page: number): number {
  if (nature === 'redirect-chain') return 1 + (mix(host.seed + SALT.redirect, page) % 3);
  if (nature === 'redirect-loop') return 2;
  return nature === 'redirect-long' ? 8 : 0;
}

export function endsOnLanding(table: NatureTable, host: Host, page: number): boolean {
  const nature = pageNature(table, host, page);
  if (!nature.startsWith('redirect-')) return false;
  if (nature === 'redirect-away' || nature === 'redirect-loop') return false;
  return (mix(host.seed + SALT.redirect, page) >>> 8) % 2 === 0;
}

export interface Redirection {
  readonly status: number;
  /** A resource of the same host, or the root of another. */
  readonly to: { readonly host: number; readonly resource: number };
}

const STATUSES = [301, 302, 307, 308];

/** Where a redirecting resource points; undefined for every other resource. */
export function redirectionOf(
  table: NatureTable,
  hosts: readonly Host[],
  host: Host,
  resource: number,
): Redirection | undefined {
  const hop = resource >= 2 * host.size;
  const page = hop ? Math.floor((resource - 2 * host.size) / HOPS_MAX) : resource;
  const n = hop ? 1 + ((resource - 2 * host.size) % HOPS_MAX) : 0;
  if (page >= host.size) return undefined;
  const nature = pageNature(table, host, page);
  if (!nature.startsWith('redirect-') || n > hopsOf(nature, host, page)) return undefined;
  const draw = mix(host.seed + SALT.redirect, page);
  const fixed = Number(nature.slice('redirect-'.length));
  const status = fixed > 0 ? fixed : STATUSES[(draw + n) % 4]!;
  const here = (to: number): Redirection => ({ status, to: { host: host.index, resource: to } });
  if (n < hopsOf(nature, host, page)) return here(hopOf(host, page, n + 1));
  if (nature === 'redirect-loop') return here(page);
  if (nature === 'redirect-away') {
    return { status, to: { host: (draw >>> 4) % hosts.length, resource: 0 } };
  }
  const landing = endsOnLanding(table, host, page);
  return here(landing ? landingOf(host, page) : draw % Math.max(1, host.inner));
}
