/**
 * Events: what the crawl tells the world.
 *
 *   fetch-event.ts   one fetch, versioned
 */
export type { FetchEvent } from './fetch-event.ts';
