/**
 * Does a page say of itself that it does not exist (C3)? Only short bodies are looked at, so this
 * costs nothing on the pages that a crawl is made of.
 */
import { scanHtml, toUtf8 } from '../page/index.ts';
import { MISSING_WORDS_MAX, saysMissing } from '../quality/index.ts';

/** A page that says little else is small, also with a style sheet in its head. */
const BYTES_MAX = 16_384;
const WORD = /[\p{L}\p{N}]+/gu;

export function isMissingPage(body: Uint8Array, title: string, words: number): boolean {
  if (body.length === 0 || body.length > BYTES_MAX || words > MISSING_WORDS_MAX) return false;
  const { text } = scanHtml(toUtf8(body, 'UTF-8'), '', { text: true });
  return saysMissing(title, text, text.match(WORD)?.length ?? 0);
}
