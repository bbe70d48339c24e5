/**
 * The CMaps that PDF names and does not carry: Chinese, Japanese and Korean encodings. Their codes
 * are those of charsets that Node decodes anyway, so no table of ours is needed.
 */
import { decode } from '../../page/index.ts';

export interface Decoder {
  /** Bytes of a code, by its first byte. */
  readonly lengths: Uint8Array;
  textOf(code: number): string;
}

/** By how the name begins. */
const CHARSETS: readonly (readonly [RegExp, string])[] = [
  [/^Uni.*(?:UCS2|UTF16)/, 'UTF-16BE'],
  [/^(?:90ms|90msp|90pv|83pv|Ext|Add)?-?RKSJ/, 'Shift_JIS'],
  [/^(?:GBK|GBKp|GBK2K|GBpc|GB)-/, 'GBK'],
  [/^(?:ETen|ETenms|B5pc|HKscs)-B?5?/, 'Big5'],
  [/^(?:KSCms|KSC|KSCpc)-/, 'EUC-KR'],
  [/^EUC-/, 'EUC-JP'],
];

export function decoderNamed(name: string): Decoder | undefined {
  const charset = CHARSETS.find(([start]) => start.test(name))?.[1];
  if (charset === undefined) return undefined;
  const isWide = charset === 'UTF-16BE';
  const lengths = Uint8Array.from({ length: 256 }, (_, first) => {
    if (isWide || first >= 0xe0) return 2;
    const isHalfKana = charset === 'Shift_JIS' && first >= 0xa0;
    return first < 0x81 || isHalfKana ? 1 : 2;
  });
  const known = new Map<number, string>();
  const textOf = (code: number) => {
    const seen = known.get(code);
    if (seen !== undefined) return seen;
    const bytes = code > 255 || isWide ? [code >> 8, code & 255] : [code];
    const text = decode(Uint8Array.from(bytes), charset);
    known.set(code, text);
    return text;
  };
  return { lengths, textOf };
}
