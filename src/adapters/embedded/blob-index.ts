/** Where bodies lie, in the same LSM as everything else: one log, one lock, one folder. */
import { ByteReader } from '../../base/bytes.ts';
import type { BlobEntry, BlobIndex } from '../folder/blob-store.ts';
import type { PiecePlace } from '../folder/blocks.ts';
import { TABLE, tableKey } from './keys.ts';
import type { Lsm } from './lsm.ts';
import { encodePlace, readPlace } from './rows.ts';

export class LsmBlobIndex implements BlobIndex {
  readonly #lsm: Lsm;

  constructor(lsm: Lsm) {
    this.#lsm = lsm;
  }

  async get(hashes: readonly Uint8Array[]): Promise<(PiecePlace | undefined)[]> {
    const rows = await this.#lsm.getMany(hashes.map((hash) => tableKey(TABLE.body, hash)));
    return rows.map((row) => row && readPlace(new ByteReader(row)));
  }

  async remove(hashes: readonly Uint8Array[]): Promise<void> {
    await this.#lsm.write(hashes.map((hash) => ({ type: 'del', key: tableKey(TABLE.body, hash) })));
  }

  async put(entries: readonly BlobEntry[]): Promise<void> {
    await this.#lsm.write(
      entries.map(({ hash, place }) => {
        const key = tableKey(TABLE.body, hash);
        return { type: 'put', key, value: encodePlace(place) };
      }),
    );
  }
}
