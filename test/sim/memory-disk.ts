/**
 * The disk of a node in virtual time: what the LSM engine and the packs of traces are for a real
 * one (../../src/adapters/embedded/lsm.ts, ../../src/adapters/folder/pack.ts), in memory, so that
 * time can stand still while they work. It outlives the process that wrote it.
 */
import type { Del, Lsm, Picture, Put, Range, Row } from '../../src/adapters/embedded/lsm.ts';
import type { Packs } from '../../src/adapters/folder/pack.ts';
import type { PackRecord } from '../../src/adapters/folder/pack-record.ts';

type Span = Pick<Range, 'gte' | 'gt' | 'lt'>;

class MemoryRows {
  /** Keys as letters, a letter for each byte, in order. */
  readonly #keys: string[];
  readonly #values: Map<string, Buffer>;

  constructor(keys: string[] = [], values = new Map<string, Buffer>()) {
    this.#keys = keys;
    this.#values = values;
  }

  async write(ops: readonly (Put | Del)[]): Promise<void> {
    for (const op of ops) {
      const key = op.key.toString('latin1');
      const isKnown = this.#values.has(key);
      const at = isKnown && op.type === 'put' ? 0 : this.#placeOf(key);
      if (op.type === 'put') this.#values.set(key, Buffer.from(op.value));
      else this.#values.delete(key);
      if (op.type === 'put' && !isKnown) this.#keys.splice(at, 0, key);
      if (op.type === 'del' && isKnown) this.#keys.splice(at, 1);
    }
  }

  async getMany(keys: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    return keys.map((key) => this.#values.get(key.toString('latin1')));
  }

  async rows({ limit, ...span }: Range): Promise<Row[]> {
    return this.#within(span)
      .slice(0, limit)
      .map((key): Row => [Buffer.from(key, 'latin1'), this.#values.get(key) as Buffer]);
  }

  async keys(range: Range): Promise<Buffer[]> {
    return (await this.rows(range)).map(([key]) => key);
  }

  async *keyRuns(span: Span, size: number): AsyncIterable<Buffer[]> {
    const keys = await this.keys({ ...span, limit: this.#keys.length });
    for (let at = 0; at < keys.length; at += size) yield keys.slice(at, at + size);
  }

  picture(): Picture {
    const then = new MemoryRows([...this.#keys], new Map(this.#values));
    return { rowRuns: (span, size) => then.#runs(span, size), close: async () => undefined };
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {}

  async *#runs(span: Span, size: number): AsyncIterable<Row[]> {
    const rows = await this.rows({ ...span, limit: this.#keys.length });
    for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
  }

  #within({ gte, gt, lt }: Span): string[] {
    const after = gt?.toString('latin1');
    const from = this.#placeOf(after ?? gte?.toString('latin1') ?? '');
    const isThere = after !== undefined && this.#keys[from] === after;
    return this.#keys.slice(isThere ? from + 1 : from, this.#placeOf(lt.toString('latin1')));
  }

  /** Of the first key that is not before it. */
  #placeOf(key: string): number {
    let [low, high] = [0, this.#keys.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

class MemoryPacks {
  readonly #records: PackRecord[] = [];

  async append(records: readonly PackRecord[]) {
    return records.map((record) => {
      const at = this.#records.push(record) - 1;
      return { file: 0, at, length: record.bytes.length };
    });
  }

  async read({ at }: { readonly at: number }) {
    return this.#records[at];
  }

  async wipeUnknown() {
    return 0;
  }

  async close(): Promise<void> {}
}

export interface MemoryDisk {
  readonly lsm: Lsm;
  readonly traces: Packs;
}

export function memoryDisk(): MemoryDisk {
  const [lsm, traces] = [new MemoryRows(), new MemoryPacks()];
  return { lsm: lsm as unknown as Lsm, traces: traces as unknown as Packs };
}
