/**
 * What follows from a step of an arc, in order: rows and the arc's state are durable here before a
 * message leaves that follows from them (D4, D5).
 *
 *   step 1: save ─┐
 *   step 2: save ─┼─▶ one save ─▶ durable ─▶ messages of 1, 2 and 3
 *   step 3: ──────┘      while it is under way, those of the next steps wait for the next save
 *
 * A write of the owner is saved by whoever writes, in a batch of its own (ports/arc-log.ts); it is
 * waited for like the others.
 */
import type { ArcCopies, CopyChange, SavedArc } from '../ports/arc-copies.ts';

export interface Job {
  /** What has to be durable; undefined when nothing of it has changed. */
  readonly saved?: SavedArc;
  readonly changes?: readonly CopyChange[];
  /** Resolves when somebody else has saved it. */
  readonly wait?: Promise<void>;
  readonly after: () => void;
}

interface Save {
  saved: SavedArc;
  change: CopyChange | undefined;
}

export interface OrderParts {
  readonly arc: number;
  readonly copies: ArcCopies;
  /** The arc's state as it is now. */
  readonly current: () => SavedArc;
  /** It could not be saved: what follows from it is not done. */
  readonly failed: (error: unknown) => void;
}

export class InOrder {
  readonly #parts: OrderParts;
  #jobs: Job[] = [];
  #isBusy = false;
  #isOver = false;

  constructor(parts: OrderParts) {
    this.#parts = parts;
  }

  run(job: Job): void {
    if (this.#isOver) return;
    if (!this.#isBusy && job.saved === undefined && job.wait === undefined) {
      job.after();
      return;
    }
    this.#jobs.push(job);
    if (!this.#isBusy) void this.#work();
  }

  /** Nothing follows any more from what is not yet durable. */
  end(): void {
    this.#isOver = true;
    this.#jobs = [];
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#jobs.length > 0) {
      const jobs = this.#jobs.splice(0);
      try {
        await Promise.all([...this.#save(jobs), ...jobs.map(({ wait }) => wait)]);
        if (!this.#isOver) for (const { after } of jobs) after();
      } catch (error) {
        this.#parts.failed(error);
      }
    }
    this.#isBusy = false;
  }

  /**
   * The last one saves the state as it is now: a write of the owner may be on its way to the disk with a
   * later state than the one that waited here.
   */
  #save(jobs: readonly Job[]): Promise<void>[] {
    const { arc, copies, current } = this.#parts;
    const saves: Save[] = [];
    for (const { saved, changes = [] } of jobs) {
      if (saved === undefined) continue;
      if (changes.length === 0) add(saves, saved, undefined);
      for (const change of changes) add(saves, saved, change);
    }
    const last = saves.at(-1);
    if (last !== undefined) last.saved = current();
    return saves.map(({ saved, change }) => copies.save(arc, saved, change));
  }
}

/** Together with the one before, where that makes no difference. */
function add(saves: Save[], saved: SavedArc, change: CopyChange | undefined): void {
  const last = saves.at(-1);
  if (last === undefined) {
    saves.push({ saved, change });
    return;
  }
  if (change === undefined || last.change === undefined) {
    last.change ??= change;
  } else if (change.kind === 'entries' && last.change.kind === 'entries') {
    last.change = { kind: 'entries', bodies: [...last.change.bodies, ...change.bodies] };
  } else {
    saves.push({ saved, change });
    return;
  }
  last.saved = saved;
}
