/**
 * Which URLs belong to a crawl (F10).
 *
 *   excluded? ─▶ seed? ─▶ kind: host | domain | any ─▶ prefixes ─▶ include ─▶ in
 *      out         in            └──────────┴─────────────┴─▶ outside: extra hops left? in, or out
 *
 * `host` is the hosts of the seeds with their ports, `domain` their registrable domains by the
 * Public Suffix List (private suffixes count, so one blog of a provider is not all of them).
 * An IP address or a name without a suffix is a domain of its own.
 *
 * Prefixes and include patterns narrow what the kind lets in; exclude wins over everything.
 * Seeds are always in unless excluded: a start page outside the prefix still has to be read.
 */
import { getDomain } from 'tldts';
import { CrawlError } from '../base/index.ts';
import { canonicalize } from './canonical.ts';
import { hostnameOf, hostOf, pathOf } from './parts.ts';

export type ScopeKind = 'host' | 'domain' | 'any';

export interface ScopeOptions {
  readonly kind: ScopeKind;
  readonly seeds: readonly string[];
  /** Regular expressions over the whole URL, of which one must match. */
  readonly include?: readonly string[];
  /** Regular expressions over the whole URL, of which none may match. */
  readonly exclude?: readonly string[];
  /** Beginnings of URLs, or of paths when they begin with a slash, of which one must fit. */
  readonly prefixes?: readonly string[];
  /** How many links beyond the scope are followed. */
  readonly extraHops?: number;
}

export interface ScopeVerdict {
  readonly in: boolean;
  readonly reason: string;
  /** How far outside the URL is; 0 within the scope. Pass it on with the links of its page. */
  readonly hopsOutside: number;
}

export interface Scope {
  /** Takes a canonical URL and how far outside the scope the page that named it is. */
  judge(url: string, hopsOutside?: number): ScopeVerdict;
  /** One more seed, canonical. True when the scope is wider for it: then it is remembered. */
  add(seed: string): boolean;
}

/** Why a pattern is no regular expression; undefined when it is one. */
export function checkPattern(text: string): string | undefined {
  try {
    new RegExp(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Throws `E_CONFIG` when a pattern is not a regular expression. */
export function makeScope(options: ScopeOptions): Scope {
  const seeds = new Set(options.seeds.map((seed) => canonicalize(seed) ?? seed));
  const exclude = compile(options.exclude, 'exclude');
  const extraHops = options.extraHops ?? 0;
  const kind = kindTest(options.kind, seeds);
  const narrowing = [
    prefixTest(options.prefixes ?? []),
    includeTest(compile(options.include, 'include')),
  ].filter((test) => test !== undefined);
  const outsideBy = kind === undefined ? narrowing : [kind.test, ...narrowing];

  return {
    add(seed) {
      if (outsideBy.every((test) => test(seed) === undefined) || seeds.has(seed)) return false;
      seeds.add(seed);
      kind?.add(seed);
      return true;
    },
    judge(url, hopsOutside = 0) {
      const excluded = exclude.length === 0 ? undefined : exclude.find((re) => re.test(url));
      if (excluded) return out(`excluded by ${excluded.source}`, hopsOutside);
      if (seeds.has(url)) return SEED;
      for (const test of outsideBy) {
        const reason = test(url);
        if (reason !== undefined) return outside(reason, hopsOutside + 1, extraHops);
      }
      return WITHIN;
    },
  };
}

const SEED: ScopeVerdict = { in: true, reason: 'a seed', hopsOutside: 0 };
const WITHIN: ScopeVerdict = { in: true, reason: 'within the scope', hopsOutside: 0 };

function out(reason: string, hopsOutside: number): ScopeVerdict {
  return { in: false, reason, hopsOutside };
}

function outside(reason: string, hops: number, extraHops: number): ScopeVerdict {
  if (hops > extraHops) return out(reason, hops);
  return { in: true, reason: `${reason}, but hop ${hops} of ${extraHops}`, hopsOutside: hops };
}

/** Says why a URL is outside, or nothing. */
type OutsideTest = (url: string) => string | undefined;

interface KindTest {
  readonly test: OutsideTest;
  add(seed: string): void;
}

function kindTest(kind: ScopeKind, seeds: ReadonlySet<string>): KindTest | undefined {
  if (kind === 'any') return undefined;
  const domainOf = rememberedDomains();
  const placeOf = kind === 'host' ? hostOf : (url: string) => domainOf(hostnameOf(url));
  const places = new Set([...seeds].map(placeOf));
  const reason = `not a ${kind} of the seeds`;
  return {
    test: (url) => (places.has(placeOf(url)) ? undefined : reason),
    add: (seed) => void places.add(placeOf(seed)),
  };
}

const DOMAINS_REMEMBERED_MAX = 10_000;

/** Reading the Public Suffix List costs about a microsecond, so answers are kept for a while. */
function rememberedDomains(): (hostname: string) => string {
  const known = new Map<string, string>();
  return (hostname) => {
    let domain = known.get(hostname);
    if (domain === undefined) {
      domain = registrableDomain(hostname);
      if (known.size >= DOMAINS_REMEMBERED_MAX) known.clear();
      known.set(hostname, domain);
    }
    return domain;
  };
}

/** `a.b.example.co.uk` → `example.co.uk`; what has no registrable domain is its own. */
export function registrableDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

function prefixTest(prefixes: readonly string[]): OutsideTest | undefined {
  if (prefixes.length === 0) return undefined;
  const paths = prefixes.filter((prefix) => prefix.startsWith('/'));
  const urls = prefixes
    .filter((prefix) => !prefix.startsWith('/'))
    .map((prefix) => canonicalize(prefix) ?? prefix);
  return (url) => {
    if (urls.some((prefix) => url.startsWith(prefix))) return undefined;
    if (paths.length > 0 && paths.some((prefix) => pathOf(url).startsWith(prefix)))
      return undefined;
    return 'not under a given prefix';
  };
}

function includeTest(include: readonly RegExp[]): OutsideTest | undefined {
  if (include.length === 0) return undefined;
  return (url) => (include.some((re) => re.test(url)) ? undefined : 'matches no include pattern');
}

function compile(patterns: readonly string[] | undefined, setting: string): RegExp[] {
  return (patterns ?? []).map((text) => {
    const mistake = checkPattern(text);
    if (mistake === undefined) return new RegExp(text);
    throw new CrawlError(
      'E_CONFIG',
      `${setting}: ${mistake}`,
      `Write ${setting} as a JavaScript regular expression over the whole URL.`,
    );
  });
}
