/**
 * The library's edge:
 *
 *   crawl.ts       for await (const page of crawl({ seeds }))
 *   page-queue.ts  back-pressure between the two        page-event.ts   a page as it is seen
 */
export { type Crawl, type CrawlOptions, crawlWith, type LibraryWorld } from './crawl.ts';
export type { PageEvent } from './page-event.ts';
