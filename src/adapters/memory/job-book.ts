/** Jobs in memory: for tests and simulations. */
import type { JobBook, JobEntry } from '../../ports/job-book.ts';

export class MemoryJobBook implements JobBook {
  readonly #entries = new Map<number, JobEntry>();
  readonly #seeds = new Map<number, readonly string[]>();

  async all(): Promise<readonly JobEntry[]> {
    return [...this.#entries.values()].sort((a, b) => a.id - b.id);
  }

  async open(entry: JobEntry): Promise<boolean> {
    if (this.#entries.has(entry.id)) return false;
    this.#entries.set(entry.id, entry);
    return true;
  }

  async put(entry: JobEntry): Promise<void> {
    this.#entries.set(entry.id, entry);
  }

  async addSeeds(job: number, seeds: readonly string[]): Promise<void> {
    this.#seeds.set(job, [...(await this.seeds(job)), ...seeds]);
  }

  async seeds(job: number): Promise<readonly string[]> {
    return this.#seeds.get(job) ?? [];
  }
}
