/**
 * From an exchange with a server to its WARC records, as the crawl goes (B6): request, response
 * (or revisit), metadata, in the order of Common Crawl.
 *
 *   an answer                     → response, with the body as it was sent
 *   a body archived before        → revisit, identical payload, names the first
 *   304 Not Modified              → revisit, server not modified
 *   a picture of the page         → resource `urn:view:URL`, besides
 *   a page that asks to be left out of archives (R3, R5)   → metadata that says so
 *
 * Not here: what is left of an answer in a folder, afterwards (warc-capture.ts).
 */
import type { Instant } from '../base/instant.ts';
import type { Truncation } from '../fetch/outcome.ts';
import { packedMember, storedMember } from './gzip-member.ts';
import { type Fields, requestHead } from './http-head.ts';
import { type Outlinks, outlinkFields } from './outlinks.ts';
import { type SentAnswer, sentHead } from './sent-head.ts';
import { type Archived, pictureRecord, REVISIT_PROFILES } from './warc-capture.ts';
import {
  recordId,
  sha256Of,
  type WarcRecord,
  warcDate,
  warcFields,
  warcPieces,
} from './warc-record.ts';

/** One request and its answer, as an archive is given it. */
export interface Exchanged {
  readonly url: string;
  /** What the request said, without secrets. */
  readonly asked: Fields;
  readonly answer: SentAnswer;
  /** Under its content-encoding. */
  readonly body: Uint8Array;
  /** SHA-256 of `body`, where it is known already. */
  readonly bodyHash?: Uint8Array;
  /** For the metadata record. */
  readonly about: Readonly<Record<string, string | undefined>>;
  /** Why the answer must not be archived. */
  readonly withheld?: string;
  /** SHA-256 of the body without its content-encoding, where a 304 may stand for it later. */
  readonly contentHash?: Uint8Array;
  /** When the answer came that a 304 stands for, and the SHA-256 of its body, decoded. */
  readonly before?: Instant;
  readonly beforeHash?: Uint8Array;
  /** The key of the page that named it first; empty for a seed. */
  readonly parent?: Uint8Array;
  /** Where the page leads to. */
  readonly outlinks?: Outlinks;
  /** What a browser showed of it: PNG. */
  readonly picture?: Uint8Array;
}

export interface ExchangeRecords {
  readonly records: readonly WarcRecord[];
  /** Undefined where there is only metadata. */
  readonly main?: WarcRecord;
  /** A payload that later ones may repeat. */
  readonly original?: Archived;
}

export const NO_BODY = Buffer.from(sha256Of().slice('sha256:'.length), 'hex');

/** What was written before: the response with this payload, and the URL of its parent. */
export interface Known {
  readonly repeats?: Archived | undefined;
  readonly via?: string | undefined;
}

export function exchangeRecords(
  exchanged: Exchanged,
  payload: Uint8Array,
  { repeats, via }: Known = {},
): ExchangeRecords {
  const { withheld, body, answer, picture } = exchanged;
  if (withheld !== undefined) return { records: [metadata(exchanged, undefined, via)] };
  const main = mainRecord(exchanged, payload, repeats);
  const { url } = exchanged;
  const shown = picture === undefined ? [] : [pictureRecord(url, main.date, picture, main.id)];
  const records = [request(exchanged, main), main, ...shown, metadata(exchanged, main, via)];
  const isOriginal = main.type === 'response' && body.length > 0 && answer.truncated === undefined;
  if (!isOriginal) return { records, main };
  const { id, date } = main;
  return { records, main, original: { uri: exchanged.url, date, id } };
}

/** One gzip member. Only text that came as text is worth a compressor. */
export function exchangeMember(record: WarcRecord, { answer }: Exchanged): Buffer {
  const pieces = warcPieces(record);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { 'content-encoding': coding = '', 'content-type': type = '' } = answer.headers;
  const isSmall = length < PACKED_BYTES_MIN;
  const isPacked = !/^(?:identity)?$/i.test(coding.trim()) || PACKED_TYPES.test(type);
  return isSmall || record.type === 'resource' || (isPacked && record.type === 'response')
    ? storedMember(pieces)
    : packedMember(pieces);
}

const PACKED_BYTES_MIN = 1_500;
const PACKED_TYPES =
  /^\s*(?:image\/(?!svg)|video\/|audio\/|font\/|application\/(?:zip|gzip|x-gzip|pdf))/i;

