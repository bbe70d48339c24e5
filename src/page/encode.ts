/**
 * Characters as the bytes of a legacy encoding: the way back of decode.ts, for queries alone.
 *
 *   <a href="/?q=привет"> on a page in windows-1251   →   /?q=%EF%F0%E8%E2%E5%F2
 *
 * A form of that page sends those bytes, so it is by them that its server finds anything; a path
 * is UTF-8 everywhere (URL Standard, query state; Encoding Standard, "encode").
 *
 * What a decoder knows is turned round: all that one or two bytes can mean is decoded once for an
 * encoding, when a page first needs it. Where two sequences mean one character the standard
 * names one: the first, but for the exceptions below. Not here, because the decoder of this Node
 * lacks them: kana and Cyrillic of Big5, and what GBK has for private use.
 */
import { type LinkResolver, linkResolver } from '../url/index.ts';
import { decode } from './decode.ts';

/** The bytes of a character; undefined where the encoding has none. */
type Encoder = (character: string) => readonly number[] | undefined;

/** The Encoding Standard's "get an output encoding"; ISO-2022-JP, which has states, is left out. */
const AS_UTF8 = new Set(['UTF-8', 'UTF-16LE', 'UTF-16BE', 'replacement', 'ISO-2022-JP']);
const WITH_TWO_BYTES = new Set(['GBK', 'gb18030', 'Big5', 'EUC-JP', 'Shift_JIS', 'EUC-KR']);

const LINE_END = 0x0a;
const BIG5_LEAD_MIN = 0xa1;
/** Of these Big5 writes the last sequence. */
const BIG5_LAST = new Set('═╞╡╪十卅');
/** NEC's copies of characters that Shift_JIS writes as IBM did. */
const SHIFT_JIS_COPIES = { from: 0xed, to: 0xef };
/** Half-width katakana end there; this Node's decoder goes on. */
const EUC_JP_KANA = { lead: 0x8e, trailMax: 0xdf };
/** Decoders of Japanese do not give these back. */
const JAPANESE: ReadonlyMap<string, readonly number[]> = new Map([
  ['¥', [0x5c]],
  ['‾', [0x7e]],
]);

const encoders = new Map<string, Encoder>();

/** Whether queries of a page in this encoding are written in UTF-8. */
export function asksInUtf8(charset: string): boolean {
  return AS_UTF8.has(charset);
}

/** All links of a page in this encoding. */
export function linkResolverIn(charset: string, base: string): LinkResolver {
  const resolve = linkResolver(base);
  return asksInUtf8(charset) ? resolve : (href) => resolve(inCharset(href, charset));
}

/** An href whose query is written as a page in this encoding means it. */
export function inCharset(href: string, charset: string): string {
  const hash = href.indexOf('#');
  const end = hash < 0 ? href.length : hash;
  const mark = href.indexOf('?');
  if (mark < 0 || mark > end || asksInUtf8(charset)) return href;
  const query = href.slice(mark, end);
  const written = query.replace(/[^\0-\x7f]/gu, (character) => escaped(character, charset));
  return href.slice(0, mark) + written + href.slice(end);
}

/** A character that the encoding lacks becomes a reference, as in a form. */
function escaped(character: string, charset: string): string {
  const bytes = encoderOf(charset)(character);
  if (bytes === undefined) return `%26%23${character.codePointAt(0)}%3B`;
  return bytes.map(escapedByte).join('');
}

function escapedByte(byte: number): string {
  if (byte < 0x7f) return String.fromCharCode(byte);
  return `%${byte.toString(16).toUpperCase()}`;
}

function encoderOf(charset: string): Encoder {
  const known = encoders.get(charset);
  if (known !== undefined) return known;
  const encoder = makeEncoder(charset);
  encoders.set(charset, encoder);
  return encoder;
}

function makeEncoder(charset: string): Encoder {
  const table = new Map<string, readonly number[]>();
  if (WITH_TWO_BYTES.has(charset)) learn(table, charset, twoBytes(charset));
  learn(table, charset, oneByte());
  if (charset === 'gb18030') learn(table, charset, fourBytes());
  if (charset === 'GBK') table.set('€', [0x80]);
  if (charset === 'gb18030') table.set('\ufffd', [0x84, 0x31, 0xa4, 0x37]);
  if (charset === 'EUC-JP' || charset === 'Shift_JIS') {
    for (const [character, bytes] of JAPANESE) table.set(character, bytes);
    const minus = table.get('－');
    if (minus !== undefined) table.set('−', minus);
  }
  if (charset !== 'gb18030') return (character) => table.get(character);
  return (character) => table.get(character) ?? beyondGb18030(character);
}

/** What each of these means, if it is one character; the first keeps its place. */
function learn(
  table: Map<string, readonly number[]>,
  charset: string,
  sequences: readonly (readonly number[])[],
): void {
  const bytes = Uint8Array.from(sequences.flatMap((sequence) => [...sequence, LINE_END]));
  const lines = decode(bytes, charset).split('\n');
  lines.slice(0, sequences.length).forEach((text, i) => {
    const point = text.codePointAt(0);
    if (point === undefined || point < 0x80 || point === 0xfffd) return;
    if (text !== String.fromCodePoint(point)) return;
    const isLater = table.has(text) && !(charset === 'Big5' && BIG5_LAST.has(text));
    if (!isLater) table.set(text, sequences[i] as readonly number[]);
  });
}

function oneByte(): number[][] {
  return range(0x80, 0xff).map((byte) => [byte]);
}

function twoBytes(charset: string): number[][] {
  const leads = range(charset === 'Big5' ? BIG5_LEAD_MIN : 0x81, 0xfe);
  const { from, to } = SHIFT_JIS_COPIES;
  const isCopy = (lead: number) => charset === 'Shift_JIS' && lead >= from && lead <= to;
  const isKana = (lead: number) => charset === 'EUC-JP' && lead === EUC_JP_KANA.lead;
  const trailMax = (lead: number) => (isKana(lead) ? EUC_JP_KANA.trailMax : 0xfe);
  return leads.flatMap((lead) =>
    isCopy(lead) ? [] : range(0x30, trailMax(lead)).map((trail) => [lead, trail]),
  );
}

/** Those of gb18030 for the characters of 16 bits. */
function fourBytes(): number[][] {
  const digits = range(0x30, 0x39);
  return range(0x81, 0x84).flatMap((a) =>
    digits.flatMap((b) => range(0x81, 0xfe).flatMap((c) => digits.map((d) => [a, b, c, d]))),
  );
}

/** Beyond 16 bits gb18030 counts: four digits of 126, 10, 126 and 10. */
function beyondGb18030(character: string): readonly number[] | undefined {
  const point = character.codePointAt(0) as number;
  if (point < 0x10000) return undefined;
  const at = point - 0x10000 + 189_000;
  return [
    0x81 + Math.floor(at / 12_600),
    0x30 + (Math.floor(at / 1_260) % 10),
    0x81 + (Math.floor(at / 10) % 126),
    0x30 + (at % 10),
  ];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}
