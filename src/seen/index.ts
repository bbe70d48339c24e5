/**
 * Seen before? Three questions, cheapest first:
 *
 *   recent.ts       mentioned a moment ago?   exact, a map of strings
 *   generations.ts  perhaps ever before?      Bloom filters (bloom.ts, bloom-size.ts)
 *   the store       really?                   ../ports/shard-store.ts
 */
export { Bloom } from './bloom.ts';
export { BLOCK_BITS, type BloomSize, blockedRate, bloomSize } from './bloom-size.ts';
export { type GenerationState, Generations } from './generations.ts';
export { Recent } from './recent.ts';
