/** A world for tests: everything the commands touch, in memory, under the test's own clock. */
import { MemoryNewFiles } from '../../adapters/memory/new-files.ts';
import { diskKeyFiles } from '../../adapters/node/key-files.ts';
import { defaultSettings } from '../../config/index.ts';
import { digest } from '../../content/index.ts';
import type { Answers, StatusAnswer } from '../../crawl/answers.ts';
import type { ComplyAnswers } from '../../crawl/comply-answers.ts';
import type { Jobs } from '../../crawl/jobs.ts';
import type { RankReport } from '../../crawl/rank.ts';
import type { Lookups } from '../../crawl/serve-lookups.ts';
import type { Surveys } from '../../crawl/serve-surveys.ts';
import type {
  CrawlProgress,
  CrawlRequest,
  CrawlSession,
  CrawlSummary,
} from '../../crawl/session.ts';
import type { RunEnd } from '../../crawl/worker.ts';
import type { ArchiveFiles } from '../../ports/archive.ts';
import type { MachineFacts } from '../../ports/machine.ts';
import type { NewFiles } from '../../ports/new-files.ts';
import type { FoundBrowser } from '../../ports/renderer.ts';
import { NO_TOTALS, type Totals } from '../../ports/shard-store.ts';
import { blankRecord, type UrlRecord } from '../../record/index.ts';
import type { DemoWeb, StopSignal, World } from './world.ts';

export const START = Date.UTC(2026, 0, 31, 12);

/** Time that passes only when told to. */
export class FakeClock {
  #now = START;
  #sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  sleepUntil(at: number, signal?: AbortSignal): Promise<void> {
    if (at <= this.#now || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#sleepers.push({ at, wake: resolve });
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#sleepers.filter((one) => one.at <= this.#now);
    this.#sleepers = this.#sleepers.filter((one) => one.at > this.#now);
    for (const one of due) one.wake();
    await turns();
  }
}

/** Lets everything that can go on go on. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}

export interface FakeWorld extends World {
  readonly clock: FakeClock;
  readonly out: () => string;
  readonly err: () => string;
  readonly files: Map<string, string>;
  readonly requests: CrawlRequest[];
  signal(name: StopSignal): void;
}

export interface FakeParts {
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly stdin?: readonly string[];
  readonly session?: FakeSession;
  readonly openError?: unknown;
  readonly answers?: Partial<Answers>;
  readonly crawls?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly machine?: Partial<MachineFacts>;
  readonly browser?: FoundBrowser;
  readonly demo?: DemoWeb;
  readonly newFiles?: NewFiles;
  readonly archive?: ArchiveFiles;
  /** What stdout does with a write; rejecting stands for a reader that has gone. */
  readonly write?: (text: string) => Promise<void>;
}

