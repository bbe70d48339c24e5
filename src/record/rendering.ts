/**
 * What a trace says about a page that was rendered (J1): which bodies there are besides the one
 * that its record names, and what the rendering took.
 */
export interface Rendering {
  /** SHA-256 in hex of the body as the server sent it, decoded; it is stored under this key. */
  readonly sent: string;
  /** SHA-256 in hex of a picture of the page (PNG), if one was taken. */
  readonly screenshot?: string;
  /** What the page asked for besides itself. */
  readonly requests: number;
  readonly ms: number;
}

/** Ends the facts of a trace (trace.ts). */
const COLUMN = '\u0001';

/** The trace of the rendered page, with the headers that the server sent. */
export function withRendering(
  trace: string,
  headers: Readonly<Record<string, string>>,
  rendering: Rendering,
): string {
  const end = trace.indexOf(COLUMN);
  const facts = JSON.parse(trace.slice(0, end));
  return JSON.stringify({ ...facts, headers, rendering }) + trace.slice(end);
}
