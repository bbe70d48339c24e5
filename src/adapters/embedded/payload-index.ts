/** Where an archive has which payload, in the same LSM as everything else. */
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import type { PayloadEntry, PayloadIndex, PayloadPlace } from '../folder/warc-payloads.ts';
import { TABLE, tableKey } from './keys.ts';
import type { LsmRows } from './lsm.ts';

/** Most of a SHA-256: what is found by it is compared with the whole. */
const NAME_BYTES = 24;

export class LsmPayloadIndex implements PayloadIndex {
  readonly #lsm: Pick<LsmRows, 'getMany' | 'write'>;
  readonly #writer = new ByteWriter();

  constructor(lsm: Pick<LsmRows, 'getMany' | 'write'>) {
    this.#lsm = lsm;
  }

  async get(payloads: readonly Uint8Array[]): Promise<(PayloadPlace | undefined)[]> {
    const rows = await this.#lsm.getMany(payloads.map(keyOf));
    return rows.map((row) => row && placeIn(new ByteReader(row)));
  }

  async put(entries: readonly PayloadEntry[]): Promise<void> {
    await this.#lsm.write(
      entries.map(({ payload, serial, at }) => {
        const value = this.#writer.varint(serial).varint(at).take();
        return { type: 'put', key: keyOf(payload), value };
      }),
    );
  }

  async remove(payloads: readonly Uint8Array[]): Promise<void> {
    await this.#lsm.write(payloads.map((one) => ({ type: 'del', key: keyOf(one) })));
  }
}

function keyOf(payload: Uint8Array): Buffer {
  return tableKey(TABLE.payload, payload.subarray(0, NAME_BYTES));
}

function placeIn(row: ByteReader): PayloadPlace {
  return { serial: row.varint(), at: row.varint() };
}
