/**
 * From the bytes of an answer to everything that the crawl keeps of it, in one go:
 *
 *   decode → charset → links, title → canonical URLs → SHA-256 → compressed body and trace
 *
 * CPU work only, without waiting, so that it runs inline or in a worker alike (X3). What a
 * hostile page does to a parser is caught here and said in `trouble`: it costs that page's
 * links, nothing else.
 */
import type { UrlKind } from '../record/index.ts';
import type { BlobCodec, Packed } from './codec.ts';

export interface RawPage {
  readonly url: string;
  readonly kind: UrlKind;
  /** As sent, under its content-encoding. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** What is known of the last visit's body: an equal one needs no second look at its links. */
  readonly decodedBytesMax: number;
  readonly codec: BlobCodec;
}

export interface Digest {
  /** SHA-256 of the decoded body; empty when there was none. */
  readonly contentHash: Uint8Array;
  readonly bodyBytes: number;
  readonly packed: Packed;
  /** Headers and links, compressed (record/trace.ts). */
  readonly trace: Uint8Array;
  readonly title: string;
  readonly isTruncated: boolean;
  readonly linksDropped: boolean;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
  /** Canonical URLs to follow, each once, in the order of the page. */
  readonly links: readonly string[];
  /** For each link, how much its place says for it, 0 to 255. */
  readonly contexts: Uint8Array;
  /** How many of the links are sitemaps: they come first. */
  readonly sitemaps: number;
  /** What went wrong in a parser. */
  readonly trouble?: string;
}
