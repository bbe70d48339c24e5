/**
 * Does a page say of itself that it does not exist (C3)? Only short bodies are looked at, so this
 * costs nothing on the pages that a crawl is made of.
 */
import { MISSING_WORDS_MAX, saysMissing } from '../quality/index.ts';

/** A page that says little else is small, also with a style sheet in its head. */
const BYTES_MAX = 16_384;
const UNSEEN = /<(script|style|head|noscript|template)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;
const TAGS = /<[^>]*>/g;
const WORD = /[\p{L}\p{N}]+/gu;

export function isMissingPage(body: Uint8Array, title: string, words: number): boolean {
  if (body.length === 0 || body.length > BYTES_MAX || words > MISSING_WORDS_MAX) return false;
  const html = Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8');
  const text = html.replace(UNSEEN, ' ').replace(TAGS, ' ').replace(/\s+/g, ' ').trim();
  return saysMissing(title, text, text.match(WORD)?.length ?? 0);
}
