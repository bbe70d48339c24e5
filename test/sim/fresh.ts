/**
 * How fresh a budget keeps a web whose pages change at known rates: the real code of
 * src/recrawl/ in virtual time, against the best that anybody could do who knew the rates.
 *
 *   npm run sim -- fresh [--visits N] [--pages N] [--seed N] [--json]
 *
 * Pages change at random, at rates by a power law that pages of one host share in part; their
 * importance follows a power law of its own. Freshness is Σ w·(time as we have it) / Σ w·time,
 * over the second half of the visits, as expected for the visits that were made: whether a page
 * happens to change within an hour is chance, that it is fresh for so long on average is not.
 */
import { Heap, type HeapItem } from '../../src/base/heap.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/instant.ts';
import { type SeededRandom, seededRandom } from '../../src/base/random.ts';
import {
  freshnessOf,
  type KnownPage,
  optimalFrequencies,
  type PolicyName,
  Recrawl,
  type SeenHost,
  TOP_IMPORTANCE,
} from '../../src/recrawl/index.ts';

export interface FreshSize {
  readonly pages: number;
  readonly hosts: number;
  readonly visits: number;
  readonly budgetPerDay: number;
  readonly seed: number;
}

export const FULL_SIZE: FreshSize = {
  ...{ pages: 5_000, hosts: 100, visits: 1_000_000, budgetPerDay: 1_000, seed: 1 },
};

export interface FreshRow {
  readonly policy: string;
  readonly freshness: number;
  readonly visits: number;
  readonly days: number;
  readonly visitsPerDay: number;
  /** Of the pauses between two visits of a top page, in hours. */
  readonly topPauseP99: number;
  readonly topPauseMax: number;
  /** The longest that any page waited, in days. */
  readonly longestPauseDays: number;
}

interface Page extends HeapItem, KnownPage {
  heapAt: number;
  readonly host: SeenHost;
  readonly changesPerMs: number;
  readonly priority: number;
  lastFetchedAt: number;
  intervalMs: number;
  rateShape: number;
  rateMs: number;
  dueAt: number;
  visits: number;
}

/** Time between changes: from an hour to a year, by a power law, shared by a host in part. */
const CHANGE_MS = { min: HOUR_MS, max: 365 * DAY_MS } as const;
const START = Date.UTC(2030, 0, 1);

export function makeWeb(size: FreshSize): Page[] {
  const random = seededRandom(`fresh ${size.seed}`);
  const hosts = Array.from({ length: size.hosts }, (_, n) => makeHost(`h${n}.example`));
  const medians = hosts.map(
    () => CHANGE_MS.min * (CHANGE_MS.max / CHANGE_MS.min) ** (random.next() ** 0.5),
  );
  return Array.from({ length: size.pages }, (_, n) => {
    const changeMs = (medians[n % size.hosts] as number) * Math.exp(1.2 * normal(random));
    const bounded = Math.min(CHANGE_MS.max, Math.max(CHANGE_MS.min, changeMs));
    const priority = Math.min(1, 0.05 / (1e-9 + random.next()) ** 0.6);
    return makePage(hosts[n % size.hosts] as SeenHost, 1 / bounded, priority);
  });
}

function makeHost(host: string): SeenHost {
  return { host, quality: 0.5, hostClass: 'unknown', changeMs: 0, watchedMs: 0, flags: 0 };
}

function makePage(host: SeenHost, changesPerMs: number, priority: number): Page {
  const unknown = { lastFetchedAt: 0, intervalMs: 0, rateShape: 0, rateMs: 0 };
  return { heapAt: -1, host, changesPerMs, priority, ...unknown, dueAt: START, visits: 0 };
}

function normal(random: SeededRandom): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** A run of one policy: the budget as a stream of visits, the most urgent due page first. */
export function runPolicy(name: PolicyName, size: FreshSize): FreshRow {
  const pages = makeWeb(size);
  const random = seededRandom(`changes ${size.seed}`);
  const classes = new Map();
  const recrawl = new Recrawl({ name, budget: { perDay: size.budgetPerDay }, classes });
  const queue = new Queue(pages);
  const slotMs = DAY_MS / size.budgetPerDay;
  const meter = new Meter(size.visits / 2);
  let now = START;
  for (let visit = 0; visit < size.visits; visit++) {
    now = Math.max(now + slotMs, queue.firstDueAt);
    const page = queue.take(now, recrawl);
    const changed =
      page.visits > 0
        ? random.next() < -Math.expm1(-page.changesPerMs * (now - page.lastFetchedAt))
        : undefined;
    meter.visit(visit, page, now);
    const { host, priority, visits } = page;
    const next = recrawl.next({
      now,
      host,
      priority,
      before: visits > 0 ? page : undefined,
      changed,
    });
    Object.assign(page, {
      ...next,
      dueAt: next.nextCrawlAt,
      lastFetchedAt: now,
      visits: visits + 1,
    });
    queue.add(page);
  }
  return meter.row(name, pages, now);
}

/** What is due, the urgent first and then by time; and what is not yet. */
class Queue {
  readonly #later = new Heap<Page>();
  readonly #ready = new Heap<Page>();

  constructor(pages: readonly Page[]) {
    for (const page of pages) this.add(page);
  }

  get firstDueAt(): number {
    return this.#ready.size > 0 ? 0 : (this.#later.firstKey ?? 0);
  }

