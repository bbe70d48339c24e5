/**
 * A strict reader of WARC files, for tests: everything that the conformance data's checklist
 * (W01 to W20) says a validator must look at.
 *
 *   checkWarc(bytes)   → the records with their offsets, and what is wrong with them
 */
import { createHash } from 'node:crypto';
import { MemberStream } from './member-stream.ts';
import {
  fieldOf,
  type HttpMessage,
  httpMessageIn,
  type ReadWarcRecord,
  readWarcRecord,
  targetOf,
} from './warc-read.ts';

export interface CheckedWarc {
  readonly records: readonly (ReadWarcRecord & { readonly offset: number })[];
  readonly problems: readonly string[];
}

const TYPES = new Set(
  'warcinfo response resource request metadata revisit conversion continuation'.split(' '),
);
const ABOUT_A_URL = new Set(['response', 'resource', 'request', 'revisit', 'conversion']);

export function checkWarc(file: Buffer): CheckedWarc {
  const isGzip = file[0] === 0x1f && file[1] === 0x8b;
  const { records, problems } = isGzip ? inMembers(file) : inPlain(file, 0);
  const ids = new Set<string>();
  const found = [...problems];
  for (const record of records) {
    const say = (what: string) => found.push(`at ${record.offset}: ${what}`);
    for (const problem of record.problems) say(problem);
    checkFields(record, ids, say);
    checkBlock(record, say);
  }
  for (const { fields, offset } of records) {
    for (const [name, value] of fields) {
      if (name === 'WARC-Concurrent-To' && isOurs(records) && !ids.has(value)) {
        found.push(`at ${offset}: WARC-Concurrent-To names a record that is not there`);
      }
    }
  }
  return { records, problems: found };
}

/** Files of others are samples: what they refer to may be elsewhere. */
function isOurs(records: readonly ReadWarcRecord[]): boolean {
  return records[0]?.block.includes('Orbweaver') ?? false;
}

type Found = { records: (ReadWarcRecord & { offset: number })[]; problems: string[] };

function inMembers(file: Buffer): Found {
  const found: Found = { records: [], problems: [] };
  const stream = new MemberStream();
  for (const { at, bytes } of [...stream.feed(file), ...stream.last()]) {
    const { records, problems } = inPlain(bytes, 0);
    if (records.length !== 1)
      found.problems.push(`at ${at}: ${records.length} records, one member`);
    found.records.push(...records.slice(0, 1).map((record) => ({ ...record, offset: at })));
    found.problems.push(...problems);
  }
  if (stream.fault !== undefined) found.problems.push(`at ${stream.end}: ${stream.fault}`);
  return found;
}

function inPlain(bytes: Buffer, from: number): Found {
  const found: Found = { records: [], problems: [] };
  for (let at = from; at < bytes.length; ) {
    const record = readWarcRecord(bytes, at);
    if (typeof record === 'string') {
      found.problems.push(`at ${at}: ${record}`);
      break;
    }
    found.records.push({ ...record, offset: at });
    at = record.end;
  }
  return found;
}

