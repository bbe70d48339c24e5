/**
 * What a visit left behind besides the body: the answer's headers and the page's links (H6, B4).
 *
 * One block a page, written once, read when someone asks. Columns of lines rather than rows
 * of objects: joining strings is the cheapest way to write two hundred links. What they lead to
 * again and again is written once, and they are its number. Crawled text holds no newline by the
 * time it gets here.
 *
 * Bytes from the start: a page waits for its commit, and as a text of many kilobytes its trace
 * would be copied by one collection after the other until then.
 */
import type { Rendering } from './rendering.ts';

export interface Trace {
  readonly headers: Readonly<Record<string, string>>;
  readonly links: readonly LinkEdge[];
  /** Of what is not HTML: what its plugin knows of it beside links and title (X2). */
  readonly document?: Readonly<Record<string, string>>;
  /** Of a page that was rendered (J1). */
  readonly rendering?: Rendering;
}

export interface LinkEdge {
  readonly target: string;
  readonly text: string;
  readonly rel: string;
  /** The element that named it: a, area, link, iframe, refresh, redirect, sitemap … */
  readonly kind: string;
}

const COLUMN = '\u0001';
const COLUMN_BYTE = 1;
const USUAL_KIND = 'a';

export interface TraceColumns {
  readonly targets: readonly string[];
  /** For each link, the number of its target; left out where each has a target of its own. */
  readonly order?: readonly number[] | undefined;
  /** A line for each link, in one string. */
  readonly texts: string;
  /** By the link's index, only where there is one. */
  readonly rels: Readonly<Record<number, string>>;
  /** By the link's index, only where it isn't the usual one. */
  readonly kinds: Readonly<Record<number, string>>;
  readonly document?: Trace['document'] | undefined;
}

/** As it is stored, or as an engine hands it out. */
export type TraceBlock = Uint8Array | string;

/** What is written into, again and again; a trace that needs more has room of its own. */
const ROOM_BYTES = 1 << 20;
let room: Buffer | undefined;

export function encodeTrace(headers: Trace['headers'], columns: TraceColumns): Uint8Array {
  const { targets, texts, rels, kinds, document } = columns;
  // As many links as targets, which no link is without: then they are in their own order.
  const order = columns.order?.length === targets.length ? undefined : columns.order;
  const facts = JSON.stringify({ headers, rels, kinds, document, order });
  const links = targets.join('\n');
  const words = texts.includes(COLUMN) ? texts.replaceAll(COLUMN, ' ') : texts;
  const bytesMax = UTF8_BYTES_MAX * (facts.length + links.length + words.length + 1);
  const into = bytesMax > ROOM_BYTES ? Buffer.allocUnsafeSlow(bytesMax) : theRoom();
  let end = into.write(facts, 0);
  into[end++] = COLUMN_BYTE;
  end += into.write(links, end);
  into[end++] = COLUMN_BYTE;
  end += into.write(words, end);
  return ownCopy(into, end);
}

/** Of a UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

function theRoom(): Buffer {
  room ??= Buffer.allocUnsafeSlow(ROOM_BYTES);
  return room;
}

function ownCopy(bytes: Buffer, length: number): Uint8Array {
  const copy = Buffer.allocUnsafeSlow(length);
  copy.set(bytes.subarray(0, length));
  return copy;
}

export function decodeTrace(block: TraceBlock): Trace {
  const [facts = '{}', targets = '', texts = ''] = textOf(block).split(COLUMN);
  const { headers = {}, rels = {}, kinds = {}, order, document, rendering } = JSON.parse(facts);
  const lines = texts.split('\n');
  const links = targetsOf(targets === '' ? [] : targets.split('\n'), order).map((target, i) => ({
    target,
    text: lines[i] ?? '',
    rel: rels[i] ?? '',
    kind: kinds[i] ?? USUAL_KIND,
  }));
  return { headers, links, ...(document && { document }), ...(rendering && { rendering }) };
}

/**
 * How many links a trace that another program made has; undefined when it is none. What this
 * lets through can be decoded, whoever asks for it one day.
 */
export function linksInTrace(block: Uint8Array): number | undefined {
  const [facts = '', targets = '', texts] = textOf(block).split(COLUMN);
  if (texts === undefined) return undefined;
  const count = targets === '' ? 0 : targets.split('\n').length;
  try {
    const { headers = {}, rels = {}, kinds = {}, order } = JSON.parse(facts);
    if (![headers, rels, kinds].every(isRecord)) return undefined;
    if (order === undefined) return count;
    const isTarget = (n: unknown) => Number.isInteger(n) && Number(n) >= 0 && Number(n) < count;
    return Array.isArray(order) && order.every(isTarget) ? order.length : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of each link. */
function targetsOf(targets: readonly string[], order: unknown): readonly string[] {
  return Array.isArray(order) ? order.map((number) => targets[number] ?? '') : targets;
}

function textOf(block: TraceBlock): string {
  if (typeof block === 'string') return block;
  return Buffer.from(block.buffer, block.byteOffset, block.length).toString();
}
