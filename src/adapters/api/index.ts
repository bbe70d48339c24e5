/**
 * The HTTP server of `orb serve`: fastify behind the port ../../ports/web-server.ts.
 *
 *   listener.ts   routes, bodies, refusals      sink.ts   a stream with a bound
 *   unread.ts     what cannot be read: refused in the same words
 *   lender.ts     the other side of `/frontier/…`: a client for fetchers
 */
export { type LenderPlace, openLender } from './lender.ts';
export { listenWeb } from './listener.ts';
