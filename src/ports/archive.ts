/**
 * What servers answered, kept in the form of archives as the crawl goes (B6).
 *
 * Promises (archive.contract.ts):
 *   1. What put() resolved for is there, whole and in order, also after kill -9.
 *   2. Whatever ended the last run, an archive that is open holds nothing but whole exchanges.
 *   3. A put() that rejects leaves no part of an exchange.
 *   4. A payload that was put a while ago is named, not written again, also after a restart.
 *
 * put() comes before the commit of a visit: who is killed in between visits again, so that an
 * exchange may be there twice, and never is missing.
 */
import type { Exchanged } from '../archive/index.ts';

export interface Archive {
  put(exchanges: readonly Exchanged[]): Promise<void>;
  /** Makes everything written so far survive a power cut. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** An archive that can forget (G2). */
export interface ArchivedPages {
  /** Takes every record about these URLs out; the others stay where they are. */
  remove(fits: (url: string) => boolean): Promise<number>;
}

/** The files of an archive, to be read. */
export interface ArchiveFiles {
  /** In the order in which they were written; the last may still grow. */
  list(): Promise<readonly ArchivedFile[]>;
  read(name: string): AsyncIterable<Uint8Array>;
}

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  /** Still written to: its end may be cut. */
  readonly isOpen: boolean;
}
