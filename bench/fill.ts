/**
 * Fills a store through the path that a crawl takes, in the batches that it makes: 64 endings
 * of visits share a commit (src/crawl/settle.ts), each with the new URLs that its page named.
 *
 *   plantHosts   the root of every host, its robots.txt          once, at the start
 *   admitNew     64 × 16 new URLs a commit, nothing else         check-and-add alone
 *   visitPages   64 visited pages a commit, with or without new URLs: records, host rows
 *
 * Two commits' worth are on their way at a time, as in a crawl whose visits go on meanwhile.
 */
import { waitingFrom } from '../src/crawl/admit.ts';
import type { Ending } from '../src/crawl/ending.ts';
import {
  blankHost,
  type HostRecord,
  hostKeyOf,
  queuedRecord,
  type UrlRecord,
  type Waiting,
} from '../src/record/index.ts';
import type { Arc } from './arc.ts';
import { admittedAt, mix, type Population } from './population.ts';

/** As in src/crawl/settle.ts. */
const ENDINGS_PER_COMMIT = 64;
/** New URLs that a page names. */
export const NEW_PER_PAGE = 16;
export const NEW_PER_COMMIT = ENDINGS_PER_COMMIT * NEW_PER_PAGE;

const YEAR_MS = 365 * 24 * 3_600_000;
const ROBOTS = Buffer.from('User-agent: *\nDisallow: /private/\nCrawl-delay: 1\n');

/** Keeps two commits' worth of endings on their way. */
export class Pipeline {
  readonly #arc: Arc;
  #open: Promise<void>[] = [];
  #before: Promise<unknown> = Promise.resolve();

  constructor(arc: Arc) {
    this.#arc = arc;
  }

  async add(ending: Ending): Promise<void> {
    this.#open.push(this.#arc.settling.add(ending));
    if (this.#open.length < ENDINGS_PER_COMMIT) return;
    const mine = Promise.all(this.#open);
    this.#open = [];
    await this.#before;
    this.#before = mine;
  }

  async end(): Promise<void> {
    await Promise.all([this.#before, ...this.#open]);
    this.#open = [];
  }
}

export async function plantHosts(arc: Arc, population: Population): Promise<void> {
  const pipeline = new Pipeline(arc);
  for (let host = 0; host < population.hosts; host++) {
    const name = population.nameOf(host);
    const origin = `https://${name}`;
    const fetchedAt = admittedAt(host);
    const read = { fetchedAt, expiresAt: fetchedAt + YEAR_MS, status: 200, tries: 0, problem: '' };
    await pipeline.add({
      ...arc.admit.mentions([population.mentionOf(host)], fetchedAt),
      robots: { host: hostKeyOf(name), records: [{ origin, ...read, body: ROBOTS }] },
      change: {},
    });
  }
  await pipeline.end();
}

/** Admits the URLs from one number to another; `onCommit` is told how far it is. */
export async function admitNew(
  arc: Arc,
  population: Population,
  from: number,
  to: number,
  onCommit: (done: number) => void,
): Promise<void> {
  const pipeline = new Pipeline(arc);
  for (let i = from; i < to; ) {
    const end = Math.min(to, i + NEW_PER_PAGE);
    await pipeline.add({ candidates: candidates(arc, population, i, end), change: {} });
    i = end;
    if ((i - from) % NEW_PER_COMMIT === 0) onCommit(i);
  }
  await pipeline.end();
}

/**
 * Visits the URLs of the visited half among [from, to). Each page names 16 new URLs beginning
 * with `newFrom`, until `newTo`. Answers how many pages it visited.
 */
export async function visitPages(
  arc: Arc,
  population: Population,
  [from, to]: readonly [number, number],
  [newFrom, newTo]: readonly [number, number] = [0, 0],
): Promise<{ visited: number; next: number }> {
  const pipeline = new Pipeline(arc);
  let visited = 0;
  let next = newFrom;
  let i = from;
  for (; i < to && (newFrom === newTo || next < newTo); i++) {
    if (!population.isVisited(i)) continue;
    const end = Math.min(newTo, next + NEW_PER_PAGE);
    await pipeline.add(pageEnding(population, i, candidates(arc, population, next, end)));
    next = end;
    visited++;
  }
  await pipeline.end();
  return { visited, next: i };
}

function candidates(arc: Arc, population: Population, from: number, to: number): Waiting[] {
  if (from >= to) return [];
  const mentions = Array.from({ length: to - from }, (_, k) => population.mentionOf(from + k));
  return mentions.flatMap((mention, k) => {
    return arc.admit.mentions([mention], admittedAt(from + k)).candidates;
  });
}

function pageEnding(population: Population, i: number, named: readonly Waiting[]): Ending {
  const waiting = waitingFrom(population.mentionOf(i), 0, admittedAt(i));
  const record = visitedRecord(waiting, i);
  return {
    settled: { waiting, record },
    host: visitedHost(population, population.hostOf(i), i),
    candidates: named,
    change: { waiting: -1, fetched: 1, asked: 1, bytes: record.bodyBytes },
  };
}

/** Bodies that no page shares with its neighbours; made once, for a page has its hash already. */
const HASHES = Buffer.alloc(1 << 20);
for (let i = 0; i < HASHES.length; i += 4) HASHES.writeUInt32LE(mix(i, 100), i);

/** As a page of a usual web server leaves it behind. */
export function visitedRecord(waiting: Waiting, i: number): UrlRecord {
  const hashAt = mix(i, 100) % (HASHES.length - 32);
  const at = admittedAt(i) + 60_000;
  return {
    ...queuedRecord(waiting),
    ...{ state: 'indexed', httpStatus: 200, lastFetchedAt: at, lastChangedAt: at },
    contentHash: HASHES.subarray(hashAt, hashAt + 32),
    ...{ contentType: 'text/html', bodyBytes: 10_000 + (mix(i, 9) % 40_000) },
    ...{ etag: `"${mix(i, 11).toString(16)}-5e2a"`, title: `Page ${i} of a site about things` },
    ...{ remoteAddress: addressOf(i), firstByteMs: 40, wholeMs: 90 },
  };
}

function visitedHost(population: Population, host: number, i: number): HostRecord {
  const at = admittedAt(i) + 60_000;
  return {
    ...blankHost(population.nameOf(host)),
    ...{ lastFetchAt: at, turnAt: at + 1_000, crawlDelayMs: 1_000, latencyMs: 40 },
    ...{ address: addressOf(host), quotaDay: Math.floor(at / 86_400_000), fetched: 1 },
  };
}

function addressOf(host: number): string {
  return `10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
}
