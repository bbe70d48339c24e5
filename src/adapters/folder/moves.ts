/**
 * Which records of the packs were written anew elsewhere, and whether their old places are
 * wiped already (pack.ts).
 *
 * Promise: what put() resolved for is there after a power cut, where the journal is durable.
 */

/** Where a record is, whole: head, hash and bytes. */
export interface Place {
  readonly file: number;
  readonly at: number;
  readonly length: number;
}

export interface Move {
  readonly from: Place;
  readonly to: Place;
  readonly isWiped: boolean;
}

export interface Moves {
  all(): Promise<readonly Move[]>;
  put(moves: readonly Move[]): Promise<void>;
}

/** For packs that nobody opens again. */
export class MemoryMoves implements Moves {
  readonly #moves = new Map<string, Move>();

  async all(): Promise<readonly Move[]> {
    return [...this.#moves.values()];
  }

  async put(moves: readonly Move[]): Promise<void> {
    for (const move of moves) this.#moves.set(`${move.from.file} ${move.from.at}`, move);
  }
}
