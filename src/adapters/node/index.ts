/**
 * What Node itself gives: sockets, DNS, time, chance.
 *
 *   http.ts       the `Http` port, over sockets (http-*.ts are its parts)
 *   resolver.ts   the `Resolver` port, over DNS (resolver-ask.ts, hosts-file.ts)
 *   clock.ts      the `Clock` port          random.ts   the `Random` port
 *   vitals.ts     the `Vitals` port
 *   *-pool.ts     the `ParserPool` port: HTML inline, in slices or on threads; documents on threads that
 *                 can be ended (document-thread, plugin-files)
 *   key-files.ts  the `KeyFiles` port, and the signer of a crawl (P8)
 */
export { systemClock } from './clock.ts';
export { type HttpOptions, type NodeHttp, openHttp } from './http.ts';
export { systemRandom } from './random.ts';
export { openResolver, type ResolverOptions } from './resolver.ts';
export type { Addresses, Ask, AskOptions } from './resolver-ask.ts';
