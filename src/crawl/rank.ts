/**
 * Rating hosts (Q2): a batch job over the stored link graph, daily and on command (`orb rank`).
 *
 *   store ── rank-graph ──→ graph ──┬── rank-flow ────→ PageRank ──┐
 *   (only hosts visited since)      └── rank-domains ─→ diversity ─┴── rank-apply ──→ host records,
 *                                                                      (rank-desk)    waiting URLs
 *
 * Everything between the steps is a file in the folder's `rank/`, so memory does not grow with
 * the crawl: about 90 MB for any size (docs/priority.md). Only `graph` is used the next time; it
 * and all others can be lost or damaged at any time, and are made again.
 */
import { CrawlError } from '../base/errors.ts';
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import type { RunFiles } from '../ports/run-files.ts';
import type { RatingRules } from '../quality/index.ts';
import { type Applied, applyRatings, type TopHost } from './rank-apply.ts';
import type { RankDesk } from './rank-desk.ts';
import { countDomains, IN_DOMAINS, RUN_PAIRS } from './rank-domains.ts';
import { BLOCK_HOSTS, FLOW, flowRank } from './rank-flow.ts';
import { GRAPH, type RankPorts, type Renewed, renewGraph, type Share } from './rank-graph.ts';

export type { TopHost };

export interface RankOptions {
  readonly rules: RatingRules;
  /** Hosts to name in the report. */
  readonly top?: number;
  readonly share?: Share;
  /** Aborted, the job ends at the next host. */
  readonly signal?: AbortSignal;
  /** Smaller ones only in tests. */
  readonly blockHosts?: number;
  readonly runPairs?: number;
}

export interface RankReport extends Renewed, Applied {
  readonly at: Instant;
  readonly tookMs: number;
  readonly edges: number;
  readonly rounds: number;
}

const LAST = 'last';
const TOP = 20;

export async function runRank(
  ports: RankPorts,
  desk: RankDesk,
  options: RankOptions,
): Promise<RankReport> {
  try {
    return await rank(ports, desk, options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    await ports.files.drop(GRAPH);
    return rank(ports, desk, options);
  }
}

/** Files of another version or with bytes changed; what is damaged in the store fails again. */
function isDamage(error: unknown): boolean {
  if (error instanceof CrawlError) return error.code === 'E_STORE_DAMAGED';
  return error instanceof RangeError;
}

async function rank(ports: RankPorts, desk: RankDesk, options: RankOptions): Promise<RankReport> {
  const { files, clock } = ports;
  const { rules, top = TOP, blockHosts = BLOCK_HOSTS, runPairs = RUN_PAIRS } = options;
  const pace = { share: options.share ?? 1, signal: options.signal };
  const at = clock.now();
  const renewed = await renewGraph(ports, pace);
  const { hosts } = renewed;
  const { floor, edges, rounds } = await flowRank(files, hosts, blockHosts);
  await countDomains(files, runPairs);
  const applied = await applyRatings(ports, desk, { rules, hosts, floor, top, pace });
  for (const name of [FLOW, IN_DOMAINS]) await files.drop(name);
  const report = { at, tookMs: clock.now() - at, ...renewed, edges, rounds, ...applied };
  await keepReport(files, report);
  return report;
}

async function keepReport(files: RunFiles, report: RankReport): Promise<void> {
  const writer = await files.write(LAST);
  await writer.add(Buffer.from(JSON.stringify(report)));
  await writer.done();
}

/** What the last job came to; undefined when there was none, or its report cannot be read. */
export async function lastRank(files: RunFiles): Promise<RankReport | undefined> {
  try {
    for await (const chunk of (await files.read(LAST)) ?? []) {
      return JSON.parse(chunk.toString()) as RankReport;
    }
  } catch {
    // As good as none: the next job writes it anew.
  }
  return undefined;
}

/** What `orb rank` may say besides the folder's own settings. */
export interface RankQuery {
  readonly top?: number;
  readonly denies?: boolean;
  readonly trusted?: readonly string[];
}

export interface RankingOptions {
  readonly rules: (query: RankQuery) => RatingRules;
  /** 0 is never by itself. */
  readonly everyMs: number;
  readonly share: Share;
}

/** A crawl that has doubled since the last job is rated sooner, but not at once. */
const SOONEST_MS = 10 * MINUTE_MS;
const GROWN_PAGES_MIN = 1_000;

function brokenOff(cause: unknown): CrawlError {
  const hint = 'run `orb rank` again: what was done holds, and it goes on from there';
  return new CrawlError('E_STORE_DOWN', 'the crawl ended while its hosts were rated', hint, cause);
}

/** The job of one folder: one at a time, and when it is time for the next. */
export class Ranking {
  readonly #ports: RankPorts;
  readonly #desk: RankDesk;
  readonly #options: RankingOptions;
  readonly #abort = new AbortController();
  #running: Promise<RankReport> | undefined;
  #last: { readonly at: Instant; readonly pages: number } | undefined;

  constructor(ports: RankPorts, desk: RankDesk, options: RankingOptions) {
    this.#ports = ports;
    this.#desk = desk;
    this.#options = options;
  }

  /** Whoever asks while the job runs gets what it comes to. `pages` is how many there are now. */
  run(query: RankQuery, pages: number): Promise<RankReport> {
    const { share, rules } = this.#options;
    const { signal } = this.#abort;
    const { top = TOP } = query;
    const options = { rules: rules(query), top, share, signal };
    this.#running ??= runRank(this.#ports, this.#desk, options)
      .catch((error: unknown) => {
        throw signal.aborted ? brokenOff(error) : error;
      })
      .finally(() => {
        this.#last = { at: this.#ports.clock.now(), pages };
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Also by a clock that was set back: it does not put the job off for long. */
  async isDue(pages: number): Promise<boolean> {
    const { everyMs } = this.#options;
    if (everyMs === 0 || this.#running !== undefined) return false;
    const now = this.#ports.clock.now();
    this.#last ??= await this.#lastOrNow(now, pages);
    const since = Math.abs(now - this.#last.at);
    const hasGrown = pages >= Math.max(GROWN_PAGES_MIN, 2 * this.#last.pages);
    return since >= everyMs || (hasGrown && since >= SOONEST_MS);
  }

  /** Ends a job that runs; what it has written so far holds, the next goes on from there. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running?.catch(() => undefined);
  }

  /** A crawl that was never rated counts from its start. */
  async #lastOrNow(now: Instant, pages: number) {
    const report = await lastRank(this.#ports.files);
    if (report === undefined) return { at: now, pages: Math.floor(pages / 2) };
    return { at: report.at, pages };
  }
}
