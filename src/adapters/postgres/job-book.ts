/**
 * Jobs of a crawl that several nodes share: any of them reads all, and a number is of whoever
 * had it first.
 *
 * A connection can be lost before its answer, and then a statement is sent again: so a row has
 * the id of the call that made it, and is there once.
 */
import { randomUUID } from 'node:crypto';
import type { JobBook, JobEntry } from '../../ports/job-book.ts';
import { textArray } from './arrays.ts';
import type { Link, PostgresOptions, Statement } from './link.ts';
import { openLink } from './schema.ts';

const SQL = {
  all: { name: 'jobs', text: 'SELECT entry FROM job ORDER BY id' },
  /** Whoever has the row, opened it: also when the answer was lost and it is asked again. */
  open: {
    name: 'open-job',
    text: `WITH new AS (
      INSERT INTO job VALUES ($1::int8, $2, $3::uuid) ON CONFLICT (id) DO NOTHING RETURNING call
    ) SELECT 1 FROM (
      SELECT call FROM new UNION ALL SELECT call FROM job WHERE id = $1::int8
    ) AS j WHERE call = $3::uuid`,
  },
  put: {
    name: 'put-job',
    text: `INSERT INTO job VALUES ($1::int8, $2, $3::uuid)
      ON CONFLICT (id) DO UPDATE SET entry = excluded.entry`,
  },
  addSeeds: {
    name: 'add-seeds',
    text: `INSERT INTO job_seed (job, url, call, nth)
      SELECT $1::int8, url, $2::uuid, nth
      FROM unnest($3::text[]) WITH ORDINALITY AS s (url, nth) ORDER BY nth
      ON CONFLICT (call, nth) DO NOTHING`,
  },
  seeds: { name: 'seeds', text: 'SELECT url FROM job_seed WHERE job = $1::int8 ORDER BY seq' },
} as const satisfies Record<string, Statement>;

export class PostgresJobBook implements JobBook {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  static async open(options: PostgresOptions): Promise<PostgresJobBook> {
    return new PostgresJobBook(await openLink(options));
  }

  async all(): Promise<readonly JobEntry[]> {
    const rows = await this.#link.run((send) => send<{ entry: string }>(SQL.all));
    return rows.map(({ entry }) => JSON.parse(entry) as JobEntry);
  }

  async open(entry: JobEntry): Promise<boolean> {
    const values = [entry.id, JSON.stringify(entry), randomUUID()];
    return (await this.#link.run((send) => send(SQL.open, values))).length > 0;
  }

  async put(entry: JobEntry): Promise<void> {
    const values = [entry.id, JSON.stringify(entry), randomUUID()];
    await this.#link.run((send) => send(SQL.put, values));
  }

  async addSeeds(job: number, seeds: readonly string[]): Promise<void> {
    const call = randomUUID();
    await this.#link.run((send) => send(SQL.addSeeds, [job, call, textArray(seeds)]));
  }

  async seeds(job: number): Promise<readonly string[]> {
    const rows = await this.#link.run((send) => send<{ url: string }>(SQL.seeds, [job]));
    return rows.map(({ url }) => url);
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}
