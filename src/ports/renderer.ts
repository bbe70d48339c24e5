/**
 * A browser that runs a page's scripts, for pages that show little without them (J1, J2).
 *
 * The browser itself connects to nothing: the document is handed to it, and whatever the page
 * wants besides goes through `ask`, where robots, turns and address rules are.
 *
 * Promises (renderer.contract.ts):
 *   1. Never rejects for what a page does; every end is a `RenderOutcome`.
 *   2. Nothing is asked for but through `ask`, whatever a page tries; a navigation never.
 *   3. No page outlives its limits by more than a few seconds.
 *   4. A browser that dies is started again; its pages are tried once more.
 *   5. After close() no process of the browser is left.
 */

export interface Renderer {
  /** Which browser would be used, or why there is none. Starts nothing. */
  find(): Promise<FoundBrowser>;
  render(job: RenderJob, signal?: AbortSignal): Promise<RenderOutcome>;
  stats(): RendererStats;
  close(): Promise<void>;
}

export type FoundBrowser =
  | { readonly kind: 'found'; readonly what: string; readonly isForNow?: boolean }
  | {
      readonly kind: 'missing';
      readonly problem: string;
      readonly fix: string;
      /** Browsers elsewhere come and go: it may be otherwise the next time. */
      readonly isForNow?: boolean;
    };

export interface RenderJob extends RenderTask {
  readonly ask: (wish: Wish) => Promise<WishAnswer>;
}

/** All of it that can be told to another machine. */
export interface RenderTask {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content-encoding. */
  readonly body: Uint8Array;
  readonly userAgent: string;
  readonly limits: RenderLimits;
  readonly screenshot: boolean;
}

export interface RenderLimits {
  /** For the page's own work; waiting for answers is not counted. */
  readonly pageMs: number;
  /** For everything, waiting included. */
  readonly wholeMs: number;
  readonly requests: number;
  /** Of all answers together. */
  readonly bytes: number;
  /** Of the document that comes out of it. */
  readonly domBytes: number;
  /** How often it is scrolled to its end, for lists that grow. */
  readonly scrolls: number;
}

/** Something that a page asks for; always a GET. */
export interface Wish {
  readonly url: string;
  readonly kind: WishKind;
  /** Aborted when the page has ended: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export const WISH_KINDS = ['script', 'stylesheet', 'frame', 'data'] as const;
export type WishKind = (typeof WISH_KINDS)[number];

/** To be raised with every change to what a task or an outcome holds. */
export const RENDERING_VERSION = 1;

export type WishAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Without its content-encoding. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'refused'; readonly reason: string };

export type RenderOutcome = Rendered | NotRendered;

export interface Rendered {
  readonly kind: 'rendered';
  /** The document as it stands at the end, open shadow roots included. */
  readonly html: string;
  /** Where its links lead from: the page may have given itself another address. */
  readonly base: string;
  /** A PNG, when it was asked for. */
  readonly screenshot: Uint8Array | undefined;
  /** The page was still at work when its time was over. */
  readonly isCut: boolean;
  readonly requests: number;
  readonly ms: number;
}

export interface NotRendered {
  readonly kind: 'failed';
  readonly reason: RenderFailure;
  /** One line for a person. */
  readonly detail: string;
  readonly ms: number;
}

export const RENDER_FAILURES = [
  'timeout',
  'crashed',
  'too-large',
  'no-browser',
  'aborted',
] as const;
export type RenderFailure = (typeof RENDER_FAILURES)[number];

export interface RendererStats {
  /** Pages in the browser now. */
  readonly open: number;
  /** Browsers started so far, and those of them that died by themselves. */
  readonly starts: number;
  readonly deaths: number;
}
