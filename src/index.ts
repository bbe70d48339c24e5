/**
 * The library: `import { crawl, canonicalize, … } from 'orbweaver'`.
 *
 *   crawl             a whole crawl, as an async iterable
 *   definePlugin      a reader of further kinds of documents (docs/plugins.md)
 *   canonicalize …    the thinking parts, each usable alone
 *
 * The crawler is loaded by the first crawl: who only needs a parser does not wait for it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlRequest, CrawlSession } from './crawl/index.ts';
import { type Crawl, type CrawlOptions, crawlWith } from './edge/library/index.ts';

export { CrawlError, type ErrorCode } from './base/index.ts';
export { hamming, simhash } from './content/simhash.ts';
export type { CrawlSummary } from './crawl/index.ts';
export {
  type DocumentLink,
  type DocumentPage,
  type DocumentPlugin,
  definePlugin,
  type FoundDocument,
  type SniffedPage,
} from './document/plugin.ts';
export type { Crawl, CrawlOptions, PageEvent } from './edge/library/index.ts';
export { parseHttpDate } from './fetch/http-date.ts';
export { parseRetryAfter } from './fetch/retry-after.ts';
export { extractHtml, type HtmlPage, parseSitemap, sniffCharset } from './page/index.ts';
export { type MarkdownOptions, toMarkdown } from './readable/index.ts';
export {
  parseLinkHeader,
  parseRobots,
  parseRobotsDirectives,
  type Robots,
  type RobotsDirectives,
} from './robots/index.ts';
export { type CanonicalOptions, canonicalize, shapeOf } from './url/index.ts';

/** Crawls politely from the seeds and yields each page as it is fetched. */
export function crawl(options: CrawlOptions): Crawl {
  return crawlWith({ openCrawl, temporaryFolder }, options);
}

async function openCrawl(request: CrawlRequest): Promise<CrawlSession> {
  return (await import('./compose.ts')).openCrawl(request);
}

async function temporaryFolder() {
  const dir = await mkdtemp(join(tmpdir(), 'orb-'));
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) };
}
