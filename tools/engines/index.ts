/**
 * Real engines for the tests, on this machine, without root.
 *
 *   npm run engines -- up|down|status [names]      npm run test:live [-- words]
 *
 *   engine.ts ── what an engine is                  list.ts ── which there are, and where
 *      ▲                                               │
 *   postgres.ts … one file each                     run.ts   the command
 *      │ by                                         live.ts  engines up, test/live, engines down
 *   obtain.ts   Debian, npm, Maven, Go                 │ by
 *                                                   start.ts ─▶ state.ts ─▶ processes.ts
 *                                                   start it    on disk     id and beginning
 *
 * kcat.ts is a reader of Kafka that shares no code with ours. A new engine is a file that exports an `Engine`, and its place in list.ts.
 *
 *   .engines/shelf/        fetched programs, kept
 *   .engines/up/           what `npm run engines -- up` runs: state/NAME.json, a folder each
 *   .engines/live-PID/     what a run of the live tests runs, gone afterwards; of a benchmark a
 *                          link to memory
 */
export { cassandra } from './cassandra.ts';
export { type Command, type Engine, NotHad, type Plan, type Site, type User } from './engine.ts';
export { kafka } from './kafka.ts';
export { ENGINES, ENGINES_DIR, enginesNamed, PROJECT_DIR, SHELF } from './list.ts';
export { postgres } from './postgres.ts';
export { redis, redisCluster } from './redis.ts';
export { s3 } from './s3.ts';
export { RunningEngine, startEngine } from './start.ts';
export { isUp, type StartedEngine, State, stopEngine } from './state.ts';
