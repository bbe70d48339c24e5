/**
 * One fetch, as an event of version 1. Readers ignore fields that they do not know; a change
 * of meaning raises `v`.
 *
 * Keyed by host; `id` is the same when a fetch is told twice.
 */
export interface FetchEvent {
  readonly v: 1;
  readonly id: string;
  /**
   * A probe is a page that cannot exist, asked once to see what the host says to it (C3); an
   * asset is what a page asked for while it was rendered (J2). Erased is no fetch: it says that
   * the URL was (erasure-event.ts).
   */
  readonly kind: 'page' | 'sitemap' | 'robots' | 'probe' | 'asset' | 'erased';
  readonly url: string;
  readonly host: string;
  readonly address: string;
  /** Milliseconds since 1970, with fractions: when the request was begun. */
  readonly startedAt: number;
  /** When the first byte came, or the request failed: the host's next turn counts from here. */
  readonly answeredAt: number;
  readonly endedAt: number;
  /** The pause that the host was owed before its next request. */
  readonly delayMs: number;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Why there was no answer. */
  readonly failure?: string;
  readonly bytes: number;
  readonly contentType?: string;
  /** `sha256:` and the hash of the body in hex, as all hashes here. */
  readonly contentHash?: string;
  /** Of a rendered page: its other bodies, as it was sent and as a picture. */
  readonly otherHashes?: readonly string[];
  readonly urlHash: string;
  readonly depth?: number;
  readonly title?: string;
  readonly links?: number;
  readonly redirectTo?: string;
  /** What is special about the page: `noindex`, `noarchive`, `truncated` … */
  readonly flags?: readonly string[];
  /** What its site allows it to be used for: `ai-train=no, search=yes`. */
  readonly usage?: string;
  /** The tag that its body is stored under (G2). */
  readonly region?: string;
}
