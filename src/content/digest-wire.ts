/**
 * A digest on its way from a parser elsewhere (K3): a JSON head, and bytes behind it.
 *
 *   head    title, fingerprints, directives, … and how long each part is
 *   parts   body │ trace │ links, a line each │ a context for each │ votes for each │ lastmods,
 *           8 bytes each; the last two may be left out
 *
 * A body that was sent without a content-encoding stays away: the node still has it. What comes
 * is looked at as closely as what a page brings. It must hang together: the hash is that of the
 * body, there is a context for each link, and every link is in its canonical form, because all
 * that comes after relies on it.
 */
import * as crypto from 'node:crypto';
import { linksInTrace } from '../record/index.ts';
import { canonicalize } from '../url/index.ts';
import type { Digest, RawPage } from './digest.ts';

/** To be raised with every change to what a page or its digest holds, or to how they travel. */
export const READING_VERSION = 3;

export interface DigestHead {
  readonly content_hash: string;
  readonly body_bytes: number;
  /** The body is the one that was sent, as far as `body_bytes`. */
  readonly as_sent: boolean;
  readonly parts: readonly number[];
  readonly title: string;
  readonly simhash: string;
  readonly words: number;
  readonly pairs: string;
  readonly is_missing: boolean;
  readonly is_truncated: boolean;
  readonly links_dropped: boolean;
  readonly directives: DirectivesHead;
  readonly named: number;
  readonly sitemaps: number;
  readonly markdown?: string;
  readonly trouble: string;
}

interface DirectivesHead {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
  readonly noai: boolean;
  readonly unavailable_after: number;
}

const LASTMOD_BYTES = 8;

/** `encoding` is that of the page as it was sent: by now its body may be another thread's. */
export function digestParts(
  digest: Digest,
  encoding: string | undefined,
): { readonly head: DigestHead; readonly parts: readonly Uint8Array[] } {
  const { links, contexts, votes, lastmods, directives, trace, markdown } = digest;
  const { unavailableAfter: unavailable_after, ...said } = directives;
  const isAsSent = !encoding;
  const parts = [
    isAsSent ? new Uint8Array(0) : digest.body,
    trace,
    Buffer.from(links.join('\n')),
    contexts,
    votes,
    new Uint8Array(lastmods.buffer, lastmods.byteOffset, lastmods.byteLength),
  ];
  const head = {
    ...{ content_hash: hex(digest.contentHash), body_bytes: digest.bodyBytes, as_sent: isAsSent },
    ...{ parts: parts.map(({ length }) => length), title: digest.title, words: digest.words },
    ...{ simhash: digest.simhash.toString(16), pairs: digest.pairs.toString(16) },
    ...{ is_missing: digest.isMissing, is_truncated: digest.isTruncated },
    ...{ links_dropped: digest.linksDropped, named: digest.named, sitemaps: digest.sitemaps },
    directives: { ...said, unavailable_after },
    ...(markdown !== undefined && { markdown }),
    trouble: digest.trouble,
  };
  return { head, parts };
}

/** `isGood` may know links that were found good a moment ago. A text says what is wrong. */
export function digestFrom(
  head: DigestHead,
  bytes: Buffer,
  page: Pick<RawPage, 'body' | 'decodedBytesMax'>,
  isGood: (link: string) => boolean = isCanonical,
): Digest | string {
  const parts = cut(bytes, head.parts);
  if (parts === undefined) return 'its parts are not as long as they are said to be';
  const [sent, trace, text, contexts, votes, times] = parts as Parts;
  const body = head.as_sent ? page.body.subarray(0, head.body_bytes) : sent;
  const wrong = wrongBody(head, body, page);
  if (wrong !== undefined) return wrong;
  const traced = linksInTrace(trace);
  if (traced === undefined) return 'its trace is none';
  const links = text.length === 0 ? [] : text.toString('latin1').split('\n');
  if (contexts.length !== links.length) return 'not every link has a context';
  if (votes.length !== 0 && votes.length !== links.length) return 'not every link has votes';
  if (head.named < links.length || head.named > traced)
    return 'it has not as many links as it says';
  if (head.sitemaps > links.length) return 'there are more sitemaps than links';
  const isTimed = times.length === 0 || times.length === LASTMOD_BYTES * links.length;
  if (!isTimed) return 'not every link has a time';
  if (!links.every(isGood)) return 'a link is not in its canonical form';
  return { ...plainOf(head), body, trace, links, contexts, votes, lastmods: timesIn(times) };
}

export function isCanonical(link: string): boolean {
  return canonicalize(link) === link;
}

type Parts = [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
type Plain = Omit<Digest, 'body' | 'trace' | 'links' | 'contexts' | 'votes' | 'lastmods'>;

function plainOf(head: DigestHead): Plain {
  const { unavailable_after: unavailableAfter, ...said } = head.directives;
  return {
    contentHash: Buffer.from(head.content_hash, 'hex'),
    ...{ bodyBytes: head.body_bytes, title: head.title, words: head.words },
    ...{ simhash: BigInt(`0x${head.simhash}`), pairs: BigInt(`0x${head.pairs}`) },
    ...{ isMissing: head.is_missing, isTruncated: head.is_truncated },
    ...{ linksDropped: head.links_dropped, named: head.named, sitemaps: head.sitemaps },
    trouble: head.trouble,
    directives: { ...said, unavailableAfter },
    ...(head.markdown !== undefined && { markdown: head.markdown }),
  };
}

function cut(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] | undefined {
  const ends: number[] = [];
  for (const length of lengths) ends.push((ends.at(-1) ?? 0) + length);
  if (lengths.length !== PARTS || ends.at(-1) !== bytes.length) return undefined;
  return ends.map((end, nth) => bytes.subarray(ends[nth - 1] ?? 0, end));
}

const PARTS = 6;

/** What is stored under a hash is believed to be what the hash says (C1). */
function wrongBody(
  { body_bytes: length, content_hash: said }: DigestHead,
  body: Uint8Array,
  { decodedBytesMax }: Pick<RawPage, 'decodedBytesMax'>,
): string | undefined {
  if (body.length !== length) return 'its body is not as long as it is said to be';
  if (length > decodedBytesMax) return `its body has more than ${decodedBytesMax} bytes`;
  const hash = length === 0 ? '' : crypto.hash('sha256', body);
  return said === hash ? undefined : 'its hash is not that of its body';
}

/** Copied: eight bytes must lie where eight bytes may begin. */
function timesIn(bytes: Buffer): Float64Array {
  return new Float64Array(new Uint8Array(bytes).buffer);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
