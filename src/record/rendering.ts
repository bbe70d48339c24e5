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
const COLUMN = 1;

/** The trace of the rendered page, with the headers that the server sent. */
export function withRendering(
  trace: Uint8Array,
  headers: Readonly<Record<string, string>>,
  rendering: Rendering,
): Uint8Array {
  const end = trace.indexOf(COLUMN);
  const facts = JSON.parse(Buffer.from(trace.subarray(0, end)).toString());
  const told = JSON.stringify({ ...facts, headers, rendering });
  return Buffer.concat([Buffer.from(told), trace.subarray(end)]);
}
