/**
 * From the bytes of an answer to everything that the crawl keeps of it, in one go:
 *
 *   decode ─┬→ SHA-256
 *           ├→ links.ts: charset, links, title, directives ─→ trace
 *           └→ document-links.ts: the same of what is not HTML, by plugins (X2)
 *
 * CPU work only, without waiting, so that it runs inline or in a worker alike (X3). What a
 * hostile page does to a parser is caught here and said in `trouble`: it costs that page's
 * links, nothing else.
 */
import * as crypto from 'node:crypto';
import { BUILT_IN } from '../document/index.ts';
import { decodeBody } from '../fetch/index.ts';
import { LINKS_MAX } from '../page/index.ts';
import { CONTEXT_MEANT } from '../quality/index.ts';
import type { MarkdownOptions } from '../readable/index.ts';
import { encodeTrace, type UrlKind } from '../record/index.ts';
import { type Directives, NO_DIRECTIVES } from './directives.ts';
import { documentLinks, type Readers } from './document-links.ts';
import { type FoundLinks, findLinks } from './links.ts';
import { markdownOf } from './markdown.ts';
import { NO_PRINT, type TextPrint } from './simhash.ts';
import { NO_LASTMODS } from './sitemap-links.ts';

export interface RawPage {
  readonly url: string;
  readonly kind: UrlKind;
  /** As sent, under its content-encoding. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly decodedBytesMax: number;
  /** The name that robots directives are matched with. */
  readonly agent: string;
  /** Links to keep: fewer of hosts of low quality (X1). */
  readonly linksMax?: number;
  /** What the page was sent in, when that is not what its body is in now: what its links ask in. */
  readonly queryCharset?: string;
  /** The main text is wanted as Markdown, so (X5). */
  readonly markdown?: MarkdownOptions | undefined;
}

/** With the fingerprints of its words (C2). */
export interface Digest extends TextPrint {
  /** SHA-256 of the decoded body; empty when there was none. */
  readonly contentHash: Uint8Array;
  readonly bodyBytes: number;
  /** Decoded; empty when there was none. */
  readonly body: Uint8Array;
  /** Headers and links (record/trace.ts). */
  readonly trace: Uint8Array;
  readonly title: string;
  /** It says that there is no such page, and little else (C3). */
  readonly isMissing: boolean;
  readonly isTruncated: boolean;
  readonly linksDropped: boolean;
  readonly directives: Directives;
  /** Canonical URLs to follow, in the order of the page; sitemaps first. Most repeats are gone. */
  readonly links: readonly string[];
  /** For each link, how much its place says for it, 0 to 255; of repeats, the first one's. */
  readonly contexts: Uint8Array;
  /** For each link, how often it is meant again, up to 255; empty where nobody looked. */
  readonly votes: Uint8Array;
  /** How many links there are with those repeats. */
  readonly named: number;
  /** How many of the links are sitemaps. */
  readonly sitemaps: number;
  /** When each link last changed, as a sitemap says; empty where none is said (T3). */
  readonly lastmods: Float64Array;
  /** Left out when it was not asked for, and where there is no text. */
  readonly markdown?: string;
  /** What went wrong in a parser; empty when nothing did. */
  readonly trouble: string;
}

const EMPTY = new Uint8Array(0);
const NO_LINKS = { targets: [], texts: '', rels: {}, kinds: {} };

const BUILT_IN_READERS: Readers = { plugins: BUILT_IN };

