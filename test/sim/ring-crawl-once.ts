/**
 * One crawl on a ring in trouble, from its first page to the end: all of it is in the seed.
 */
import { type ArcRules, RING_RULES } from '../../src/ring/arc-state.ts';
import type { Bug } from './ring-crawl-bugs.ts';
import { Faults } from './ring-crawl-faults.ts';
import { RingWorld, seededChoice } from './ring-crawl-world.ts';

/** The modes by their usual names. */
export const MODES = {
  async: 'nothing',
  'sync-on-accept': 'admissions',
  full: 'everything',
} as const;
export type Mode = keyof typeof MODES;

export interface RingCrawlOptions {
  readonly nodes: number;
  readonly seed: string;
  readonly mode: Mode;
  readonly blows?: number;
  readonly bug?: Bug;
  readonly rules?: Partial<ArcRules>;
}

const PAGES_PER_NODE = 30;
const HOSTS_PER_NODE = 2;
const ARCS_PER_NODE = 2;
const HOURS_MAX = 0.75;

export interface RingCrawl {
  readonly world: RingWorld;
  readonly faults: Faults;
  readonly isOver: boolean;
}

/** A crawl from one page to the end, or until a planted bug was noticed, or for too long. */
export function ringCrawl(options: RingCrawlOptions): RingCrawl {
  const { nodes, seed, mode, bug } = options;
  const world = new RingWorld({
    ...{ nodes, seed, pages: PAGES_PER_NODE * nodes, hosts: HOSTS_PER_NODE * nodes },
    arcs: ARCS_PER_NODE * nodes,
    rules: { ...RING_RULES, ...options.rules, awaits: MODES[mode] },
    ...(bug === undefined ? {} : { bug }),
  });
  const blows = options.blows ?? 5;
  const faults = new Faults(world, blows, seededChoice(`faults ${seed}`));
  world.plant(0);
  let isOver = false;
  const look = () => {
    isOver = faults.areOver && world.isIdle();
    if (!isOver) world.net.at(world.net.now + 2_000, look);
  };
  look();
  const isCaught = () => bug !== undefined && world.checks.isWrong;
  while (!isOver && !isCaught() && world.net.step(HOURS_MAX * 3_600_000));
  return { world, faults, isOver };
}
