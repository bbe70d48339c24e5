/**
 * What a test web is made from: a seed, a size, and the features that its pages may have.
 *
 * A feature adds kinds of pages or hosts by a fixed share. `honest` is what a crawl can finish
 * exactly; `hostile` adds hosts that try to hurt a crawler, and traps without end. A test that
 * wants one thing asks for that feature alone. Quarters (quarters/) are hosts beside the numbered
 * ones, where a crawler has to judge; no profile has any.
 */
import type { Quarters } from './quarters/index.ts';

export const BENIGN = [
  'redirects',
  'robots',
  'errors',
  'busy',
  'slow',
  'copies',
  'scripts',
  'charsets',
  'changes',
  'encodings',
  'sitemaps',
  'feeds',
  'documents',
  'directives',
] as const;

/** Not in the honest web: a crawl cannot end soon, or its requests cannot be counted exactly. */
export const HARSH = ['server-errors', 'robots-timeout', 'dns', 'tls', 'traps', 'hostile'] as const;

export type Feature = (typeof BENIGN)[number] | (typeof HARSH)[number];
export type Profile = 'plain' | 'honest' | 'hostile';

export interface WebOptions {
  readonly seed?: number;
  readonly hosts?: number;
  /** All numbered pages of all hosts together, redirects and dead ones included. */
  readonly pages?: number;
  /** 0: hosts of equal size; towards 1 the first hosts hold more and more. */
  readonly skew?: number;
  /** So many more on the first host. */
  readonly hot?: number;
  readonly features?: Profile | readonly Feature[];
  /** The usual size of a page; single pages have 60% to 140% of it. */
  readonly bodyBytes?: number;
  readonly scheme?: 'http' | 'https';
  readonly port?: number;
  readonly tlsPort?: number;
  /** Neighbours on one address, for limits per IP. */
  readonly hostsPerAddress?: number;
  /** The seconds that Crawl-delay and Retry-After ask for, where they ask. */
  readonly patienceSec?: number;
  /** The slowest honest answer. */
  readonly slowMsMax?: number;
  /** Registrable domains that the numbered hosts are in. */
  readonly domains?: number;
  /** Hosts where a crawler has to judge, by kind: `{ calendar: { hosts: 2 }, farm: {} }`. */
  readonly quarters?: Quarters;
}

export interface Settings extends Required<Omit<WebOptions, 'features'>> {
  readonly features: ReadonlySet<Feature>;
}

export function settle(options: WebOptions): Settings {
  const scheme = options.scheme ?? 'http';
  const hosts = options.hosts ?? 20;
  const pages = options.pages ?? 1_000;
  if (!(hosts >= 1) || !(pages >= hosts)) {
    throw new RangeError(`a test web needs hosts >= 1 and pages >= hosts, not ${hosts}, ${pages}`);
  }
  return {
    seed: options.seed ?? 1,
    hosts,
    pages,
    skew: options.skew ?? 0.8,
    hot: options.hot ?? 0,
    features: featureSet(options.features ?? 'honest'),
    bodyBytes: options.bodyBytes ?? 14_000,
    scheme,
    port: options.port ?? (scheme === 'http' ? 80 : 443),
    tlsPort: options.tlsPort ?? (scheme === 'https' ? (options.port ?? 443) : 443),
    hostsPerAddress: options.hostsPerAddress ?? 1,
    patienceSec: options.patienceSec ?? 1,
    slowMsMax: options.slowMsMax ?? 1_200,
    domains: options.domains ?? 8,
    quarters: options.quarters ?? {},
  };
}

function featureSet(features: Profile | readonly Feature[]): Set<Feature> {
  if (features === 'plain') return new Set();
  if (features === 'honest') return new Set(BENIGN);
  if (features === 'hostile') return new Set([...BENIGN, ...HARSH]);
  return new Set(features);
}
