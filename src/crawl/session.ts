/**
 * A crawl as its user sees it: the command line, the library and later the service all hold
 * one of these. `main.ts` makes it.
 */
import type { Settings } from '../config/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Totals } from '../ports/shard-store.ts';
import type { Answers } from './answers.ts';
import type { Checked } from './check-and-add.ts';
import type { VisitedPage } from './context.ts';
import type { Jobs } from './jobs.ts';
import type { Lending } from './lend.ts';
import type { CrawlNode } from './node.ts';
import type { Readings } from './readings.ts';
import type { Renderings } from './renderings.ts';
import type { RingAnswers } from './ring-survey.ts';
import type { Lookups } from './serve-lookups.ts';
import type { Surveys } from './serve-surveys.ts';
import { type Split, splitArc } from './split.ts';
import type { Tally } from './tally.ts';
import type { HookNews } from './webhooks.ts';
import type { RunEnd } from './worker.ts';

export interface CrawlRequest {
  readonly settings: Settings;
  /** Empty to go on with the seeds that the folder was made with. */
  readonly seeds: readonly string[];
  readonly dir: string;
  /** Go on with the folder's crawl whatever makes it another: those settings are its own. */
  readonly asMade?: boolean;
  /** Awaited for each page: a slow reader slows the crawl down (L5). */
  readonly onPage?: (page: VisitedPage) => Promise<void> | undefined;
  /** A webhook has to wait, or is gone for good. */
  readonly onHookNews?: (url: string, news: HookNews) => void;
  /** Told once, when a page needs a browser and there is none (J1). */
  readonly onNoBrowser?: (problem: string, fix: string) => void;
  /** What a node of a cluster has to say: an engine is away or back, its arcs are others. */
  readonly onNews?: (news: NodeNews) => void;
}

export interface NodeNews {
  readonly event: 'engine' | 'arcs' | 'joined' | 'parsers';
  readonly isBad: boolean;
  readonly text: string;
}

export interface CrawlSession {
  readonly dir: string;
  /** The folder held a crawl already, and this one goes on with it. */
  readonly isResumed: boolean;
  readonly seeds: readonly string[];
  readonly answers: Answers;
  readonly lookups: Lookups;
  readonly surveys: Surveys;
  /** Seeds while it runs, and an operator's word on them. */
  readonly jobs: Jobs;
  /** For fetchers elsewhere (A2). */
  readonly lending: Lending;
  /** For parsers elsewhere (K3); undefined where pages are read by this process itself. */
  readonly readings?: Readings | undefined;
  /** For browsers elsewhere (K3). */
  readonly renderings?: Renderings | undefined;
  /** Of a node of a ring (O2). */
  readonly ringAnswers?: RingAnswers;
  checkAndAdd(urls: readonly string[], job?: number): Promise<readonly Checked[]>;
  /** Splits a hot arc of a cluster in halves (F8). */
  splitShard(shard: number): Promise<Split>;
  /** Until nothing is left to do, a limit is reached, or it is told to stop. */
  run(): Promise<CrawlSummary>;
  /** Takes nothing more, finishes what is on its way. */
  drain(): void;
  /** Breaks off what is on its way, too; nothing is lost. */
  abort(): void;
  progress(): CrawlProgress;
  close(): Promise<void>;
}

export interface CrawlProgress {
  readonly startedAt: number;
  readonly now: number;
  readonly totals: Totals;
  /** Of this run alone. */
  readonly pages: number;
  readonly bytes: number;
  readonly openVisits: number;
  readonly hostsReady: number;
  readonly hostsWaiting: number;
  readonly hosts: number;
  readonly isDraining: boolean;
  /** When something may be asked again; undefined when nothing waits for time. */
  readonly nextAt?: number;
  readonly isOnRing?: boolean;
  /** Answers of this run by status class, and failures by reason. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly failures: Readonly<Record<string, number>>;
  readonly recent: readonly string[];
}

/** Makes a session of a node: `engines` are closed after it, whatever happens. */
export function sessionOf(parts: SessionParts): CrawlSession {
  const { node, clock, tally, dir, isResumed, seeds, answers, lookups, surveys, jobs } = parts;
  const { ringAnswers, readings, renderings } = parts;
  const startedAt = clock.now();
  const progress = (): CrawlProgress => {
    const { hosts, ready, sleeping } = node.frontier.stats();
    const nextAt = node.frontier.nextAt();
    return {
      ...{ startedAt, now: clock.now(), totals: node.settling.totals, hosts },
      ...{ hostsReady: ready, hostsWaiting: sleeping, openVisits: node.worker.openVisits },
      ...{ pages: tally.pages, bytes: tally.bytes, isDraining: node.worker.isDraining },
      ...{ statuses: tally.statuses, failures: tally.failures, recent: [...tally.recent] },
      ...(nextAt !== undefined && { nextAt }),
      ...(ringAnswers && { isOnRing: true }),
    };
  };
  return {
    ...{ dir, isResumed, seeds, answers, lookups, surveys, jobs, progress },
    lending: node.lending,
    ...{ readings, renderings },
    ...(ringAnswers && { ringAnswers }),
    checkAndAdd: (urls, job) => node.checkAndAdd(urls, job),
    splitShard: (shard) => splitArc(node.arcs?.tenures, shard),
    drain: () => {
      node.worker.drain();
      readings?.drain();
    },
    abort: () => {
      node.worker.abort();
      readings?.abort();
    },
    close: () => parts.close(),
    run: async () => {
      const end = await node.run();
      const firstReason = node.settling.totals.fetched === 0 ? await reasonOf(seeds, answers) : '';
      return {
        ...{ end, progress: progress() },
        ...(firstReason !== '' && { firstReason }),
      };
    },
  };
}

async function reasonOf(seeds: readonly string[], answers: Answers): Promise<string> {
  const [seed] = seeds;
  const record = seed === undefined ? undefined : (await answers.why(seed)).record;
  return record === undefined || record.reason === '' ? '' : `${record.url}: ${record.reason}`;
}

export interface SessionParts {
  readonly node: CrawlNode;
  readonly clock: Clock;
  readonly tally: Tally;
  readonly dir: string;
  readonly isResumed: boolean;
  readonly seeds: readonly string[];
  readonly answers: Answers;
  readonly lookups: Lookups;
  readonly surveys: Surveys;
  readonly jobs: CrawlSession['jobs'];
  readonly readings?: Readings | undefined;
  readonly renderings?: Renderings | undefined;
  readonly ringAnswers?: RingAnswers;
  readonly close: () => Promise<void>;
}

export interface CrawlSummary {
  readonly end: RunEnd;
  readonly progress: CrawlProgress;
  /** What the first seed came to, when nothing was fetched. */
  readonly firstReason?: string;
}
