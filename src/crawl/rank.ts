/**
 * Rating hosts (Q2): a batch job over the stored link graph, daily and on command (`orb rank`).
 *
 *   store ── rank-graph ──→ graph ──┬── rank-flow ────→ PageRank ──┐
 *   (only hosts visited since)      └── rank-domains ─→ diversity ─┴── rank-apply ──→ host records,
 *                                                                      (rank-desk)    waiting URLs
 *
 * Everything between the steps is a file in the folder's `rank/`, so memory does not grow with
 * the crawl: about 60 MB for any size (docs/priority.md). Only `graph` is used the next time; it
 * and all others can be lost or damaged at any time, and are made again.
 */
import { CrawlError } from '../base/errors.ts';
import type { Instant } from '../base/instant.ts';
import type { RunFiles } from '../ports/run-files.ts';
import type { RatingRules } from '../quality/index.ts';
import { type Applied, applyRatings } from './rank-apply.ts';
import type { RankDesk } from './rank-desk.ts';
import { countDomains, IN_DOMAINS, RUN_PAIRS } from './rank-domains.ts';
import { BLOCK_HOSTS, FLOW, flowRank } from './rank-flow.ts';
import { GRAPH, type RankPorts, type Renewed, renewGraph, type Share } from './rank-graph.ts';

export interface RankOptions {
  readonly rules: RatingRules;
  /** Hosts to name in the report. */
  readonly top?: number;
  readonly share?: Share;
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
  const { rules, top = TOP, share = 1, blockHosts = BLOCK_HOSTS, runPairs = RUN_PAIRS } = options;
  const at = clock.now();
  const renewed = await renewGraph(ports, share);
  const { hosts } = renewed;
  const { floor, edges, rounds } = await flowRank(files, hosts, blockHosts);
  await countDomains(files, runPairs);
  const applied = await applyRatings(ports, desk, { rules, hosts, floor, top, share });
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

/** The job of one folder: one at a time, and when it is time for the next. */
export class Ranking {
  readonly #ports: RankPorts;
  readonly #desk: RankDesk;
  readonly #options: RankOptions & { readonly everyMs: number };
  #running: Promise<RankReport> | undefined;
  #lastAt: Instant | undefined;

  constructor(
    ports: RankPorts,
    desk: RankDesk,
    options: RankOptions & { readonly everyMs: number },
  ) {
    this.#ports = ports;
    this.#desk = desk;
    this.#options = options;
  }

  /** Whoever asks while the job runs gets what it comes to. */
  run(top?: number): Promise<RankReport> {
    const options = top === undefined ? this.#options : { ...this.#options, top };
    this.#running ??= runRank(this.#ports, this.#desk, options).finally(() => {
      this.#lastAt = this.#ports.clock.now();
      this.#running = undefined;
    });
    return this.#running;
  }

  /** A clock that was set back does not put the job off for longer than its interval. */
  async isDue(now: Instant): Promise<boolean> {
    if (this.#running !== undefined) return false;
    this.#lastAt ??= (await lastRank(this.#ports.files))?.at ?? 0;
    return Math.abs(now - this.#lastAt) >= this.#options.everyMs;
  }
}
