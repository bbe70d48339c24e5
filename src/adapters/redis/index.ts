/**
 * Redis or Valkey, one server or a cluster, without modules (K2): what nodes share.
 *
 *   connection.ts    connectRedis      the line: commands and scripts, deadlines, reconnecting
 *   seen-filter.ts   openRedisFilter   generations of Bloom filters, one set for each arc
 *                    seen-arc.ts  seen-plan.ts  seen-script.ts  recent-keys.ts
 */
export { connectRedis, RedisConnection, type RedisOptions } from './connection.ts';
export { openRedisFilter, type RedisFilterOptions, RedisSeenFilter } from './seen-filter.ts';