export function digest(page: RawPage, readers: Readers = BUILT_IN_READERS): Digest {
  const encoding = page.headers['content-encoding'] ?? '';
  const decoded = decodeBody(page.body, encoding, page.decodedBytesMax);
  const { body } = decoded;
  const document = documentLinks(body, page, readers);
  const found = document ?? findLinks(body, page);
  const { simhash, words, pairs } = found.print;
  const { links, contexts, votes, named, sitemaps, lastmods } = followable(found);
  const read: Digest = {
    contentHash: body.length === 0 ? EMPTY : sha256(body),
    bodyBytes: body.length,
    body,
    trace: encodeTrace(page.headers, found),
    title: found.title,
    simhash,
    words,
    pairs,
    isMissing: found.isMissing,
    isTruncated: decoded.truncated !== undefined,
    linksDropped: found.isCut,
    directives: found.directives,
    links,
    contexts,
    votes,
    named,
    sitemaps,
    lastmods,
    trouble: decoded.error ?? found.trouble,
  };
  if (page.markdown === undefined || page.kind !== 'page') return read;
  const markdown = markdownOf(body, page, document);
  return markdown === undefined ? read : { ...read, markdown };
}

type Followable = Pick<Digest, 'links' | 'contexts' | 'votes' | 'named' | 'sitemaps' | 'lastmods'>;

/** What the page allows to be followed. */
function followable(found: FoundLinks): Followable {
  if (found.order !== undefined) return followableOnce(found, found.order);
  const { targets, contexts, sitemaps, lastmods } = found;
  const plain = { votes: EMPTY, sitemaps };
  if (!hasZero(contexts)) {
    return { ...plain, links: targets, contexts, named: targets.length, lastmods };
  }
  const links: string[] = [];
  const kept = new Uint8Array(contexts.length);
  const dates = new Float64Array(lastmods.length);
  for (let i = 0; i < targets.length; i++) {
    const context = contexts[i] as number;
    if (context === 0) continue;
    kept[links.length] = context;
    dates[links.length] = lastmods[i] ?? 0;
    links.push(targets[i] as string);
  }
  const { length } = links;
  return {
    ...plain,
    links,
    contexts: kept.subarray(0, length),
    named: length,
    lastmods: dates.subarray(0, length),
  };
}

/** Where each target of a page stands among its links, counted from 1. */
const places = new Uint16Array(LINKS_MAX + 1);
const VOTES_MAX = 255;

/** The same for links that lead to the same targets again and again. */
function followableOnce(found: FoundLinks, order: readonly number[]): Followable {
  const { targets, contexts, sitemaps, lastmods } = found;
  const links: string[] = [];
  const kept = new Uint8Array(2 * targets.length);
  const votes = kept.subarray(targets.length);
  places.fill(0, 0, targets.length);
  let named = 0;
  for (let i = 0; i < order.length; i++) {
    const context = contexts[i] as number;
    if (context === 0) continue;
    named++;
    const number = order[i] as number;
    const place = places[number] as number;
    if (place === 0) {
      kept[links.length] = context;
      places[number] = links.push(targets[number] as string);
    } else if (context >= CONTEXT_MEANT) {
      votes[place - 1] = Math.min(VOTES_MAX, (votes[place - 1] as number) + 1);
    }
  }
  const { length } = links;
  return {
    links,
    contexts: kept.subarray(0, length),
    votes: votes.subarray(0, length),
    named,
    sitemaps,
    lastmods,
  };
}

/** A loop: to call out of JavaScript costs more than a page has links. */
function hasZero(contexts: Uint8Array): boolean {
  for (let i = 0; i < contexts.length; i++) if (contexts[i] === 0) return true;
  return false;
}

function sha256(bytes: Uint8Array): Uint8Array {
  return crypto.hash('sha256', bytes, 'buffer');
}

/** What is kept of a page that no plugin could be asked about: all but links, title and words. */
export function unreadDigest(page: RawPage, trouble: string): Digest {
  return { ...digest(page, { plugins: [] }), trouble };
}

/** What is left of a page that broke its parser. */
export function brokenDigest(trouble: string): Digest {
  return {
    ...{ contentHash: EMPTY, bodyBytes: 0, body: EMPTY, title: '', ...NO_PRINT },
    trace: encodeTrace({}, NO_LINKS),
    ...{ isMissing: false, isTruncated: false, linksDropped: true, directives: NO_DIRECTIVES },
    ...{ links: [], contexts: EMPTY, votes: EMPTY, named: 0, sitemaps: 0 },
    ...{ lastmods: NO_LASTMODS, trouble },
  };
}
