/**
 * THE PATH, first half: a mention becomes a waiting URL.
 *
 *   mention → canonical → scope, denied?, depth → owner (else forward) → regard → seen? → remember → queue
 *             ../url/     ../url/scope   ../ports/ownership     ../frontier/attention  settle.ts
 *
 * Nothing here waits: a page has two hundred links, and nearly all of them were named a
 * moment ago. What is left after the sieve is handed to settle.ts, which asks the filter,
 * lets the store decide, and queues what is new, together with the page that named it.
 */
import type { Instant } from '../base/instant.ts';
import { Rules } from '../comply/index.ts';
import type { Mention } from '../events/index.ts';
import type { Frontier } from '../frontier/index.ts';
import type { Ownership } from '../ports/ownership.ts';
import {
  type Claim,
  CONTEXT_MEANT,
  claimOf,
  dampedClaim,
  type LinkFacts,
  type Naming,
  NO_CLAIM,
  PARKED_PRIORITY,
  PROBE_PRIORITY,
  priorityOf,
} from '../quality/index.ts';
import {
  NO_BYTES,
  quantised,
  rankOf,
  type UrlKind,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import type { Recent } from '../seen/index.ts';
import { hostOf, ownCopy } from '../url/index.ts';
import type { SeedScope } from './seed-scope.ts';

export type { Mention } from '../events/index.ts';

export interface AdmitRules {
  readonly scope: SeedScope;
  readonly depthMax: number;
  readonly pathDepthMax: number;
  /** A canonical form that only some crawls want: without `www.`. */
  readonly rewrite?: (url: string) => string;
}

/** What a job may name, 0 being the crawl itself; undefined when that is nothing any more. */
export type RulesOf = (job: number) => AdmitRules | undefined;

/** What is left of mentions after the sieve. */
export interface Admitted {
  /** URLs that may be new and are ours to ask. */
  readonly candidates: readonly Waiting[];
  /** What belongs to others: handed to them before the page that named it is settled. */
  readonly foreign?: readonly Mention[];
}

/** The sieve of one node. */
export class Admit {
  readonly #rulesOf: RulesOf;
  readonly #frontier: Frontier;
  readonly #ownership: Ownership<Mention>;
  readonly #recent: Recent;
  readonly #denials: Rules;

  constructor(
    rulesOf: RulesOf,
    frontier: Frontier,
    ownership: Ownership<Mention>,
    recent: Recent,
    denials: Rules = new Rules(),
  ) {
    this.#rulesOf = rulesOf;
    this.#frontier = frontier;
    this.#ownership = ownership;
    this.#recent = recent;
    this.#denials = denials;
  }

  mentions(mentions: Iterable<Mention>, now: Instant): Admitted {
    const found = new Found();
    for (const mention of mentions) {
      const rules = this.#rulesOf(mention.job ?? 0);
      if (rules === undefined) continue;
      const url = rules.rewrite?.(mention.url) ?? mention.url;
      if (!this.#recent.has(url)) this.#consider({ ...mention, url }, rules, now, found);
    }
    return found.admitted();
  }

  /**
   * Mentions that other nodes have handed on. Whoever handed them may have been this node, before
   * their arc was its own: that they were named a moment ago says nothing.
   */
  arrived(mentions: readonly Mention[], now: Instant): Admitted {
    const found = new Found();
    for (const mention of mentions) {
      const rules = this.#rulesOf(mention.job ?? 0);
      if (rules !== undefined) this.#consider(mention, rules, now, found);
    }
    return found.admitted();
  }

  /** Is any of them of no interest here, although it was where it comes from? */
  isOutOfScope(mentions: readonly Mention[]): boolean {
    return mentions.some(({ url, outside, job = 0 }) => {
      const rules = this.#rulesOf(job);
      return rules !== undefined && !rules.scope.judge(url, outside).in;
    });
  }

  /** A page's links: nearly all of them are known, so nothing is made of one before that is clear. */
  links(page: Waiting, links: PageLinks, now: Instant): Admitted {
    const rules = this.#rulesOf(page.job ?? 0);
    if (rules === undefined) return NONE;
    const naming = this.#frontier.attention.naming(page);
    const found = new Found(hostOf(page.url), naming);
    const isWatched = naming?.isWatching ?? false;
    const { rewrite } = rules;
    for (let i = 0; i < links.urls.length; i++) {
      const named = links.urls[i] as string;
      const url = rewrite === undefined ? named : rewrite(named);
      const isMeant = (links.contexts[i] as number) >= CONTEXT_MEANT;
      const again = links.votes?.[i] ?? 0;
      if (this.#recent.vote(url, again + (isMeant ? 1 : 0))) {
        if (isWatched) naming?.known(url);
        continue;
      }
      const kind = i < links.sitemaps ? 'sitemap' : 'page';
      const claim = claimOf(factsOf(page, links, i, now));
      const priority = priorityOf(claim, this.#frontier.authorityOf(hostOf(url)));
      this.#consider(linkMention(page, url, kind, priority, claim), rules, now, found);
      if (again > 0) this.#recent.vote(url, again);
    }
    naming?.close();
    return found.admitted();
  }

  #consider(mention: Mention, rules: AdmitRules, now: Instant, found: Found): void {
    const verdict = rules.scope.judge(mention.url, mention.outside);
    if (!verdict.in) return;
    if (!this.#denials.isEmpty && this.#denials.meets(mention.url) !== undefined) return;
    if (refusal(mention, rules) !== undefined) {
      found.naming?.cut();
      return;
    }
    const candidate = waitingFrom(mention, verdict.hopsOutside, now);
    this.#recent.add(candidate.url);
    if (!this.#ownership.isMine(candidate.key)) {
      found.foreign.push(mention);
      return;
    }
    if (this.#frontier.isOverrun(hostOf(candidate.url), now)) return;
    const regarded = this.#regard(candidate, found, now);
    if (regarded !== undefined) found.mine.push(regarded);
  }

  /** With the attention that its host and its kind deserve; undefined when that is none. */
  #regard(candidate: Waiting, found: Found, now: Instant): Waiting | undefined {
    const { url, hops } = candidate;
    const standing = this.#frontier.attention.regard(url, found.from, found.naming, hops > 0);
    if (standing === 1) return candidate;
    if (standing === 0) return candidate.depth === 0 ? candidate : undefined;
    const { claim = NO_CLAIM, ...rest } = candidate;
    if (standing === 'parked') return withPriority(rest, PARKED_PRIORITY, now);
    if (standing === 'probe') return withPriority(rest, PROBE_PRIORITY, now);
    const priority = standing * candidate.priority;
    return { ...withPriority(rest, priority, now), claim: dampedClaim(claim, standing) };
  }
}

export const NONE: Admitted = { candidates: [] };

class Found {
  /** The host of the page that names them, and what that says of its kind, if it is watched. */
  readonly from: string | undefined;
  readonly naming: Naming | undefined;
  readonly mine: Waiting[] = [];
  readonly foreign: Mention[] = [];

  constructor(from?: string, naming?: Naming) {
    this.from = from;
    this.naming = naming;
  }

  admitted(): Admitted {
    const { mine: candidates, foreign } = this;
    return foreign.length === 0 ? { candidates } : { candidates, foreign };
  }
}

function withPriority(waiting: Waiting, given: number, now: Instant): Waiting {
  const priority = quantised(given);
  return { ...waiting, priority, rank: rankOf(priority, now) };
}

/** What a sitemap names is as deep as the sitemap: it is a list of pages, not one of them. */
function linkMention(
  page: Waiting,
  url: string,
  kind: UrlKind,
  priority: number,
  claim: Claim,
): Mention {
  const { outside, key: parent, job } = page;
  const depth = page.kind === 'sitemap' ? page.depth : page.depth + 1;
  return { url, kind, priority, depth, hops: 0, outside, parent, claim, ...(job && { job }) };
}

/** What link scoring is told of one link (../quality/score.ts). */
function factsOf(page: Waiting, links: PageLinks, i: number, now: Instant): LinkFacts {
  const changedAt = links.lastmods?.[i] || links.changedAt || now;
  return {
    context: links.contexts[i] as number,
    depth: page.depth + 1,
    parentPriority: page.priority,
    ageMs: now - changedAt,
  };
}

/** Why a URL in scope is still not taken; undefined when it is. `orb why` quotes it. */
export function refusal(mention: Mention, rules: AdmitRules): string | undefined {
  if (mention.depth > rules.depthMax) return `deeper than ${rules.depthMax} links from a seed`;
  if (pathDepth(mention.url) > rules.pathDepthMax) {
    return `its path has more than ${rules.pathDepthMax} segments`;
  }
  return undefined;
}

export function waitingFrom(mention: Mention, outside: number, now: Instant): Waiting {
  const { kind, depth, hops, parent, job } = mention;
  const url = ownCopy(mention.url);
  const priority = quantised(mention.priority);
  const rank = rankOf(priority, now);
  const key = urlKeyOf(url);
  const claim = mention.claim && { claim: mention.claim };
  const rest = { hops, outside, parent, fails: 0, again: false, ...claim, ...(job && { job }) };
  return { key, url, kind, rank, priority, depth, ...rest };
}

export interface PageLinks {
  readonly urls: readonly string[];
  readonly contexts: Uint8Array;
  /** How often each of them is meant again; empty where nobody looked. */
  readonly votes?: Uint8Array;
  /** How many of them, at the front, are sitemaps. */
  readonly sitemaps: number;
  /** When each of them last changed by a sitemap's word, 0 when unsaid; empty without one. */
  readonly lastmods?: Float64Array;
  /** When the page itself did, by its own word. */
  readonly changedAt?: Instant | undefined;
}

export function seedMention(url: string, kind: UrlKind, priority: number, job = 0): Mention {
  const own = job > 0 && { job };
  return { url, kind, priority, depth: 0, hops: 0, outside: 0, parent: NO_BYTES, ...own };
}

/** A sitemap that robots.txt names: its pages are one step from the site's seeds. */
export function robotsSitemap(url: string, priority: number, job = 0): Mention {
  return { ...seedMention(url, 'sitemap', priority, job), depth: 1 };
}

function pathDepth(url: string): number {
  let depth = -2;
  const end = url.indexOf('?');
  for (
    let at = url.indexOf('/');
    at !== -1 && (end === -1 || at < end);
    at = url.indexOf('/', at + 1)
  ) {
    depth++;
  }
  return depth;
}
