/**
 * What can happen to a cluster while it crawls: to a node, to an engine. Each fault resolves when
 * it is over and what it broke answers again.
 *
 *   alone   one of them, in the middle of a crawl
 *   mixed   drawn from a seed, for minutes, two at a time; no engine is broken twice at once
 */
import assert from 'node:assert/strict';
import { createClient } from 'redis';
import type { ClusterNode } from './cluster.ts';
import type { ClusterCrawl } from './cluster-crawl.ts';
import type { OwnEngine, OwnEngines } from './cluster-own.ts';
import { tail } from './serving.ts';

export interface FaultTimes {
  readonly stopMs: number;
  readonly awayMs: number;
  readonly s3Ms: number;
}

export interface FaultPlace {
  readonly crawl: ClusterCrawl;
  readonly own: OwnEngines;
  readonly times: FaultTimes;
  /** From 0 to below 1. */
  readonly chance: () => number;
}

export interface Fault {
  /** What it breaks: no two faults of one at once. */
  readonly breaks: OwnEngine | 'nodes';
  /** Only for a cluster with its records there. */
  readonly only?: OwnEngines['kind'];
  run(place: FaultPlace): Promise<void>;
}

const FRESH_AFTER_MS = 3_000;
const STOPPED_CODE = 143;

export const pass = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export const FAULTS: Readonly<Record<string, Fault>> = {
  'node-killed': { breaks: 'nodes', run: nodeKilled },
  'node-stopped': { breaks: 'nodes', run: nodeStopped },
  'rolling-restart': { breaks: 'nodes', run: rollingRestart },
  'kafka-restart': { breaks: 'kafka', run: restarted('kafka') },
  'redis-flushed': { breaks: 'redis', run: redisFlushed },
  'redis-stopped': { breaks: 'redis', run: restarted('redis') },
  'postgres-restart': { breaks: 'records', only: 'postgres', run: restarted('records') },
  'cassandra-pause': { breaks: 'records', only: 'cassandra', run: paused('records') },
  's3-stopped': { breaks: 's3', run: restarted('s3', ({ s3Ms }) => s3Ms) },
};

function oneOf({ crawl, chance }: FaultPlace): ClusterNode {
  const { nodes } = crawl;
  return nodes[Math.floor(chance() * nodes.length)] as ClusterNode;
}

async function nodeKilled(place: FaultPlace): Promise<void> {
  const node = oneOf(place);
  place.crawl.leave(node);
  node.kill('SIGKILL');
  await node.ended;
  await pass(FRESH_AFTER_MS);
  await place.crawl.join();
}

async function nodeStopped(place: FaultPlace): Promise<void> {
  const node = oneOf(place);
  node.kill('SIGSTOP');
  await pass(place.times.stopMs);
  node.kill('SIGCONT');
}

async function rollingRestart({ crawl }: FaultPlace): Promise<void> {
  for (const node of crawl.nodes) {
    crawl.leave(node);
    node.kill('SIGTERM');
    const { code, stderr } = await node.ended;
    assert.equal(code, STOPPED_CODE, tail(stderr));
    await crawl.join();
  }
}

/** Killed, not asked: a machine that goes, and comes back with its disk. */
function restarted(name: OwnEngine, lasts = ({ awayMs }: FaultTimes) => awayMs): Fault['run'] {
  return async ({ own, times }) => {
    const engine = own.engines[name];
    await engine.kill();
    await pass(lasts(times));
    await engine.restart();
  };
}

function paused(name: OwnEngine): Fault['run'] {
  return async ({ own, times }) => {
    const engine = own.engines[name];
    engine.signal('SIGSTOP');
    await pass(times.awayMs);
    engine.signal('SIGCONT');
  };
}

async function redisFlushed({ own }: FaultPlace): Promise<void> {
  const client = await createClient({ url: own.at.redis }).connect();
  await client.flushAll();
  client.destroy();
}

/** Those that a cluster with these engines can suffer. */
export function faultsOf(kind: OwnEngines['kind']): [string, Fault][] {
  return Object.entries(FAULTS).filter(([, { only }]) => only === undefined || only === kind);
}

/** Answers with what happened when, in seconds, in the order in which it began. */
export async function mixed(
  place: FaultPlace,
  lastsMs: number,
  tell: (line: string) => void,
): Promise<string[]> {
  const began = Date.now();
  const told: string[] = [];
  const broken = new Map<string, Promise<void>>();
  while (Date.now() - began < lastsMs) {
    const may = faultsOf(place.own.kind).filter(([, { breaks }]) => !broken.has(breaks));
    const [name, fault] = may[Math.floor(place.chance() * may.length)] as [string, Fault];
    const at = () => `${((Date.now() - began) / 1_000).toFixed(0)} s`;
    told.push(`${at()} ${name}`);
    tell(`${at()} ${name} begins, ${place.crawl.requests} requests`);
    const over = fault.run(place).finally(() => broken.delete(fault.breaks));
    broken.set(fault.breaks, over);
    over.catch(() => undefined);
    await pass(FAULT_EACH_MS * (0.5 + place.chance()));
    while (broken.size >= AT_ONCE) await Promise.race(broken.values());
  }
  await Promise.all(broken.values());
  return told;
}

const AT_ONCE = 2;
const FAULT_EACH_MS = 15_000;
