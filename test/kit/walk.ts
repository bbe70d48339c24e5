/**
 * What a crawl must find, walked by hand: the web's own answers, links by the library's scanner,
 * rules by a function. For questions that the web's truth does not know, such as filters.
 */
import { canonicalize, extractHtml } from '../../src/index.ts';
import type { Web } from '../../testweb/index.ts';

export interface WalkRules {
  /** Asked for every URL but the seeds. */
  readonly follows: (url: string) => boolean;
}

export function walkWeb(web: Web, seeds: readonly string[], rules: WalkRules): Set<string> {
  const found = new Set(seeds);
  for (const url of found) {
    const answer = web.answer({ url, method: 'GET', headers: {}, atMs: 0 });
    for (const next of linksOf(url, answer)) if (rules.follows(next)) found.add(next);
  }
  return found;
}

function linksOf(url: string, answer: ReturnType<Web['answer']>): string[] {
  const { location } = answer.headers;
  const target = location === undefined ? undefined : canonicalize(location, url);
  if (target !== undefined) return [target];
  if (answer.status !== 200 || answer.body.kind !== 'whole') return [];
  const contentType = answer.headers['content-type'] ?? '';
  if (!contentType.startsWith('text/html')) return [];
  return extractHtml(answer.body.bytes, { url, contentType }).links.map((link) => link.url);
}
