/**
 * The HTTP server of `orb serve`: fastify behind the port ../../ports/web-server.ts.
 *
 *   listener.ts   routes, bodies, refusals      sink.ts   a stream with a bound
 *   unread.ts     what cannot be read: refused in the same words
 *   remote-crawl.ts   seeds for a crawl elsewhere, and how far they are
 *   lender.ts     the other side of `/frontier/…`: a client for fetchers
 *   work-lender.ts   … of work: reading-lender.ts for parsers, rendering-lender.ts
 */
export { type LenderPlace, openLender } from './lender.ts';
export { listenWeb } from './listener.ts';
export { openReadingLender, type ReadingPlace } from './reading-lender.ts';
export { openRemoteCrawl, type RemotePlace } from './remote-crawl.ts';
export { openRenderingLender, type RenderingLender } from './rendering-lender.ts';
