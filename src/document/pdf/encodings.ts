/**
 * What the bytes of simple fonts mean: the encodings that PDF itself defines, 256 texts each; and
 * the one of text strings outside pages (titles, authors).
 */
import { decode } from '../../page/index.ts';

export type Encoding = readonly string[];

const BYTES = Uint8Array.from({ length: 256 }, (_, i) => i);

/** Adobe's own: ASCII but for two quotes, and this above. */
const STANDARD_HIGH: Readonly<Record<number, string>> = highOf(0xa1, [
  ..."¡¢£⁄¥ƒ§¤'“«‹›",
  ...['fi', 'fl', '', '–', '†', '‡', '·', '', '¶', '•', '‚', '„', '”', '»', '…', '‰', '', '¿', ''],
  ...['`', '´', 'ˆ', '˜', '¯', '˘', '˙', '¨', '', '˚', '¸', '', '˝', '˛', 'ˇ', '—'],
  ...Array.from({ length: 16 }, () => ''),
  ...['Æ', '', 'ª', '', '', '', '', 'Ł', 'Ø', 'Œ', 'º', '', '', '', '', '', 'æ'],
  ...['', '', '', 'ı', '', '', 'ł', 'ø', 'œ', 'ß'],
]);
const SYMBOL_LETTERS = '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const PDF_DOC_LOW = '˘ˇˆ˙˝˛˚˜';
const PDF_DOC_HIGH = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';

const ascii = (byte: number) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '');

export const STANDARD: Encoding = Array.from(BYTES, (byte) =>
  byte === 0x27 ? '’' : byte === 0x60 ? '‘' : (STANDARD_HIGH[byte] ?? ascii(byte)),
);
/** windows-1252; what is not defined in it is a bullet. */
export const WIN_ANSI: Encoding = Array.from(decode(BYTES, 'windows-1252'), (text, byte) =>
  byte < 32
    ? ''
    : byte === 0xa0
      ? ' '
      : byte === 0xad
        ? '-'
        : /[\u007f-\u009f]/.test(text)
          ? '•'
          : text,
);
export const MAC_ROMAN: Encoding = Array.from(decode(BYTES, 'macintosh'), (text, byte) =>
  byte < 32 ? '' : byte === 0xca ? ' ' : text,
);
/** Greek and mathematics. */
export const SYMBOL: Encoding = Array.from(BYTES, (byte) =>
  byte >= 0x40 && byte < 0x7f ? ([...SYMBOL_LETTERS][byte - 0x40] ?? '') : ascii(byte),
);

export function encodingNamed(name: string): Encoding | undefined {
  if (name === 'WinAnsiEncoding') return WIN_ANSI;
  if (name === 'MacRomanEncoding') return MAC_ROMAN;
  return name === 'StandardEncoding' ? STANDARD : undefined;
}

/** A text string: UTF-16 or UTF-8 by its mark, else PDFDocEncoding. */
export function textString(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'UTF-16BE');
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'UTF-16LE');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decode(bytes, 'UTF-8');
  return Array.from(bytes, pdfDocChar).join('');
}

function pdfDocChar(byte: number): string {
  if (byte >= 0x18 && byte < 0x20) return PDF_DOC_LOW[byte - 0x18] as string;
  if (byte >= 0x80 && byte < 0x9f) return PDF_DOC_HIGH[byte - 0x80] as string;
  return byte === 0xa0 ? '€' : String.fromCharCode(byte);
}

function highOf(from: number, texts: readonly string[]): Record<number, string> {
  return Object.fromEntries(texts.map((text, i) => [from + i, text]));
}
