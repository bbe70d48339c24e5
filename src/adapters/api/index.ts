/**
 * The HTTP server of `orb serve`: fastify behind the port ../../ports/web-server.ts.
 *
 *   listener.ts   routes, bodies, refusals      sink.ts   a stream with a bound
 *   unread.ts     what cannot be read: refused in the same words
 */
export { listenWeb } from './listener.ts';
