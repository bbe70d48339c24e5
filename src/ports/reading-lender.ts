/**
 * A node that lends pages to be read (K3): what a parser has instead of a crawl.
 *
 * Promises:
 *   1. lease() waits a while for a first page, and then answers with what there is.
 *   2. bring() resolves when the node has what it was given, or does not want it.
 *   3. Both reject when the node cannot be reached, or refuses: trying again does no harm.
 */
import type { Digest, RawPage } from '../content/index.ts';

export interface ReadingLender {
  /** For people. */
  readonly name: string;
  lease(n: number, seconds: number): Promise<readonly LentPage[]>;
  /** In the order of what is brought. */
  bring(readings: readonly Reading[]): Promise<readonly BroughtEnd[]>;
}

export interface LentPage {
  readonly id: string;
  readonly page: RawPage;
  /** How long it is lent, from before it was asked for. */
  readonly forMs: number;
}

export interface Reading {
  readonly id: string;
  /** As the page was sent: a body that had none is not sent back. */
  readonly encoding: string | undefined;
  /** Undefined gives the page back unread. */
  readonly digest: Digest | undefined;
}

/** `refused` is nonsense in the node's eyes: another one reads the page. */
export type BroughtEnd = 'taken' | 'returned' | 'lost' | 'refused';
