/**
 * Redis or Valkey, one server or a cluster, without modules (K2): what nodes share.
 *
 *   connection.ts    connectRedis      the line: commands and scripts, deadlines, reconnecting
 *   seen-filter.ts   openRedisFilter   generations of Bloom filters, one set for each arc
 *                    seen-arc.ts  seen-plan.ts  seen-script.ts  recent-keys.ts
 *   shared-cache.ts  RedisSharedCache  robots.txt and addresses, each until its life has ended
 *   address-turns.ts RedisAddressTurns whose turn it is at an address: address-script.ts
 *   due-sets.ts      RedisDueSets      sorted sets of what is due, one for each arc and tier:
 *                    due-arc.ts  due-script.ts
 *   health.ts        Health            what fails is said once, and let alone for a moment
 */
export { RedisAddressTurns, type RedisTurnsOptions } from './address-turns.ts';
export { connectRedis, RedisConnection, type RedisOptions } from './connection.ts';
export { type RedisDueOptions, RedisDueSets } from './due-sets.ts';
export { openRedisFilter, type RedisFilterOptions, RedisSeenFilter } from './seen-filter.ts';
export { type RedisCacheOptions, RedisSharedCache } from './shared-cache.ts';
