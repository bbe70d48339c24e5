/**
 * Seen before? Three questions, cheapest first:
 *
 *   recent.ts       mentioned a moment ago?   exact, a map of strings
 *   generations.ts  perhaps ever before?      Bloom filters (bloom.ts)
 *   the store       really?                   ../ports/shard-store.ts
 */
export { Bloom, type BloomSize, bloomSize } from './bloom.ts';
export { Generations } from './generations.ts';
export { Recent } from './recent.ts';
