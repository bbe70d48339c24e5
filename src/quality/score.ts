/**
 * How soon a URL is worth a visit (F2, X4), in [0,1].
 *
 *   0.4 authority of its host  +  0.3 freshness  +  0.3 context of the links to it
 *   × 0.92 per link from a seed × (0.6 + 0.4 priority of the page that named it) × suspicion
 *
 * Only the first part changes while a URL waits: hosts are rated anew every day (host-rating.ts).
 * So what the link itself says is kept beside the priority as a **claim** of two bytes, grip (how
 * much of the host's authority arrives) and merit (all the rest), and a rating that changes gives
 * the exact new priority without the page, the link or the authority of that day:
 *
 *   priority = 0.4 × authority × grip + merit + what votes add
 *
 * Votes are links in the texts of further pages, counted as long as they are remembered
 * (../seen/recent.ts): the first link that is found says least about a page.
 *
 * Nothing here knows where the facts come from: the stage runs with a page's digest in the crawl,
 * and over stored traces anywhere else.
 */
import { DAY_MS } from '../base/instant.ts';

export interface LinkFacts {
  /** 0 to 255, from link-context.ts. */
  readonly context: number;
  /** Links from a seed. */
  readonly depth: number;
  /** Of the page that named it. */
  readonly parentPriority: number;
  /** How long ago the page that named it changed last; undefined when it does not say. */
  readonly ageMs?: number | undefined;
  /** 1 for an ordinary URL, 0.1 for one that looks like a trap (traps.ts). */
  readonly suspicion?: number;
}

export const SEED_PRIORITY = { high: 1, normal: 0.8, low: 0.5 } as const;
/** What is said of a host that nobody rated yet. */
export const UNKNOWN_AUTHORITY = 0.5;
/** That of a host which is taken for spam: its URLs are worth a tenth. */
export const STARVED_AUTHORITY = 0;
const STARVED_SHARE = 0.1;
/** The factor for URLs that look like a trap (F2). */
export const TRAP_SUSPICION = 0.1;

const WEIGHT = { authority: 0.4, freshness: 0.3, context: 0.3 } as const;
const DEPTH_DAMPING = 0.92;
const PARENT_SHARE = 0.4;
const CONTEXT_MAX = 255;
/** A link on a page that has not changed for this long is half as fresh as a new one. */
const FRESHNESS_HALF_LIFE_MS = 180 * DAY_MS;
/** Of the context's weight, what further links in texts bring and the first cannot. */
const VOTES_SHARE = 0.6;
const VOTES_WEIGHT = VOTES_SHARE * WEIGHT.context;
const LINK_WEIGHT = WEIGHT.context - VOTES_WEIGHT;
const MERIT_MAX = WEIGHT.freshness + LINK_WEIGHT;
const STEPS = 255;

/** Grip in the high byte, merit in the low one; 0 is no claim: a seed, or a visit by schedule. */
export type Claim = number;
export const NO_CLAIM: Claim = 0;

export function claimOf(link: LinkFacts): Claim {
  const { depth, parentPriority, suspicion = 1 } = link;
  const parent = 1 - PARENT_SHARE + PARENT_SHARE * parentPriority;
  const grip = DEPTH_DAMPING ** depth * parent * suspicion;
  const merit =
    grip *
    (WEIGHT.freshness * freshnessOf(link.ageMs) + (LINK_WEIGHT * link.context) / CONTEXT_MAX);
  return (Math.max(1, steps(grip)) << 8) | steps(merit / MERIT_MAX);
}

/** The priority of a link to a host of that authority; one without any is starved (Q2). */
export function priorityOf(claim: Claim, authority: number, votes = 1): number {
  const grip = (claim >> 8) / STEPS;
  const merit = (MERIT_MAX * (claim & 0xff)) / STEPS;
  const told = merit + VOTES_WEIGHT * grip * popularityOf(votes);
  if (authority <= STARVED_AUTHORITY) return STARVED_SHARE * told;
  return WEIGHT.authority * authority * grip + told;
}

/** 0 for one vote, half for four, near 1 for hundreds. */
function popularityOf(votes: number): number {
  return votes <= 1 ? 0 : 1 - 1 / Math.sqrt(votes);
}

/** 1 when new or unknown, half of that for every half-life; a time in the future is new. */
export function freshnessOf(ageMs: number | undefined): number {
  if (ageMs === undefined || ageMs <= 0) return 1;
  return 0.5 ** (ageMs / FRESHNESS_HALF_LIFE_MS);
}

function steps(part: number): number {
  return Math.round(STEPS * Math.min(1, Math.max(0, part)));
}