function mainRecord(
  exchanged: Exchanged,
  payload: Uint8Array,
  repeats: Archived | undefined,
): WarcRecord {
  const { answer, url, before, body } = exchanged;
  if (answer.status === 304 && before !== undefined) {
    const refers = repeats ?? { uri: url, date: before };
    const digest = repeats && digestOf(repeats.payload ?? payload);
    return revisit(exchanged, REVISIT_PROFILES.notModified, refers, digest);
  }
  const digest = digestOf(payload);
  if (repeats !== undefined)
    return revisit(exchanged, REVISIT_PROFILES.samePayload, repeats, digest);
  const block = [sentHead(answer, bodyBytesOf(exchanged)), body];
  return {
    ...common('response', exchanged),
    contentType: 'application/http; msgtype=response',
    fields: { ...connection(answer), ...truncation(answer), 'WARC-Payload-Digest': digest },
    block,
  };
}

function digestOf(payload: Uint8Array): string {
  return `sha256:${Buffer.from(payload).toString('hex')}`;
}

/** Where no body is meant to follow, the fields may tell of one. */
function bodyBytesOf({ answer: { status }, body }: Exchanged): number | undefined {
  return status === 204 || status === 304 ? undefined : body.length;
}

function revisit(
  exchanged: Exchanged,
  profile: string,
  refers: Omit<Archived, 'id'> & { readonly id?: string },
  digest: string | undefined,
): WarcRecord {
  const { answer } = exchanged;
  return {
    ...common('revisit', exchanged),
    contentType: 'application/http; msgtype=response',
    fields: {
      ...connection(answer),
      ...truncation(answer),
      'WARC-Profile': profile,
      'WARC-Refers-To': refers.id,
      'WARC-Refers-To-Target-URI': refers.uri,
      'WARC-Refers-To-Date': warcDate(refers.date),
      'WARC-Payload-Digest': digest,
    },
    block: [sentHead(answer, bodyBytesOf(exchanged))],
  };
}

function request(exchanged: Exchanged, main: WarcRecord): WarcRecord {
  const { url, asked, answer } = exchanged;
  return {
    ...common('request', exchanged),
    contentType: 'application/http; msgtype=request',
    fields: { ...connection(answer), 'WARC-Concurrent-To': main.id },
    block: [requestHead(url, asked)],
  };
}

/** Links are a part of the page: where that must not be kept, they are not. */
function metadata(
  exchanged: Exchanged,
  main: WarcRecord | undefined,
  via: string | undefined,
): WarcRecord {
  const { answer, about, withheld, outlinks } = exchanged;
  const { timing, tls, truncated, tlsError } = answer;
  const links = outlinks === undefined || withheld !== undefined ? '' : outlinkFields(outlinks);
  const facts = {
    via,
    status: String(answer.status),
    fetchTimeMs: String(Math.round(timing.wholeMs)),
    firstByteMs: String(Math.round(timing.firstByteMs)),
    connectTimeMs: timing.connectMs === undefined ? '' : String(Math.round(timing.connectMs)),
    tlsProtocol: tls?.protocol,
    tlsError,
    truncated,
    ...about,
    body: withheld === undefined ? undefined : `not kept: ${withheld}`,
  };
  return {
    ...common('metadata', exchanged),
    contentType: 'application/warc-fields',
    fields: { 'WARC-Concurrent-To': main?.id },
    block: [warcFields(facts, links)],
  };
}

function common(type: WarcRecord['type'], { url, answer }: Exchanged) {
  const date = Math.floor(answer.timing.startedAt);
  return { type, uri: url, date, id: recordId(type, url, date) };
}

const PROTOCOLS = { '1.0': 'http/1.0', '1.1': 'http/1.1', '2': 'h2' } as const;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)$/i;

/** Through a proxy the address is the proxy's name, which is no address. */
function connection({ remoteAddress, httpVersion, tls }: SentAnswer) {
  return {
    'WARC-IP-Address': ADDRESS.test(remoteAddress) ? remoteAddress : undefined,
    'WARC-Protocol': PROTOCOLS[httpVersion],
    'WARC-Cipher-Suite': tls?.cipher,
  };
}

const TRUNCATIONS: Readonly<Record<Truncation, string>> = {
  'body-limit': 'length',
  'decoded-limit': 'length',
  'time-limit': 'time',
  'connection-closed': 'disconnect',
  'length-mismatch': 'disconnect',
  'broken-framing': 'disconnect',
  'unwanted-type': 'unspecified',
};

function truncation({ truncated }: SentAnswer) {
  return { 'WARC-Truncated': truncated === undefined ? undefined : TRUNCATIONS[truncated] };
}
