/**
 * A record of a WARC file, read (ISO 28500, versions 1.0 and 1.1): fields, block, and the HTTP
 * message in it.
 *
 * Lenient where a reader can go on, and it says what was wrong: `problems` of a record is what a
 * strict validator would complain of in its framing. Not here: whether its digests hold.
 */
export interface ReadWarcRecord {
  readonly version: string;
  readonly type: string;
  /** As written, in order; a name may stand there more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly block: Buffer;
  /** Where the next record begins. */
  readonly end: number;
  readonly problems: readonly string[];
}

const VERSION = /^WARC\/(1\.[01])\r?\n/;
const BREAK = Buffer.from('\r\n\r\n');

/** The record that begins at `at`, or why there is none. */
export function readWarcRecord(bytes: Buffer, at = 0): ReadWarcRecord | string {
  const version = VERSION.exec(bytes.toString('latin1', at, at + 12))?.[1];
  if (version === undefined) return 'no record begins here';
  const headEnd = bytes.indexOf(BREAK, at);
  if (headEnd === -1) return 'the fields of the record have no end';
  const [, ...lines] = bytes.toString('utf8', at, headEnd).split('\r\n');
  const problems: string[] = [];
  const fields = lines.flatMap((line) => fieldIn(line, problems));
  const length = fieldOf(fields, 'Content-Length') ?? '';
  if (!/^\d+$/.test(length)) return `Content-Length is '${length}'`;
  const from = headEnd + BREAK.length;
  const block = bytes.subarray(from, from + Number(length));
  if (block.length < Number(length)) problems.push(`the block is cut after ${block.length} bytes`);
  const blockEnd = from + block.length;
  const isEnded = BREAK.equals(bytes.subarray(blockEnd, blockEnd + BREAK.length));
  if (!isEnded) problems.push('the record does not end with two line ends');
  const end = isEnded ? blockEnd + BREAK.length : nextRecord(bytes, blockEnd);
  const type = fieldOf(fields, 'WARC-Type') ?? '';
  return { version, type, fields, block, end, problems };
}

/** The fields of a record whose block may be cut; none when the fields themselves are. */
export function readWarcFields(opening: Buffer): WarcFields {
  const headEnd = opening.indexOf(BREAK);
  if (headEnd === -1 || !VERSION.test(opening.toString('latin1', 0, 12))) return [];
  const [, ...lines] = opening.toString('utf8', 0, headEnd).split('\r\n');
  return lines.flatMap((line) => fieldIn(line, []));
}

/** Behind whatever line ends are there. */
function nextRecord(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at++;
  return at;
}

function fieldIn(line: string, problems: string[]): [string, string][] {
  const field = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/s.exec(line);
  if (field === null) problems.push(`a line that is no field: ${line.slice(0, 60)}`);
  return field === null ? [] : [[field[1] as string, field[2] as string]];
}

type WarcFields = ReadWarcRecord['fields'];

export function fieldOf(fields: WarcFields, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return fields.find(([one]) => one.toLowerCase() === wanted)?.[1];
}

/** The URL a record is about; old writers put it in angle brackets, or left spaces in it. */
export function targetOf({ fields }: ReadWarcRecord): string {
  const written = fieldOf(fields, 'WARC-Target-URI') ?? '';
  return written.replace(/^<(.*)>$/, '$1').replaceAll(' ', '%20');
}

export interface HttpMessage {
  /** `HTTP/1.1 200 OK`, `GET / HTTP/1.1`. */
  readonly startLine: string;
  /** 0 for a request. */
  readonly status: number;
  readonly fields: WarcFields;
  readonly body: Buffer;
}

/** Undefined when the block holds no HTTP. */
export function httpMessageIn({ block, fields }: ReadWarcRecord): HttpMessage | undefined {
  if (!/^application\/http\b/i.test(fieldOf(fields, 'Content-Type') ?? '')) return undefined;
  const cut = block.indexOf(BREAK);
  const headEnd = cut === -1 ? block.length : cut + BREAK.length;
  const [startLine = '', ...lines] = block.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/\d(?:\.\d)? (\d{3})\b/i.exec(startLine)?.[1] ?? 0);
  const named = lines.filter((line) => line !== '').flatMap((line) => fieldIn(line, []));
  return { startLine, status, fields: named, body: block.subarray(headEnd) };
}
