/** Which records of the packs have moved (../folder/moves.ts), each in a row, synced. */
import type { Move, Moves } from '../folder/moves.ts';
import * as keys from './keys.ts';
import type { Lsm } from './lsm.ts';

/** Whose packs: each part has rows of its own. */
export const PARTS = { bodies: 0x62, traces: 0x74 } as const;

const MOVES_MAX = 1_000_000;

export class LsmMoves implements Moves {
  readonly #lsm: Lsm;
  readonly #prefix: Buffer;

  constructor(lsm: Lsm, part: (typeof PARTS)[keyof typeof PARTS]) {
    this.#lsm = lsm;
    this.#prefix = Buffer.from([keys.TABLE.moved, part]);
  }

  async all(): Promise<readonly Move[]> {
    const [gte, lt] = [this.#prefix, keys.after(this.#prefix)];
    const rows = await this.#lsm.rows({ gte, lt, limit: MOVES_MAX });
    return rows.map(([, value]) => JSON.parse(value.toString()) as Move);
  }

  async put(moves: readonly Move[]): Promise<void> {
    await this.#lsm.write(
      moves.map((move) => {
        const value = Buffer.from(JSON.stringify(move));
        return { type: 'put', key: this.#keyOf(move), value };
      }),
    );
    await this.#lsm.sync();
  }

  #keyOf({ from }: Move): Buffer {
    const place = Buffer.alloc(10);
    place.writeUInt32BE(from.file, 0);
    place.writeUIntBE(from.at, 4, 6);
    return Buffer.concat([this.#prefix, place]);
  }
}