export function fakeWorld(parts: FakeParts): FakeWorld {
  const clock = new FakeClock();
  const out: string[] = [];
  const err: string[] = [];
  const files = new Map(Object.entries(parts.files ?? {}));
  const handlers = new Set<(signal: StopSignal) => void>();
  const requests: CrawlRequest[] = [];
  const isTTY = parts.isTerminal ?? false;
  return {
    argv: parts.argv,
    env: parts.env ?? {},
    cwd: '/here',
    version: '9.9.9',
    hostname: 'here.test',
    newFiles: parts.newFiles ?? new MemoryNewFiles(),
    archiveOf: () => parts.archive ?? { list: async () => [], read: () => each([]) },
    keyFiles: diskKeyFiles('/'),
    secretFiles: {
      read: async (path) => files.get(path),
      write: async (path, text) => void files.set(path, text),
    },
    ask: () => Promise.reject(new Error('no network')),
    clock,
    files,
    requests,
    out: () => out.join(''),
    err: () => err.join(''),
    signal: (name) => {
      for (const handler of handlers) handler(name);
    },
    stdin: { isTTY: parts.stdin === undefined, lines: () => each(parts.stdin ?? []) },
    stdout: {
      isTTY,
      write: async (text) => {
        await parts.write?.(text);
        out.push(text);
      },
    },
    stderr: { isTTY, columns: 100, rows: 30, write: (text) => err.push(text) },
    onSignal(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async openCrawl(request) {
      requests.push(request);
      if (parts.openError !== undefined) throw parts.openError;
      const session = parts.session ?? new FakeSession({ end: 'done' });
      const metrics = { contentType: 'text/plain', text: () => '' };
      return { ...session.opened(request, clock), metrics };
    },
    async readFolder() {
      return { answers: answersOf(parts.answers ?? {}), close: async () => undefined };
    },
    isCrawl: async (dir) => (parts.crawls ?? []).includes(dir),
    findCrawls: async () => parts.crawls ?? [],
    readText: async (path) => files.get(path),
    readLines: (path) => each((files.get(path) ?? '').split('\n')),
    async openFile(path) {
      files.set(path, '');
      return {
        isTTY: false,
        write: async (text) => void files.set(path, (files.get(path) ?? '') + text),
        close: async () => undefined,
      };
    },
    machine: async () => ({ ...HEALTHY, ...parts.machine }),
    openFetcher: () => Promise.reject(new Error('no fetcher here')),
    openHand: () => Promise.reject(new Error('no hand here')),
    joinCluster: () => Promise.reject(new Error('no cluster here')),
    readCluster: () => Promise.reject(new Error('no cluster here')),
    openRing: () => Promise.reject(new Error('no ring here')),
    askRing: async () => undefined,
    ringKeyOf: () => Promise.reject(new Error('no ring here')),
    openRemoteCrawl: () => {
      throw new Error('no ring here');
    },
    checkRing: async () => [],
    checkEngines: async () => [{ name: 'kafka', state: 'ok', what: '3 broker(s) answer' }],
    checkPlugins: async () => undefined,
    openReader: () => ({ digest: async (page) => digest(page) }),
    findBrowser: async () => parts.browser ?? { kind: 'found', what: '/usr/bin/chromium' },
    listen: async () => {
      throw new Error('nobody listens');
    },
    newSecret: () => 'a secret',
    async openDemoWeb() {
      if (parts.demo === undefined) throw new Error('no demo web');
      return parts.demo;
    },
  };
}

export const HEALTHY: MachineFacts = {
  node: '24.1.0',
  hasZstd: true,
  cores: 2,
  memoryBytes: 8 * 1024 ** 3,
  freeBytes: 100 * 1024 ** 3,
  writeProblem: '',
  now: START,
  newestFileAt: undefined,
  openFilesMax: 65_536,
};

export interface SessionScript {
  /** How it ends by itself; undefined: it runs until it is told to stop. */
  readonly end?: RunEnd;
  readonly totals?: Partial<Totals>;
  readonly progress?: Partial<CrawlProgress>;
  readonly pages?: readonly UrlRecord[];
  readonly nextAt?: number;
  readonly error?: unknown;
  /** Does not even end when it is told to. */
  readonly isStuck?: boolean;
}

/** A crawl that does what its script says, and writes down what it was told. */
export class FakeSession {
  readonly told: string[] = [];
  readonly #script: SessionScript;
  #end: (end: RunEnd) => void = () => undefined;

  constructor(script: SessionScript) {
    this.#script = script;
  }

  opened(request: CrawlRequest, clock: FakeClock): CrawlSession {
    const { told } = this;
    const script = this.#script;
    const ended = new Promise<RunEnd>((resolve) => {
      this.#end = resolve;
    });
    const stop = (what: string) => {
      told.push(what);
      if (script.isStuck !== true) this.#end('stopped');
    };
    let isDraining = false;
    const progress = (): CrawlProgress => ({
      ...progressOf(script, clock.now()),
      isDraining,
      ...script.progress,
    });
    return {
      dir: request.dir,
      isResumed: false,
      seeds: request.seeds,
      answers: answersOf({}),
      lookups: NO_LOOKUPS,
      surveys: NO_SURVEYS,
      jobs: NO_JOBS,
      lending: { bodyBytesMax: 1_000_000 } as never,
      checkAndAdd: async () => [],
      splitShard: async () => ({ refused: 'no cluster' }),
      async run(): Promise<CrawlSummary> {
        if (script.error !== undefined) throw script.error;
        for (const record of script.pages ?? []) {
          await request.onPage?.({ record, event: undefined as never, digest: undefined });
        }
        const end = script.end !== undefined && !isDraining ? script.end : await ended;
        return { end, progress: progress() };
      },
      drain: () => {
        isDraining = true;
        stop('drain');
      },
      abort: () => stop('abort'),
      progress,
      close: async () => void told.push('close'),
    };
  }

  /** What is under way has come to its end. */
  finish(end: RunEnd): void {
    this.#end(end);
  }
}

function progressOf(script: SessionScript, now: number): CrawlProgress {
  const totals = { ...NO_TOTALS, fetched: 10, asked: 12, hosts: 2, ...script.totals };
  return {
    startedAt: START,
    now: Math.max(now, START + 2_000),
    totals,
    pages: 10,
    bytes: 20_480,
    openVisits: 3,
    hostsReady: 1,
    hostsWaiting: 1,
    hosts: 2,
    isDraining: false,
    statuses: { '200': 9, '404': 1 },
    failures: { dns: 1 },
    recent: [],
    ...(script.nextAt !== undefined && { nextAt: script.nextAt }),
  };
}

export function answersOf(parts: Partial<Answers>): Answers {
  const none = () => each([]);
  return {
    status: async () => STATUS,
    pages: none,
    links: none,
    why: async (url) => ({ url, verdict: 'never heard of', story: ['Nobody named it.'] }),
    audit: async () => ({ requests: 0, hostCount: 0, violations: 0, hosts: [] }),
    rank: async () => NO_RANK,
    recrawl: async () => ({ asked: 0, waiting: 0, unknown: [], isRunning: false }),
    changes: none,
    body: async () => undefined,
    captures: none,
    hosts: none,
    jobs: async () => [],
    steerJob: async () => ({ refused: 'unknown', reason: 'There is no job.' }),
    ...NO_COMPLIANCE,
    ...parts,
  };
}

const NO_REPORT = { subject: { kind: 'host', value: 'a.example' }, seq: 1 } as const;

/** A folder about which nothing was decided. */
const NO_COMPLIANCE: ComplyAnswers = {
  takeDown: async () => ({
    ...{ ...NO_REPORT, removed: { records: 0, bodies: 0, events: 0 }, kept: [] },
  }),
  lift: async () => NO_REPORT,
  hold: async () => NO_REPORT,
  complain: async () => ({ host: 'a.example', total: 1, seq: 1, optedOut: false }),
  compliance: async () => ({ denials: [], holds: [], complaints: 0, takedowns: 0 }),
  trail: () => each([]),
  verifyTrail: async () => ({ lines: 0, pending: 0 }),
};

/** Nothing here asks for them. */
const NO_SURVEYS = {} as Surveys;

const NO_JOBS = {} as Jobs;

/** A crawl that knows nothing. */
const NO_LOOKUPS: Lookups = {
  canonical: (url) => url,
  page: async () => undefined,
  pages: async () => ({ rows: [], next: undefined }),
  links: async () => [],
  headers: async () => ({}),
  body: async () => undefined,
  markdown: async () => undefined,
  host: async () => undefined,
  hosts: async () => ({ rows: [], next: undefined }),
};

export const NO_RANK: RankReport = {
  ...{ at: START, tookMs: 0, hosts: 0, renewed: 0, pages: 0, edges: 0, rounds: 0 },
  ...{ rated: 0, moved: 0, movedHosts: 0, starved: 0, denied: 0, top: [] },
};

export const STATUS: StatusAnswer = {
  dir: '.orb/example.com',
  seeds: ['https://example.com/'],
  isRunning: false,
  now: START,
  totals: { ...NO_TOTALS, known: 20, fetched: 10, waiting: 8, failed: 2, hosts: 1 },
  byState: { queued: 8, indexed: 10, failed: 2 },
  judged: {
    ...{ copies: 0, nearDuplicates: 0, soft404s: 0, soft404Hosts: 0, trapHosts: 0, trapShapes: 0 },
    ...{ farmHosts: 0, deniedHosts: 0, parked: 0, due: 0, lagMs: 0 },
  },
  hosts: [],
};

export function page(url: string, more: Partial<UrlRecord> = {}): UrlRecord {
  const facts = { state: 'indexed', httpStatus: 200, lastFetchedAt: START } as const;
  return { ...blankRecord(url, START), ...facts, ...more };
}

export async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

export const SETTINGS = defaultSettings();
