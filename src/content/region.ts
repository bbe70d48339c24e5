/**
 * Region tags (G2): where a body was stored, as whoever ran the crawl said at that time. A tag
 * belongs to the body, not to the setting: it changes only when another body is written.
 *
 *   another body       the setting of now
 *   the same again     the tag that it has, also none: it was stored before
 *   none is kept       none
 */
import type { UrlRecord } from '../record/index.ts';
import { keepsBody } from './directives.ts';
import { sameBytes } from './visited.ts';

/** `region` is the setting of now; empty when there is none, or no bodies are kept. */
export function regionOf(record: UrlRecord, before: UrlRecord | undefined, region: string): string {
  const { contentHash } = record;
  if (contentHash.length === 0) return '';
  if (before !== undefined && sameBytes(before.contentHash, contentHash)) return before.region;
  return keepsBody(record) ? region : '';
}
