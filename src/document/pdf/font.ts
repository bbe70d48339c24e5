/**
 * A font as far as words need it: how many bytes a character is, which text it stands for, and how
 * wide it is (gaps between words are known by their width).
 *
 *   text:    ToUnicode → the encoding's glyph names → the font program's own → a guess from its kind
 *   widths:  Widths, W and DW; a font that everybody has needs none and is measured roughly
 */

import { type Decoder, decoderNamed } from './cjk.ts';
import { type CMap, parseCMap } from './cmap.ts';
import { type Encoding, encodingNamed, STANDARD, SYMBOL, WIN_ANSI } from './encodings.ts';
import type { PdfFile } from './file.ts';
import { compositeWidths, simpleWidths } from './font-widths.ts';
import { glyphText } from './glyph-names.ts';
import { type Dict, isDict, Name, nameIn, Stream, type Value } from './objects.ts';

export interface Font {
  /** Bytes of the character at this place. */
  lengthAt(bytes: Uint8Array, at: number): number;
  textOf(code: number): string;
  /** In thousandths of the size. */
  widthOf(code: number): number;
  /** Its lines run down the page. */
  readonly isVertical: boolean;
  /** All its letters are of one width, as code is set. */
  readonly isFixed: boolean;
}

export function openFont(dict: Dict, file: PdfFile): Font {
  const toUnicode = file.resolve(dict.get('ToUnicode'));
  const bytes = toUnicode instanceof Stream ? file.unfiltered(toUnicode) : undefined;
  const cmap = bytes === undefined ? undefined : parseCMap(bytes);
  const isComposite = nameIn(file.resolve(dict.get('Subtype'))) === 'Type0';
  const font = isComposite ? compositeFont(dict, file, cmap) : simpleFont(dict, file, cmap);
  return { ...font, isFixed: FIXED.test(nameIn(file.resolve(dict.get('BaseFont')))) };
}

/** By their names: the flag for it is missing or wrong as often as not. TeX's are cmtt and the like. */
const FIXED =
  /mono(?!type)|courier|consol|menlo|typewriter|nimbusm|(?:cm|ec|sf|la|t1)[a-z]*tt\d|t1xb?tt|txb?tt/i;

function simpleFont(dict: Dict, file: PdfFile, cmap: CMap | undefined): Omit<Font, 'isFixed'> {
  const encoding = encodingOf(dict, file);
  return {
    lengthAt: () => 1,
    textOf: (code) => cmap?.texts.get(code) ?? encoding[code] ?? '',
    widthOf: simpleWidths(dict, file, encoding),
    isVertical: false,
  };
}

function encodingOf(dict: Dict, file: PdfFile): Encoding {
  const given = file.resolve(dict.get('Encoding'));
  const own = ownEncoding(dict, file);
  if (given instanceof Name) return encodingNamed(given.name) ?? own;
  if (!isDict(given)) return own;
  const base = encodingNamed(nameIn(file.resolve(given.get('BaseEncoding')))) ?? own;
  return withDifferences(base, file.list(given.get('Differences')));
}

function withDifferences(base: Encoding, differences: readonly Value[]): Encoding {
  const encoding = [...base];
  let code = 0;
  for (const item of differences) {
    if (typeof item === 'number') code = item;
    else if (item instanceof Name) {
      if (code >= 0 && code < 256) encoding[code] = glyphText(item.name) ?? guess(item.name, code);
      code++;
    }
  }
  return encoding;
}

/** A name that says nothing but where its character is: `c65`, `G41`, `cid_12`. */
function guess(name: string, code: number): string {
  if (name === '.notdef') return '';
  const digits = /^[a-zA-Z]{1,3}(\d{1,3})$/.exec(name)?.[1];
  const said = digits === undefined ? Number.NaN : Number(digits);
  return WIN_ANSI[said === code ? code : said] ?? '';
}

/** What the font has when nobody says: by its kind, its name or its program. */
function ownEncoding(dict: Dict, file: PdfFile): Encoding {
  const name = nameIn(file.resolve(dict.get('BaseFont')));
  if (/(?:^|\+)Symbol/.test(name)) return SYMBOL;
  if (/Dingbats/i.test(name)) return NOTHING;
  if (nameIn(file.resolve(dict.get('Subtype'))) === 'TrueType') return WIN_ANSI;
  const program = file.resolve(file.dict(dict.get('FontDescriptor')).get('FontFile'));
  const bytes = program instanceof Stream ? file.unfiltered(program) : undefined;
  return bytes === undefined ? STANDARD : typeOneEncoding(bytes);
}

const NOTHING: Encoding = Array.from({ length: 256 }, () => '');
const CLEAR_BYTES = 32 * 1024;

/** `dup 65 /A put`, in the part of a Type 1 program that can be read. */
function typeOneEncoding(program: Uint8Array): Encoding {
  const text = Buffer.from(program.subarray(0, CLEAR_BYTES)).toString('latin1');
  const encoding = [...STANDARD];
  if (/\/Encoding\s+StandardEncoding/.test(text)) return encoding;
  let found = false;
  for (const [, code = '', name = ''] of text.matchAll(/dup\s+(\d{1,3})\s*\/(\S{1,64})\s+put/g)) {
    if (!found) encoding.fill('');
    found = true;
    encoding[Number(code)] = glyphText(name) ?? guess(name, Number(code));
  }
  return encoding;
}

function compositeFont(dict: Dict, file: PdfFile, cmap: CMap | undefined): Omit<Font, 'isFixed'> {
  const encoding = file.resolve(dict.get('Encoding'));
  const name = nameIn(encoding);
  const bytes = encoding instanceof Stream ? file.unfiltered(encoding) : undefined;
  const codes = bytes === undefined ? undefined : parseCMap(bytes);
  const decoder: Decoder | undefined = decoderNamed(name);
  const lengths =
    decoder?.lengths ?? (codes?.lengths.some((one) => one > 0) ? codes.lengths : undefined);
  const descendant = file.dict(file.list(dict.get('DescendantFonts'))[0]);
  const cidOf = (code: number) => codes?.cids.get(code) ?? code;
  const widths = compositeWidths(descendant, file);
  return {
    lengthAt: (text, at) => lengths?.[text[at] as number] || 2,
    textOf: (code) => cmap?.texts.get(code) ?? decoder?.textOf(code) ?? '',
    widthOf: (code) => widths(cidOf(code)),
    isVertical: /-V$/.test(name),
  };
}
