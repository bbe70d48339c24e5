/**
 * Jobs in the world of the frontier's histories: paused, resumed and cancelled at any time, with
 * a shelf in the store, as ../crawl/jobs.ts has it. What is cancelled is forgotten by the store
 * behind the frontier's back, and some of it is named again at once by the crawl itself.
 */
import assert from 'node:assert/strict';
import type { Instant } from '../base/instant.ts';
import { rankOf, type Waiting } from '../record/index.ts';
import type { Aside, PageLease } from './index.ts';

type Rows = Map<string, Waiting>;

export class WorldJobs {
  readonly #rows: Rows;
  readonly #states = new Map<number, 'paused' | 'ended'>();
  readonly shelf: Rows = new Map();

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  readonly gate = (job: number): Aside | undefined => {
    const state = this.#states.get(job);
    return state && (state === 'paused' ? 'shelve' : 'forget');
  };

  pause(job: number): void {
    if (this.#states.get(job) !== 'ended') this.#states.set(job, 'paused');
  }

  /** What comes back, to be told to the frontier. */
  resume(job: number): Waiting[] {
    if (this.#states.get(job) === 'ended') return [];
    this.#states.delete(job);
    const back = [...this.shelf.values()].filter((url) => (url.job ?? 0) === job);
    for (const url of back) {
      this.shelf.delete(url.url);
      this.#rows.set(url.url, url);
    }
    return back;
  }

  /** Everything of it that no visit has in its hands is forgotten; some of that is named anew. */
  cancel(job: number, isOut: (url: Waiting) => boolean, now: Instant): Waiting[] {
    this.#states.set(job, 'ended');
    const named: Waiting[] = [];
    for (const rows of [this.#rows, this.shelf]) {
      for (const url of [...rows.values()]) {
        if (url.job !== job || isOut(url)) continue;
        rows.delete(url.url);
        const { job: _, ...rest } = url;
        const isOld = rest.again || rest.fails > 0;
        if (named.length % 2 === 0 && !isOld) {
          named.push({ ...rest, rank: rankOf(rest.priority, now) });
        }
      }
    }
    for (const url of named) this.#rows.set(url.url, url);
    return named;
  }

  /** What was shelved late: it comes back where nothing holds it, and is forgotten with its job. */
  tick(): Waiting[] {
    for (const { url, job = 0 } of this.shelf.values()) {
      if (this.#states.get(job) === 'ended') this.shelf.delete(url);
    }
    return [0, 1, 2].flatMap((job) => this.resume(job));
  }

  /** A lease that its job held back must be so by the job's state. */
  watch({ aside, waiting }: PageLease): void {
    assert.equal(aside, this.gate(waiting.job ?? 0), `the job of ${waiting.url}`);
    if (aside === 'shelve') assert.ok(this.#rows.has(waiting.url), `${waiting.url} waits`);
  }

  /** The store's half: only a row that is still the same wait is moved or forgotten. */
  setAside({ waiting, aside }: PageLease): void {
    const row = this.#rows.get(waiting.url);
    if (row === undefined || row.rank !== waiting.rank || row.job !== waiting.job) return;
    this.#rows.delete(waiting.url);
    if (aside === 'shelve') this.shelf.set(waiting.url, row);
  }
}
