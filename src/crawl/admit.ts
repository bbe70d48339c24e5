/**
 * THE PATH, first half: a mention becomes a waiting URL.
 *
 *   mention → canonical → scope, depth → owner (else forward) → seen? → remember → queue
 *             ../url/     ../url/scope   ../ports/ownership     ../seen/  settle.ts  ../frontier/
 *
 * Nothing here waits: a page has two hundred links, and nearly all of them were named a
 * moment ago. What is left after the sieve is handed to settle.ts, which asks the filter,
 * lets the store decide, and queues what is new, together with the page that named it.
 */
import type { Instant } from '../base/instant.ts';
import { type Frontier, priorityOf } from '../frontier/index.ts';
import type { Ownership } from '../ports/ownership.ts';
import {
  hostKeyOf,
  NO_BYTES,
  quantised,
  rankOf,
  type UrlKind,
  urlKeyOf,
  type Waiting,
} from '../record/index.ts';
import type { Recent } from '../seen/index.ts';
import { hostOf } from '../url/index.ts';
import type { SeedScope } from './seed-scope.ts';

/** A URL that somebody named. It is canonical: `page/` and `canonicalize` see to that. */
export interface Mention {
  readonly url: string;
  readonly kind: UrlKind;
  readonly priority: number;
  readonly depth: number;
  readonly hops: number;
  /** How far outside the scope the page that named it is. */
  readonly outside: number;
  /** The url key of that page; empty for a seed. */
  readonly parent: Uint8Array;
}

export interface AdmitRules {
  readonly scope: SeedScope;
  readonly depthMax: number;
  readonly pathDepthMax: number;
  /** A canonical form that only some crawls want: without `www.`. */
  readonly rewrite?: (url: string) => string;
}

export type Admit = (mentions: Iterable<Mention>, now: Instant) => Waiting[];

/** The sieve of one node: answers with the URLs that may be new and are ours to ask. */
export function makeAdmit(
  rules: AdmitRules,
  frontier: Frontier,
  ownership: Ownership<Mention>,
  recent: Recent,
): Admit {
  const isMine = (mention: Mention) => ownership.isMine(hostKeyOf(hostOf(mention.url)));
  return (mentions, now) => {
    const candidates: Waiting[] = [];
    const foreign: Mention[] = [];
    for (const named of mentions) {
      const { rewrite } = rules;
      const mention = rewrite === undefined ? named : { ...named, url: rewrite(named.url) };
      if (recent.has(mention.url)) continue;
      const verdict = rules.scope.judge(mention.url, mention.outside);
      if (!verdict.in || refusal(mention, rules) !== undefined) continue;
      const candidate = waitingFrom(mention, verdict.hopsOutside, now);
      recent.add(candidate.url);
      if (!isMine(mention)) foreign.push(mention);
      else if (!frontier.isOverrun(hostOf(candidate.url), now)) candidates.push(candidate);
    }
    if (foreign.length > 0) void ownership.hand(foreign);
    return candidates;
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
  const { kind, depth, hops, parent } = mention;
  const url = ownCopy(mention.url);
  const priority = quantised(mention.priority);
  const rank = rankOf(priority, now);
  const key = urlKeyOf(url);
  return { key, url, kind, rank, priority, depth, hops, outside, parent, fails: 0, again: false };
}

/** A link's text can be a slice that keeps its whole page in memory; a waiting URL must not. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Mentions of one page's links. */
export function* linksOf(page: Waiting, links: PageLinks, frontier: Frontier): Iterable<Mention> {
  const depth = page.depth + 1;
  for (let i = 0; i < links.urls.length; i++) {
    const url = links.urls[i] as string;
    const priority = priorityOf({
      authority: frontier.authorityOf(hostOf(url)),
      context: (links.contexts[i] as number) / 255,
      depth,
      parentPriority: page.priority,
    });
    const kind = i < links.sitemaps ? 'sitemap' : 'page';
    yield { url, kind, priority, depth, hops: 0, outside: page.outside, parent: page.key };
  }
}

export interface PageLinks {
  readonly urls: readonly string[];
  readonly contexts: Uint8Array;
  /** How many of them, at the front, are sitemaps. */
  readonly sitemaps: number;
}

export function seedMention(url: string, kind: UrlKind, priority: number): Mention {
  return { url, kind, priority, depth: 0, hops: 0, outside: 0, parent: NO_BYTES };
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
