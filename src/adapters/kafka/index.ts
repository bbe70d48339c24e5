/**
 * Kafka (K1): ownership of arcs, mentions between nodes, and the crawl's events.
 *
 *   arc-group.ts   the group: hand ──▶ `urls` ──▶ arrived      assign.ts      who gets which arcs
 *   membership.ts  a node's place in it                        event-log.ts   `pages`
 *   hook-log.ts    `pages` for webhooks, a node's own arcs
 *   topics.ts      64 partitions, one for each arc             sender.ts, reader.ts, driver.ts
 */
export { KafkaArcGroup, type KafkaGroupOptions } from './arc-group.ts';
export type { Broker } from './driver.ts';
export { KafkaEventLog } from './event-log.ts';
export { KafkaHookLog } from './hook-log.ts';
