/**
 * The HTTP server of `orb serve`: fastify behind the port ../../ports/web-server.ts.
 *
 *   listener.ts   routes, bodies, refusals      sink.ts   a stream with a bound
 */
export { listenWeb } from './listener.ts';
