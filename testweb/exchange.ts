/**
 * One question to the web and its answer, as values: the core computes them, a face plays them.
 *
 * An ordinary body is bytes. Bad behaviour is described, not performed, so that the same answer
 * can be played on a socket (play.ts) and in virtual time (memory.ts).
 */
export interface WebRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly atMs: number;
  /** How often this URL was asked before; matters only where the answer `recovers`. */
  readonly asked?: number;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
  /** Silence before the first byte. */
  readonly delayMs: number;
  /** The host's index, -1 for a host outside the numbered web. */
  readonly host: number;
  /** The resource, when the URL was its canonical one; -1 otherwise. */
  readonly resource: number;
  /** The next time the answer is another: the face counts, and asks again with `asked`. */
  readonly recovers: boolean;
}

export type AnswerBody =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  /** Sent in chunks, with a pause after each; may never end. */
  | {
      readonly kind: 'stream';
      readonly chunks: () => Iterable<Uint8Array>;
      readonly everyMs: number;
    }
  /** Content-Length says `declared`, the bytes are these, then the connection closes. */
  | { readonly kind: 'false-length'; readonly declared: number; readonly bytes: Uint8Array }
  /** Chunked: a good chunk, then a chunk whose size is no number. */
  | { readonly kind: 'broken-chunk'; readonly bytes: Uint8Array }
  /** Chunked: these bytes, then the connection is gone. */
  | { readonly kind: 'cut'; readonly bytes: Uint8Array }
  | { readonly kind: 'header-flood'; readonly headerBytes: number }
  /** The status line, then one header byte at a time. */
  | { readonly kind: 'drip-head'; readonly everyMs: number }
  /** The connection is open, the request was read, nothing ever comes. */
  | { readonly kind: 'silence' }
  /** Bytes that are not HTTP. */
  | { readonly kind: 'garbage'; readonly bytes: Uint8Array }
  | { readonly kind: 'reset' };

export const EMPTY = new Uint8Array(0);

export function whole(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Uint8Array,
): WebAnswer {
  const body: AnswerBody = { kind: 'whole', bytes };
  return { status, headers, body, delayMs: 0, host: -1, resource: -1, recovers: false };
}

export function htmlAnswer(status: number, html: string): WebAnswer {
  return whole(status, { 'content-type': 'text/html; charset=utf-8' }, Buffer.from(html));
}

/** Host name (lower case, no port) and path with query, of an absolute http(s) URL. */
export function splitUrl(url: string): { readonly name: string; readonly path: string } {
  const begin = url.indexOf('://') + 3;
  let end = url.length;
  let nameEnd = -1;
  for (let at = begin; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === 47 || code === 63 || code === 35) {
      end = at;
      break;
    }
    if (code === 58) nameEnd = at;
    else if (code === 93) nameEnd = -1;
  }
  const hash = url.indexOf('#', end);
  const path = url.slice(end, hash < 0 ? url.length : hash);
  const name = url.slice(begin, nameEnd < 0 ? end : nameEnd).toLowerCase();
  return { name, path: path.startsWith('/') ? path : `/${path}` };
}
