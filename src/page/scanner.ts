/**
 * A page through the kernel (../../kernel/scan.ts): its bytes are put in, links, title and words
 * are left there as numbers and bytes, and what needs strings is answered on the way: what meta
 * tags say (page-facts.ts), which links of the head count, which references and divs mean what.
 *
 *   tables … marks │ rows of links │ the page, zeros │ its words │ lines (gathered-words.ts)
 */
import { ATTRIBUTE, TagAttributes } from './attributes.ts';
import type { Utf8Body } from './decode.ts';
import { type Kernel, SPARE_BYTES, theKernel } from './kernel.ts';
import { MARKS_AT, RESULT_AT, ROWS_AT } from './kernel-layout.ts';
import * as tag from './kernel-tags.ts';
import { COLUMNS } from './link-list.ts';
import { PageFacts } from './page-facts.ts';

export interface ScanLimits {
  /** Gather all words, not only those of links and title. */
  readonly text: boolean;
  /** Note images and forms too. */
  readonly resources: boolean;
  /** Kept of links and of resources each; what comes after is only counted. */
  readonly linksMax: number;
  readonly textBytesMax: number;
}

/** What is left of a page in the kernel's memory. Valid until the next page is scanned. */
export interface Scanned {
  /** Hrefs and rels are places in its memory. */
  readonly kernel: Kernel;
  /** The links, `COLUMNS` numbers each. */
  readonly rows: Int32Array;
  readonly linkCount: number;
  readonly linksDropped: number;
  readonly words: Buffer;
  readonly marks: Int32Array;
  /** Places in the words, -1 where there is no title. */
  readonly titleFrom: number;
  readonly titleTo: number;
  readonly facts: PageFacts;
}

const ALIGNED = 64;
const ROW_BYTES = 4 * COLUMNS;
/** No link is shorter than this many bytes: how many a page can have at most. */
const LINK_BYTES_MIN = 4;
/**
 * Of what a page becomes for each byte: two of words (`&nGt;` is six bytes of UTF-8), and four of
 * the lines that links' texts are written to (a byte that is no UTF-8 is three when written again).
 */
const GROWTH = 6;
const INT_MAX = 0x7fffffff;
const LINK_RELS = /(?:^|[\t\n\f\r ])(?:next|prev|alternate|canonical)(?![^\t\n\f\r ])/;

export function scanBytes(body: Utf8Body, limits: ScanLimits): Scanned {
  const kernel = theKernel();
  const facts = new PageFacts(limits.linksMax);
  kernel.onTag = noter(kernel, facts);
  const { length } = body.bytes;
  const linksMax = Math.min(limits.linksMax, Math.ceil(length / LINK_BYTES_MIN));
  const from = aligned(ROWS_AT + ROW_BYTES * linksMax);
  const to = from + length;
  const wordsAt = aligned(to + SPARE_BYTES);
  kernel.reach(wordsAt + GROWTH * length + linksMax + SPARE_BYTES);
  kernel.bytes.set(body.bytes, from);
  kernel.bytes.fill(0, to, to + SPARE_BYTES);
  const textBytesMax = Math.min(limits.textBytesMax, INT_MAX);
  const options = (limits.text ? 1 : 0) | (limits.resources ? 2 : 0);
  kernel.exports.scan(from, to, wordsAt, textBytesMax, linksMax, options);
  return scannedOf(kernel, facts, wordsAt, textBytesMax);
}

function scannedOf(
  kernel: Kernel,
  facts: PageFacts,
  wordsAt: number,
  textBytesMax: number,
): Scanned {
  const { bytes, ints } = kernel;
  const result = (nth: number): number => ints[(RESULT_AT >> 2) + nth] as number;
  const textEnd = cutAt(bytes, wordsAt, result(2), textBytesMax);
  return {
    ...{ kernel, facts, linkCount: result(0), linksDropped: result(1) },
    rows: ints.subarray(ROWS_AT >> 2, (ROWS_AT >> 2) + COLUMNS * result(0)),
    words: bytes.subarray(wordsAt, textEnd),
    marks: ints.subarray(MARKS_AT >> 2, (MARKS_AT >> 2) + result(3)),
    ...{ titleFrom: result(4), titleTo: result(5) },
  };
}

/** Where words end that are too many: between two characters. */
function cutAt(bytes: Buffer, from: number, length: number, bytesMax: number): number {
  if (length <= bytesMax) return from + length;
  let end = from + bytesMax;
  while (end > from && ((bytes[end] as number) & 0xc0) === 0x80) end--;
  return end;
}

function aligned(place: number): number {
  return Math.ceil(place / ALIGNED) * ALIGNED;
}

/** Notes what tags say of the page; answers whether the tag itself counts, where that is asked. */
function noter(kernel: Kernel, facts: PageFacts): (number: number, isQuiet: boolean) => boolean {
  const attributes = new TagAttributes(kernel);
  return (number, isQuiet) => {
    switch (number) {
      case tag.TAG_LINK:
        return LINK_RELS.test(attributes.value(ATTRIBUTE.rel)?.toLowerCase() ?? '');
      case tag.TAG_ANNOTATION_XML:
        return isHtml(attributes.value(ATTRIBUTE.encoding)?.toLowerCase());
      case tag.TAG_META:
        facts.meta(attributes, !isQuiet);
        return true;
      case tag.TAG_BASE:
        facts.base(attributes);
        return true;
      case tag.TAG_HTML:
        facts.html(attributes);
        return true;
      default:
        facts.resource(number, attributes);
        return true;
    }
  };
}

/** `annotation-xml` holds HTML when it says so, and is then like any other island. */
function isHtml(encoding: string | undefined): boolean {
  return encoding === 'text/html' || encoding === 'application/xhtml+xml';
}
