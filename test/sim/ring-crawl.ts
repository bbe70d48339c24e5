/**
 * Whole crawls on a ring of nodes that crash, freeze, are cut off, join and leave (D3 to D6, P5):
 *
 *   npm run sim -- ring-crawl [--nodes N] [--seed S] [--seeds COUNT] [--mode M] [--bug B]
 *
 * One line a mode: what was covered and lost, what was asked twice, whether any host was asked
 * before its turn or two owners could act at once, and what the mode costs.
 */
import { type ArcRules, RING_RULES } from '../../src/ring/arc-state.ts';
import { BUGS, type Bug } from './ring-crawl-bugs.ts';
import { Faults } from './ring-crawl-faults.ts';
import { RingWorld, seededChoice } from './ring-crawl-world.ts';
import type { SimRow } from './run.ts';

/** The modes by their usual names. */
const MODES = { async: 'nothing', 'sync-on-accept': 'admissions', full: 'everything' } as const;
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

export function* run(args: readonly string[]): Iterable<SimRow> {
  const value = (name: string) => {
    const at = args.indexOf(name);
    return at < 0 ? undefined : args[at + 1];
  };
  const nodes = Number(value('--nodes') ?? 12);
  const first = Number(value('--seed') ?? 1);
  const seeds = Number(value('--seeds') ?? 1);
  const bugName = value('--bug');
  const bug = bugName === undefined ? undefined : BUGS[bugName];
  if (bugName !== undefined && bug === undefined) {
    throw new RangeError(`no such bug: ${bugName}; there are ${Object.keys(BUGS).join(', ')}`);
  }
  const modes = value('--mode') ?? 'async,sync-on-accept,full';
  for (const mode of modes.split(',') as Mode[]) {
    if (!Object.hasOwn(MODES, mode)) throw new RangeError(`no such mode: ${mode}`);
    const sum = new Sum(mode);
    for (let n = 0; n < seeds; n++) {
      const seed = String(first + n);
      sum.add(seed, ringCrawl({ nodes, seed, mode, ...(bug === undefined ? {} : { bug }) }));
    }
    yield sum.row();
  }
}

/** Many crawls as one row. */
class Sum {
  readonly #mode: string;
  readonly #figures = new Map<string, number>();
  #crawls = 0;
  #coverageMin = 1;
  #twiceMax = 0;
  #acceptMs: number[] = [];
  #settleMs: number[] = [];

  constructor(mode: string) {
    this.#mode = mode;
  }

  add(seed: string, { world, faults, isOver }: RingCrawl): void {
    const { checks, net, web } = world;
    this.#crawls++;
    this.#coverageMin = Math.min(this.#coverageMin, checks.coverage);
    const { early, rivals, forgotten, duplicates } = checks;
    this.#twiceMax = Math.max(this.#twiceMax, duplicates / web.pages);
    const wrong = { early, rivals, forgotten, stuck: isOver ? 0 : 1 };
    const { messages, bytes, now } = net;
    const lost = web.pages - checks.settled.size;
    const asked = web.pages - lost + duplicates;
    for (const [name, value] of Object.entries({
      ...{ ...wrong, lost, duplicates, asked, messages, bytes, now, pages: web.pages },
      ...{ crashes: faults.crashes, freezes: faults.freezes, takeovers: checks.takeovers },
      helped: checks.helped,
    })) {
      this.#figures.set(name, (this.#figures.get(name) ?? 0) + value);
    }
    this.#acceptMs.push(...checks.acceptMs.slice(0, 1_000));
    this.#settleMs.push(...checks.settleMs.slice(0, 1_000));
    const isWrong = early + rivals + forgotten > 0 || !isOver || lost > 0;
    if (isWrong && this.#mode !== 'async') {
      process.stderr.write(
        `seed ${seed}: ${checks.notes.slice(0, 5).join('; ')} ${lost} lost, ${isOver ? '' : 'never over'}\n`,
      );
    }
  }

  row(): SimRow {
    const of = (name: string) => this.#figures.get(name) ?? 0;
    const pages = of('pages');
    return {
      mode: this.#mode,
      crawls: this.#crawls,
      pages,
      'covered %': (100 * (pages - of('lost'))) / pages,
      'worst %': 100 * this.#coverageMin,
      lost: of('lost'),
      'twice %': (100 * of('duplicates')) / pages,
      'most %': 100 * this.#twiceMax,
      early: of('early'),
      rivals: of('rivals'),
      forgotten: of('forgotten'),
      stuck: of('stuck'),
      crashes: of('crashes'),
      freezes: of('freezes'),
      owners: of('takeovers'),
      'by helpers': of('helped'),
      'messages/page': of('messages') / pages,
      'KB/page': of('bytes') / pages / 1_000,
      'accept ms': mean(this.#acceptMs),
      'p99 ms': quantile(this.#acceptMs, 0.99),
      minutes: of('now') / this.#crawls / 60_000,
    };
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
