/**
 * A server that answers HTTP, as a port: routes are told as what they answer, and the engine
 * brings the calls to them.
 *
 *   call ─▶ admit (head only) ─▶ body, bounded ─▶ answer ─▶ bytes, or a stream
 *             └─ an answer refuses
 *
 * Promises:
 *   1. A body is read only after admit() let the call in, and never beyond the route's bound.
 *   2. Whatever is wrong with a call before its route is asked goes through refuse().
 *   3. A stream whose client does not read is cut off when its sink holds too much.
 *   4. close() ends streams and open connections; nobody is waited for.
 */
export interface WebSite {
  readonly routes: readonly WebRoute[];
  /** Says no in the site's own words; there is no call when not even its head could be read. */
  refuse(fault: WebFault, call: WebCall | undefined, detail: string): WebAnswer;
}

export const WEB_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type WebMethod = (typeof WEB_METHODS)[number];

export interface WebRoute {
  readonly method: WebMethod;
  /** With `:name` for a part that differs. */
  readonly path: string;
  readonly bodyBytesMax: number;
  /** The body is bytes, as application/octet-stream; JSON where it is left out. */
  readonly takesBytes?: boolean;
  admit(call: WebCall): WebAnswer | undefined;
  answer(call: WebCall): Promise<WebAnswer>;
}

export interface WebCall {
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Parsed JSON, or a Buffer; undefined before it is read, and when there is none. */
  readonly body: unknown;
  /** The caller has hung up, as far as is known: nobody reads the answer. */
  readonly isGone: boolean;
  /** Who calls, and which of our addresses was called. */
  readonly remoteAddress: string;
  readonly localAddress: string;
  readonly localPort: number;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | WebStream;
}

/** Begins to write, and answers with what to do when the client has gone. */
export type WebStream = (sink: WebSink) => () => void;

export interface WebSink {
  /** False when the client was cut off, or is gone: nothing more will be sent. */
  write(text: string): boolean;
  end(): void;
}

/** What can be wrong with a call before its route is asked; `broken` is our own fault. */
export type WebFault =
  | 'not-found'
  | 'method-not-allowed'
  | 'too-large'
  | 'unsupported-media-type'
  | 'malformed'
  | 'head-too-large'
  | 'too-slow'
  | 'broken';

export interface WebPlace {
  readonly bind: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export interface WebListener {
  readonly address: string;
  readonly port: number;
  close(): Promise<void>;
}
