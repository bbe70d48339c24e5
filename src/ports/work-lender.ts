/**
 * A node that lends work (K3): pages to be read, or to be rendered. What a parser or a renderer has
 * instead of a crawl.
 *
 * Promises:
 *   1. lease() waits a while for a first piece, and then answers with what there is.
 *   2. bring() resolves when the node has what it was given, or does not want it.
 *   3. keep() makes leases that have not ended last as long again.
 *   4. All reject when the node cannot be reached, or refuses: trying again does no harm.
 */
export interface WorkLender<Job, Made> {
  /** For people. */
  readonly name: string;
  lease(n: number, seconds: number): Promise<readonly Lent<Job>[]>;
  /** In the order of what is brought. */
  bring(done: readonly Done<Job, Made>[]): Promise<readonly BroughtEnd[]>;
  keep(ids: readonly string[]): Promise<void>;
}

export interface Lent<Job> {
  readonly id: string;
  readonly job: Job;
}

export interface Done<Job, Made> extends Lent<Job> {
  /** Undefined gives it back undone. */
  readonly made: Made | undefined;
}

/** `refused` is nonsense in the node's eyes: another one does it. */
export type BroughtEnd = 'taken' | 'returned' | 'lost' | 'refused';
