/**
 * What a host is worth (Q2): its authority, from the links of other hosts, and its quality, from
 * that and from what its pages are.
 *
 *   authority   0.5 for the average host and for unknown ones, 1 for a hundred times its rank,
 *               0.1 for a host that no other links to
 *   quality     (0.35 + 0.4 authority + 0.25 diversity of the domains that link here)
 *               × (1 − share of pages that repeat others) × what its flags leave
 *
 *   below 0.25  low       200 links of a page are kept (X1)
 *   below 0.12  starved   its URLs are worth a tenth: asked when nobody else waits, or by age
 *   below 0.05  denied    pending review, once 100 pages were seen and nobody vouches for it
 *
 * Few pages are no proof: a share counts as if twenty honest pages had been seen before. So a
 * small site that nobody links to is neither low nor starved, and a mirror that others link to
 * is starved at worst. Flags and ratings are found anew every time: a host that recovers is free.
 */
import { HOST_FLAGS, type HostRecord } from '../record/index.ts';
import { STARVED_AUTHORITY } from './score.ts';

export interface HostEvidence {
  /** PageRank, times the number of hosts: 1 is the average. */
  readonly rank: number;
  readonly inDomains: number;
  readonly pages: number;
  readonly repeats: number;
  /** Of the host's record. */
  readonly flags: number;
}

export interface RatingRules {
  /** Deny hosts that are taken for spam; else they are starved only. */
  readonly denies: boolean;
  /** Hosts that an operator looked at: never starved, never denied. */
  readonly trusted: ReadonlySet<string>;
}

export const LOW_QUALITY = 0.25;
export const STARVED_QUALITY = 0.12;
export const DENIED_QUALITY = 0.05;
/** Links that are kept of a page of a host of low quality (X1). */
export const LINKS_OF_LOW_MAX = 200;

const DENIAL_PAGES_MIN = 100;
const VOUCHED_DOMAINS = 5;
const HONEST_PAGES = 20;
const DIVERSE_DOMAINS = 100;
const LONELY_AUTHORITY = 0.1;
/** The rank of a host without any link, times the number of hosts. */
const LONELY_RANK = 0.15;
const TOP_RANK = 100;
const KEPT_BY_FLAG: readonly (readonly [flag: number, share: number])[] = [
  [HOST_FLAGS.trap, 0.8],
  [HOST_FLAGS.soft_404, 0.8],
  [HOST_FLAGS.content_farm, 0.3],
];

export type Rating = Pick<HostRecord, 'authority' | 'quality' | 'inDomains' | 'flags'>;

export function rateHost(host: string, evidence: HostEvidence, rules: RatingRules): Rating {
  const { inDomains, flags } = evidence;
  const authority = authorityOf(evidence.rank);
  const quality = qualityOf(authority, evidence);
  const isTrusted = rules.trusted.has(host);
  const isStarved = quality < STARVED_QUALITY && !isTrusted;
  const isDenied = isStarved && rules.denies && deserves(quality, evidence);
  return {
    authority: isStarved ? STARVED_AUTHORITY : authority,
    quality,
    inDomains,
    flags: isDenied ? flags | HOST_FLAGS.denied : flags & ~HOST_FLAGS.denied,
  };
}

export function authorityOf(rank: number): number {
  if (rank >= 1) return Math.min(1, 0.5 + (0.5 * Math.log(rank)) / Math.log(TOP_RANK));
  const above = Math.max(0, rank - LONELY_RANK) / (1 - LONELY_RANK);
  return LONELY_AUTHORITY + (0.5 - LONELY_AUTHORITY) * above;
}

function qualityOf(authority: number, evidence: HostEvidence): number {
  const { inDomains, pages, repeats, flags } = evidence;
  const diversity = Math.min(1, Math.log1p(inDomains) / Math.log1p(DIVERSE_DOMAINS));
  let quality = 0.35 + 0.4 * authority + 0.25 * diversity;
  quality *= 1 - repeats / (pages + HONEST_PAGES);
  for (const [flag, share] of KEPT_BY_FLAG) if ((flags & flag) !== 0) quality *= share;
  return quality;
}

function deserves(quality: number, { pages, inDomains }: HostEvidence): boolean {
  return quality < DENIED_QUALITY && pages >= DENIAL_PAGES_MIN && inDomains < VOUCHED_DOMAINS;
}

export function isLowQuality(quality: number): boolean {
  return quality < LOW_QUALITY;
}

/** What became of a host by its rating, for people; undefined when nothing did. */
export function ratingSentence(host: HostRecord): string | undefined {
  const { quality, inDomains, flags } = host;
  const why = `quality ${quality.toFixed(2)}: ${repeatsText(flags)}${domainsText(inDomains)}`;
  if ((flags & HOST_FLAGS.denied) !== 0) {
    return `The host is denied until somebody reviews it (${why}). --trust-host frees it.`;
  }
  if (quality < STARVED_QUALITY) return `The host's URLs come last (${why}).`;
  if (isLowQuality(quality)) {
    return `Only ${LINKS_OF_LOW_MAX} links of each page are followed (${why}).`;
  }
  return undefined;
}

function repeatsText(flags: number): string {
  const isFarm = (flags & (HOST_FLAGS.content_farm | HOST_FLAGS.soft_404)) !== 0;
  return isFarm ? 'its pages repeat each other, and ' : '';
}

function domainsText(inDomains: number): string {
  if (inDomains === 0) return 'no other domain links to it';
  return inDomains === 1 ? 'one other domain links to it' : `${inDomains} other domains link to it`;
}