  add(page: Page): void {
    this.#later.push(page, page.dueAt);
  }

  take(now: number, recrawl: Recrawl): Page {
    while ((this.#later.firstKey ?? Number.POSITIVE_INFINITY) <= now) {
      const page = this.#later.pop() as Page;
      const urgency = page.visits > 0 ? recrawl.urgencyOf(page, page.host) : 0;
      this.#ready.push(page, urgency * 1e15 + page.dueAt);
    }
    return this.#ready.pop() as Page;
  }
}

/** Counts from the half of the visits on. */
class Meter {
  readonly #from: number;
  #fromAt = 0;
  #fresh = 0;
  readonly #topPauses: number[] = [];
  #longestMs = 0;
  #visits = 0;

  constructor(from: number) {
    this.#from = from;
  }

  visit(nth: number, page: Page, now: number): void {
    if (nth < this.#from) return;
    if (this.#fromAt === 0) this.#fromAt = now;
    this.#visits++;
    this.#addFresh(page, now);
    const pauseMs = now - page.lastFetchedAt;
    this.#longestMs = Math.max(this.#longestMs, pauseMs);
    if (page.priority >= TOP_IMPORTANCE) this.#topPauses.push(pauseMs);
  }

  row(policy: string, pages: readonly Page[], now: number): FreshRow {
    for (const page of pages) this.#addFresh(page, now);
    const weights = pages.reduce((sum, page) => sum + page.priority, 0);
    const pauses = this.#topPauses.sort((a, b) => a - b);
    const unvisited = Math.max(...pages.map((page) => now - page.lastFetchedAt));
    const days = (now - this.#fromAt) / DAY_MS;
    return {
      policy,
      freshness: this.#fresh / (weights * (now - this.#fromAt)),
      visits: this.#visits,
      days,
      visitsPerDay: this.#visits / days,
      topPauseP99: (pauses[Math.floor(pauses.length * 0.99)] ?? 0) / HOUR_MS,
      topPauseMax: (pauses.at(-1) ?? 0) / HOUR_MS,
      longestPauseDays: Math.max(this.#longestMs, unvisited) / DAY_MS,
    };
  }

  /** ∫ e^(−λt) since the last visit, as far as it lies in what is counted. */
  #addFresh({ changesPerMs: rate, lastFetchedAt, priority }: Page, until: number): void {
    const from = Math.max(0, this.#fromAt - lastFetchedAt);
    const gone = until - lastFetchedAt;
    this.#fresh += (priority * (Math.exp(-rate * from) - Math.exp(-rate * gone))) / rate;
  }
}

/** The best that the budget can buy, by somebody who knows every rate. */
export function numericalOptimum(size: FreshSize, promised: boolean): FreshRow {
  const pages = makeWeb(size).map(({ changesPerMs, priority: weight }) => {
    const floor = promised && weight >= TOP_IMPORTANCE ? 1 / DAY_MS : 0;
    return { count: 1, changesPerMs, weight, floor };
  });
  const floor = promised ? 1 / (30 * DAY_MS) : 0;
  const budget = size.budgetPerDay / DAY_MS;
  const visits = optimalFrequencies(pages, { budget, floor, top: 6 / HOUR_MS });
  let [fresh, weights] = [0, 0];
  pages.forEach(({ changesPerMs, weight }, i) => {
    fresh += weight * freshnessOf(changesPerMs, visits[i] as number);
    weights += weight;
  });
  const policy = promised ? 'optimum with the promises' : 'numerical optimum';
  const none = { visits: 0, days: 0, topPauseP99: 0, topPauseMax: 0, longestPauseDays: 0 };
  return { policy, freshness: fresh / weights, visitsPerDay: size.budgetPerDay, ...none };
}

/** The table of docs/freshness.md. */
export function* run(args: readonly string[]): Iterable<Record<string, string | number>> {
  const size = sizeFrom(args);
  const best = numericalOptimum(size, false);
  for (const name of ['uniform', 'halving', 'optimal'] as const) {
    const startedAt = performance.now();
    const row = runPolicy(name, size);
    yield { ...shown(row, best), seconds: (performance.now() - startedAt) / 1_000 };
  }
  yield { ...shown(numericalOptimum(size, true), best), seconds: 0 };
  yield { ...shown(best, best), seconds: 0 };
}

function shown(row: FreshRow, best: FreshRow): Record<string, string | number> {
  return {
    policy: row.policy,
    freshness: row.freshness,
    'of optimum': `${((100 * row.freshness) / best.freshness).toFixed(2)}%`,
    'visits/day': Math.round(row.visitsPerDay),
    'top p99 h': row.topPauseP99,
    'top max h': row.topPauseMax,
    'longest d': row.longestPauseDays,
  };
}

function sizeFrom(args: readonly string[]): FreshSize {
  const given = (flag: string, otherwise: number) => {
    const at = args.indexOf(flag);
    return at < 0 ? otherwise : Number(args[at + 1]);
  };
  const pages = given('--pages', FULL_SIZE.pages);
  const visits = given('--visits', FULL_SIZE.visits);
  const budgetPerDay = given('--budget', pages / 5);
  return { pages, visits, budgetPerDay, hosts: Math.ceil(pages / 50), seed: given('--seed', 1) };
}