function checkFields(record: ReadWarcRecord, ids: Set<string>, say: (what: string) => void): void {
  const { fields, type, version } = record;
  const value = (name: string) => fieldOf(fields, name) ?? '';
  if (!TYPES.has(type)) say(`WARC-Type is '${type}'`);
  const id = value('WARC-Record-ID');
  if (!/^<[a-z][\w+.-]*:[^\s<>]+>$/i.test(id)) say(`WARC-Record-ID is '${id}'`);
  if (isNewId(id, ids)) ids.add(id);
  else if (version === '1.1') say(`WARC-Record-ID ${id} is there twice`);
  const fraction = version === '1.1' ? '(?:\\.\\d{1,9})?' : '';
  const date = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d${fraction}Z$`);
  if (!date.test(value('WARC-Date'))) say(`WARC-Date is '${value('WARC-Date')}'`);
  if (ABOUT_A_URL.has(type) && targetOf(record) === '') say('WARC-Target-URI is missing');
  if (type === 'warcinfo' && value('WARC-Target-URI') !== '') say('a warcinfo is about no URL');
  if (type === 'revisit' && value('WARC-Profile') === '') say('WARC-Profile is missing');
  if (type !== 'revisit' && value('WARC-Refers-To-Date') !== '') say('only a revisit refers');
  if (type !== 'warcinfo' && value('WARC-Filename') !== '') say('WARC-Filename is for warcinfo');
  for (const [name] of fields) if (isRepeated(name, fields)) say(`${name} is there twice`);
}

function isNewId(id: string, ids: ReadonlySet<string>): boolean {
  return !ids.has(id);
}

function isRepeated(name: string, fields: ReadWarcRecord['fields']): boolean {
  const wanted = name.toLowerCase();
  if (wanted === 'warc-concurrent-to' || wanted === 'warc-protocol') return false;
  return fields.filter(([one]) => one.toLowerCase() === wanted).length > 1;
}

function checkBlock(record: ReadWarcRecord, say: (what: string) => void): void {
  const { fields, block, type } = record;
  checkDigest('WARC-Block-Digest', fieldOf(fields, 'WARC-Block-Digest'), block, say);
  const http = httpMessageIn(record);
  if (http === undefined) {
    if (type === 'request' || type === 'response') say(`a ${type} without HTTP`);
    return;
  }
  const isAnswer = /msgtype=response/.test(fieldOf(fields, 'Content-Type') ?? '');
  const line = isAnswer ? /^HTTP\/\d(?:\.\d)? \d{3}(?: |$)/ : /^[A-Z]+ \S+ HTTP\/\d\.\d$/;
  if (!line.test(http.startLine)) say(`HTTP begins with '${http.startLine.slice(0, 60)}'`);
  if (type === 'revisit') return;
  const length = fieldOf(http.fields, 'content-length');
  const payload = payloadOf(http);
  const isLengthOf = isAnswer && !hasChunks(http) && length !== undefined;
  const isShort = isLengthOf && Number(length) !== http.body.length;
  if (isShort && http.status !== 304) say(`HTTP's Content-Length is ${length}`);
  checkDigest('WARC-Payload-Digest', fieldOf(fields, 'WARC-Payload-Digest'), payload, say);
}

function hasChunks({ fields }: HttpMessage): boolean {
  return /chunked/i.test(fieldOf(fields, 'transfer-encoding') ?? '');
}

/** As jwarc takes it: without the chunks. */
function payloadOf(http: HttpMessage): Buffer {
  if (!hasChunks(http)) return http.body;
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = http.body.indexOf('\r\n', at);
    const bytes = Number.parseInt(http.body.toString('latin1', at, lineEnd), 16);
    if (lineEnd === -1 || !(bytes > 0)) return Buffer.concat(pieces);
    pieces.push(http.body.subarray(lineEnd + 2, lineEnd + 2 + bytes));
    at = lineEnd + 2 + bytes + 2;
  }
}

function checkDigest(
  name: string,
  given: string | undefined,
  bytes: Uint8Array,
  say: (what: string) => void,
): void {
  if (given === undefined) return;
  const [algorithm = '', value = ''] = given.split(/:(.*)/s);
  const bits = { md5: 128, sha1: 160, 'sha-1': 160, sha256: 256, 'sha-256': 256 }[algorithm];
  if (bits === undefined) {
    say(`${name} is of an unknown kind: ${given}`);
    return;
  }
  const hash = createHash(algorithm.replace('-', '')).update(bytes).digest();
  const isHex = value.length === bits / 4;
  const isTrue = isHex ? value.toLowerCase() === hash.toString('hex') : value === base32(hash);
  if (!isTrue) say(`${name} does not hold`);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(bytes: Uint8Array): string {
  let text = '';
  for (let bit = 0; bit < bytes.length * 8; bit += 5) {
    const at = bit >> 3;
    const two = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
    text += LETTERS[(two >> (11 - (bit & 7))) & 31];
  }
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=').replace(/=+$/, '');
}
