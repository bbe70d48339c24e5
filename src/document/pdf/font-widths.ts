/** How wide characters are, in thousandths of the font's size. */
import type { Encoding } from './encodings.ts';
import type { PdfFile } from './file.ts';
import { type Dict, nameIn, numberIn } from './objects.ts';

/** Widths from 0x20 to 0x7e of the fonts that everybody has, in thousandths. */
const SANS = widths(
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
);
const SERIF = widths(
  '250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541',
);
const MONOSPACED = 600;
const UNKNOWN = 500;
/** Bold letters are so much wider, by and large. */
const BOLD = 1.07;
const CIDS_MAX = 70_000;

export function simpleWidths(
  dict: Dict,
  file: PdfFile,
  encoding: Encoding,
): (code: number) => number {
  const first = numberIn(file.resolve(dict.get('FirstChar')), 0);
  const widths = file.list(dict.get('Widths')).map((width) => numberIn(file.resolve(width), 0));
  const descriptor = file.dict(dict.get('FontDescriptor'));
  const missing = numberIn(file.resolve(descriptor.get('MissingWidth')), 0);
  const [scale] = file.list(dict.get('FontMatrix'));
  // A Type 3 font has units of its own.
  const unit =
    nameIn(file.resolve(dict.get('Subtype'))) === 'Type3'
      ? 1000 * Math.abs(numberIn(scale, 0.001))
      : 1;
  if (widths.length > 0) return (code) => unit * (widths[code - first] ?? missing);
  const name = nameIn(file.resolve(dict.get('BaseFont')));
  if (/courier|mono/i.test(name)) return () => MONOSPACED;
  const table = /times|serif|roman|garamond|georgia|cambria/i.test(name) ? SERIF : SANS;
  const share = /bold|black|heavy/i.test(name) ? BOLD : 1;
  return (code) => share * (table[(encoding[code] ?? '').charCodeAt(0) - 32] ?? UNKNOWN);
}

/** `W` is a list of `first [widths…]` and `first last width`. */
export function compositeWidths(descendant: Dict, file: PdfFile): (cid: number) => number {
  const usual = numberIn(file.resolve(descendant.get('DW')), 1000);
  const widths = new Map<number, number>();
  const list = file.list(descendant.get('W'));
  for (let i = 0; i < list.length; ) {
    const first = numberIn(file.resolve(list[i]), 0);
    const second = file.resolve(list[i + 1]);
    if (Array.isArray(second)) {
      second.forEach((width, nth) => {
        if (widths.size < CIDS_MAX) widths.set(first + nth, numberIn(file.resolve(width), usual));
      });
      i += 2;
    } else {
      const width = numberIn(file.resolve(list[i + 2]), usual);
      const last = Math.min(numberIn(second, first), first + CIDS_MAX);
      for (let cid = first; cid <= last && widths.size < CIDS_MAX; cid++) widths.set(cid, width);
      i += 3;
    }
  }
  return (cid) => widths.get(cid) ?? usual;
}

function widths(text: string): readonly number[] {
  return text.split(' ').map(Number);
}
