/**
 * Does a page say of itself that it does not exist (C3)? Only short ones are looked at, so this
 * costs nothing on the pages that a crawl is made of.
 */
import type { HtmlScan } from '../page/index.ts';
import { MISSING_WORDS_MAX, saysMissing } from '../quality/index.ts';

/** A page that says little else is small, also with a style sheet in its head. */
const BYTES_MAX = 16_384;
/** Twice as much as the longest words of a few languages would come to. */
const TEXT_BYTES_MAX = 32 * MISSING_WORDS_MAX;

/** `ownWords` are those that are not in menus; those in menus count as well, but later. */
export function isMissingPage(
  { title, words }: Pick<HtmlScan, 'title' | 'words'>,
  bodyBytes: number,
  ownWords: number,
): boolean {
  if (bodyBytes > BYTES_MAX || ownWords > MISSING_WORDS_MAX) return false;
  if (words.bytes.length === 0 || words.bytes.length > TEXT_BYTES_MAX) return false;
  const text = words.bytes.toString();
  return saysMissing(title, text, text.split(' ').length);
}
