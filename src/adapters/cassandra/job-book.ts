/**
 * Jobs of a crawl that several nodes share: any of them reads all, and a number is of whoever had
 * it first. Every write of a job is decided (Paxos), so that their order is the server's, not that
 * of the nodes' clocks; and says which call made it, so that one whose answer was lost is known.
 */
import { randomUUID } from 'node:crypto';
import type { JobBook, JobEntry } from '../../ports/job-book.ts';
import type { CassandraOptions, Link } from './link.ts';
import { openLink } from './open.ts';
import type { Whole } from './rows.ts';

const SEEDS_PER_ROW = 500;

const CQL = {
  all: 'SELECT entry FROM @job WHERE crawl = ?',
  open: 'INSERT INTO @job (crawl, id, entry, call) VALUES (?, ?, ?, ?) IF NOT EXISTS',
  call: 'SELECT call FROM @job WHERE crawl = ? AND id = ?',
  put: 'UPDATE @job SET entry = ? WHERE crawl = ? AND id = ? IF EXISTS',
  addSeeds: `INSERT INTO @job_seed (crawl, job, seq, call, urls) VALUES (?, ?, ?, ?, ?)
    IF NOT EXISTS`,
  seedCall: 'SELECT call FROM @job_seed WHERE crawl = ? AND job = ? AND seq = ?',
  lastSeeds: 'SELECT seq FROM @job_seed WHERE crawl = ? AND job = ? ORDER BY seq DESC LIMIT 1',
  seeds: 'SELECT urls FROM @job_seed WHERE crawl = ? AND job = ?',
} as const;

interface CallRow {
  readonly call: string;
}

export class CassandraJobBook implements JobBook {
  readonly #link: Link;
  readonly #crawl: string;

  constructor(link: Link, crawl: string) {
    this.#link = link;
    this.#crawl = crawl;
  }

  static async open(options: CassandraOptions): Promise<CassandraJobBook> {
    return new CassandraJobBook(await openLink(options), options.crawl);
  }

  async all(): Promise<readonly JobEntry[]> {
    const rows = await this.#link.serial<{ entry: string }>(CQL.all, [this.#crawl]);
    return rows.map(({ entry }) => JSON.parse(entry) as JobEntry);
  }

  async open(entry: JobEntry): Promise<boolean> {
    const [call, job] = [randomUUID(), [this.#crawl, entry.id]];
    const values = [...job, JSON.stringify(entry), call];
    if (await this.#link.decide([{ text: CQL.open, values }])) return true;
    return (await this.#link.serial<CallRow>(CQL.call, job))[0]?.call === call;
  }

  async put(entry: JobEntry): Promise<void> {
    const values = [JSON.stringify(entry), this.#crawl, entry.id];
    while (!(await this.#link.decide([{ text: CQL.put, values }]))) {
      if (await this.open(entry)) return;
    }
  }

  /** In rows that hold many, each under the next number of the job. */
  async addSeeds(job: number, seeds: readonly string[]): Promise<void> {
    const place = [this.#crawl, job];
    const [last] = await this.#link.serial<{ seq: Whole }>(CQL.lastSeeds, place);
    let seq = (last?.seq.toNumber() ?? -1) + 1;
    for (let at = 0; at < seeds.length; at += SEEDS_PER_ROW, seq++) {
      const [call, urls] = [randomUUID(), seeds.slice(at, at + SEEDS_PER_ROW).join('\n')];
      while (!(await this.#isAdded([...place, seq], call, urls))) seq++;
    }
  }

  async #isAdded(place: (string | number)[], call: string, urls: string): Promise<boolean> {
    const values = [...place, call, urls];
    if (await this.#link.decide([{ text: CQL.addSeeds, values }])) return true;
    return (await this.#link.serial<CallRow>(CQL.seedCall, place))[0]?.call === call;
  }

  async seeds(job: number): Promise<readonly string[]> {
    const rows = await this.#link.serial<{ urls: string }>(CQL.seeds, [this.#crawl, job]);
    return rows.flatMap(({ urls }) => urls.split('\n'));
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
