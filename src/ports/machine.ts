/**
 * The machine that a crawl runs on, for `orb doctor` (L6): facts only, judged elsewhere.
 *
 * Promises:
 *   1. Nothing is changed but a small file in the folder, which is taken away again.
 *   2. No name is looked up and no packet sent unless `lookup` is given.
 *   3. It never rejects: what cannot be found out is undefined.
 */
import type { Instant } from '../base/instant.ts';

export interface Machine {
  facts(question: MachineQuestion): Promise<MachineFacts>;
}

export interface MachineQuestion {
  readonly dir: string;
  /** A host name to look up, with the name servers to ask (none: the system's). */
  readonly lookup?: { readonly name: string; readonly servers: readonly string[] };
}

export interface MachineFacts {
  /** `24.1.0` */
  readonly node: string;
  readonly hasZstd: boolean;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly freeBytes: number | undefined;
  /** Why a file could not be written into the folder; empty when it could. */
  readonly writeProblem: string;
  /** The wall clock, and the newest thing known to be older than now. */
  readonly now: Instant;
  readonly newestFileAt: Instant | undefined;
  /** Files that this process may hold open; undefined where the system does not say. */
  readonly openFilesMax: number | undefined;
  readonly lookup?: { readonly addresses: readonly string[]; readonly problem: string };
}
