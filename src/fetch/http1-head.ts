/**
 * The head of an HTTP/1 answer: its status line and header fields, out of bytes that may arrive
 * in any pieces.
 *
 * As lenient as browsers are, where that is safe: lines may end in LF alone; folded lines
 * are joined; a line that is no field (no colon, a name that is no token) is passed over; the
 * version may be odd and the reason missing. Not taken: an answer that does not begin with
 * `HTTP/` (HTTP/0.9, other protocols), a status that is not three digits, and a NUL.
 *
 * The same bytes give the same head however they are cut, and each byte is looked at once.
 *
 * Not here: where the body ends (http1-framing.ts).
 */
export interface Head {
  readonly version: '1.0' | '1.1';
  readonly status: number;
  /** As `Answered.headers`: lower-case names, bytes as latin1, repeated fields joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** All of it as it came, the empty line included; bytes as latin1. */
  readonly text: string;
}

export interface HeadFault {
  readonly reason: 'protocol' | 'header-limit';
  readonly detail: string;
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const OPENING = Buffer.from('HTTP/');
const FIRST_BYTES = 1_024;
const NONE = Buffer.alloc(0);

/** Reads one head after another; what is left of a piece after a head is the caller's. */
export class HeadReader {
  head: Head | undefined;
  fault: HeadFault | undefined;
  readonly #bytesMax: number;
  /** What came before this piece; empty when a head arrives in one, as nearly all do. */
  #kept: Buffer = NONE;
  #keptBytes = 0;
  #blankBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the position after the head in `head`, or -1: more is needed, or see `fault`. */
  read(bytes: Buffer, from: number, to: number): number {
    this.head = undefined;
    const start = this.#keptBytes === 0 ? this.#skipBlank(bytes, from, to) : from;
    if (this.#keptBytes > 0) return this.#readOn(bytes, start, to);
    if (!opensWell(bytes, start, Math.min(to, start + this.#room())))
      return this.#fail('protocol', 'not an answer of HTTP');
    const end = endOfHead(bytes, start, start, to);
    if (end === -1) return this.#keep(bytes, start, to);
    return this.#finish(bytes, start, end) ? end : -1;
  }

  /** Empty lines before a status line are borne, within the limit. */
  #skipBlank(bytes: Buffer, from: number, to: number): number {
    let start = from;
    while (start < to && (bytes[start] === CR || bytes[start] === LF)) start++;
    this.#blankBytes += start - from;
    return start;
  }

  #readOn(bytes: Buffer, from: number, to: number): number {
    const before = this.#keptBytes;
    this.#append(bytes, from, to);
    const length = this.#keptBytes;
    if (!opensWell(this.#kept, 0, Math.min(length, this.#room())))
      return this.#fail('protocol', 'not an answer of HTTP');
    const end = endOfHead(this.#kept, 0, Math.max(0, before - 2), length);
    if (end === -1) return length > this.#room() ? this.#overflow() : -1;
    return this.#finish(this.#kept, 0, end) ? from + end - before : -1;
  }

  #keep(bytes: Buffer, from: number, to: number): number {
    if (to - from > this.#room()) return this.#overflow();
    this.#append(bytes, from, to);
    return -1;
  }

  /** One piece is at most one network read, so what is kept stays within the limit and that. */
  #append(bytes: Buffer, from: number, to: number): void {
    const wanted = this.#keptBytes + to - from;
    if (wanted > this.#kept.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, wanted, this.#kept.length * 2));
      grown.set(this.#kept.subarray(0, this.#keptBytes));
      this.#kept = grown;
    }
    bytes.copy(this.#kept, this.#keptBytes, from, to);
    this.#keptBytes = wanted;
  }

  #finish(bytes: Buffer, from: number, end: number): boolean {
    if (end - from > this.#room()) return this.#overflow() > 0;
    const head = parseHead(bytes.toString('latin1', from, end));
    if (typeof head === 'string') return this.#fail('protocol', head) > 0;
    this.head = head;
    this.#kept = NONE;
    this.#keptBytes = 0;
    this.#blankBytes = 0;
    return true;
  }

  #room(): number {
    return this.#bytesMax - this.#blankBytes;
  }

  #overflow(): number {
    return this.#fail('header-limit', `header fields beyond ${this.#bytesMax} bytes`);
  }

  #fail(reason: HeadFault['reason'], detail: string): number {
    this.fault = { reason, detail };
    this.#kept = NONE;
    return -1;
  }
}

function opensWell(bytes: Buffer, from: number, to: number): boolean {
  const length = Math.min(OPENING.length, to - from);
  for (let i = 0; i < length; i++) {
    const byte = bytes[from + i] as number;
    const isLetter = i < 4;
    if ((isLetter ? byte & 0xdf : byte) !== OPENING[i]) return false;
  }
  return true;
}

/** The position after the first empty line, or -1. The line before it ends in a line feed. */
function endOfHead(bytes: Buffer, from: number, resumeAt: number, to: number): number {
  for (let i = Math.max(from, resumeAt); i < to - 1; i++) {
    if (bytes[i] !== LF) continue;
    const next = bytes[i + 1];
    if (next === LF) return i + 2;
    if (next === CR && i + 2 < to && bytes[i + 2] === LF) return i + 3;
  }
  return -1;
}

const STATUS_LINE = /^HTTP\/(\d+)(?:\.(\d+))?[ \t]+(\d{3})(?!\d)/i;

/** The text of a whole head, or what is wrong with it. */
export function parseHead(text: string): Head | string {
  if (text.includes('\0')) return 'a NUL in the header fields';
  const status = STATUS_LINE.exec(text);
  if (status === null) return 'a status line that makes no sense';
  const isOld = Number(status[1]) < 1 || (status[1] === '1' && Number(status[2] ?? 0) < 1);
  return {
    version: isOld ? '1.0' : '1.1',
    status: Number(status[3]),
    headers: parseFields(text, text.indexOf('\n') + 1),
    text,
  };
}

/** Plain objects would lend a field named `constructor` a value that nobody sent. */
export const Fields = function Fields() {} as unknown as new () => Record<string, string>;
Fields.prototype = Object.create(null);

function parseFields(text: string, from: number): Record<string, string> {
  const fields = new Fields();
  let name = '';
  let colon = -1;
  for (let start = from; start < text.length; ) {
    const lineFeed = text.indexOf('\n', start);
    const end = lineFeed === -1 ? text.length : lineFeed;
    const first = text.charCodeAt(start);
    if (first === SPACE || first === TAB) {
      if (name !== '') fold(fields, name, trimmed(text, start, end));
    } else {
      // Searched again only when passed: a thousand lines without one would each look to the end.
      if (colon < start) colon = text.indexOf(':', start);
      if (colon === -1) colon = text.length;
      name = colon < end ? nameOf(text.slice(start, colon)) : '';
      if (name !== '') addField(fields, name, trimmed(text, colon + 1, end));
    }
    start = end + 1;
  }
  return fields;
}

function fold(fields: Record<string, string>, name: string, more: string): void {
  const before = fields[name];
  if (more !== '') fields[name] = before === '' ? more : `${before} ${more}`;
}

/** A repeated field is joined to the one before. */
export function addField(fields: Record<string, string>, name: string, value: string): void {
  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else fields[name] = `${before}${OWN_LINES.has(name) ? '\n' : ', '}${value}`;
}

/** Cookies hold commas; a robots tag may name an agent for all that follows on its line. */
const OWN_LINES = new Set(['set-cookie', 'x-robots-tag']);

/** Without the spaces around it; a bare CR within becomes one, so that no value holds a line end. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  const value = text.slice(start, end);
  return value.includes('\r') ? value.replaceAll('\r', ' ') : value;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CR;
}

const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

const COMMON = (
  'Accept-Ranges Age Alt-Svc Cache-Control Connection Content-Encoding Content-Language ' +
  'Content-Length Content-Location Content-Security-Policy Content-Type Date ETag Expires ' +
  'Keep-Alive Last-Modified Link Location Pragma Referrer-Policy Retry-After Server Set-Cookie ' +
  'Strict-Transport-Security Transfer-Encoding Vary Via X-Cache X-Content-Type-Options ' +
  'X-Frame-Options X-Powered-By X-Robots-Tag X-XSS-Protection'
).split(' ');

/** The names that most answers bear, as they are written: no check and no new string for them. */
const KNOWN = new Map(
  COMMON.flatMap((name) => [
    [name, name.toLowerCase()],
    [name.toLowerCase(), name.toLowerCase()],
  ]),
);

/** In lower case, or '' when it is no name. Spaces before the colon are dropped (RFC 9112, 5.1). */
function nameOf(written: string): string {
  const known = KNOWN.get(written);
  if (known !== undefined) return known;
  const name = written.trimEnd();
  return TOKEN.test(name) ? name.toLowerCase() : '';
}
