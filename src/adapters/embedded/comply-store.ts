/**
 * The sum of the trail in the LSM, a row for each rule, and the trail itself in a file beside
 * it: whoever removes the file removes no denial.
 *
 *   c d sha(16)   a denial      c h sha(16)   a hold      c p seq(6)   begun, not ended
 *   m comply      the head of the chain, and counts
 */
import { createHash } from 'node:crypto';
import {
  type AuditLine,
  type ComplyChange,
  type Counts,
  NO_COUNTS,
  type Rule,
  type Subject,
  subjectKey,
} from '../../comply/index.ts';
import type { ComplyStore, SavedCompliance } from '../../ports/comply-store.ts';
import type { TrailFile } from '../folder/trail-file.ts';
import * as keys from './keys.ts';
import type { Del, Lsm, Put } from './lsm.ts';

const DENIAL = 0x64;
const HOLD = 0x68;
const PENDING = 0x70;
const COUNTS_KEY = Buffer.from('mcomply');
const ROWS_PER_READ = 10_000;

export class EmbeddedComplyStore implements ComplyStore {
  readonly #lsm: Lsm;
  readonly #file: TrailFile;

  constructor(lsm: Lsm, file: TrailFile) {
    this.#lsm = lsm;
    this.#file = file;
  }

  async *trail(): AsyncIterable<string> {
    yield* await this.#file.lines();
  }

  /** A folder has one process: nobody else writes there. */
  async append(line: string): Promise<boolean> {
    await this.#file.append(line);
    return true;
  }

  async load(): Promise<SavedCompliance> {
    const [counts] = await this.#lsm.getMany([COUNTS_KEY]);
    return {
      denials: await this.#all<Rule>(DENIAL),
      holds: await this.#all<Rule>(HOLD),
      pending: await this.#all<AuditLine>(PENDING),
      counts: counts === undefined ? NO_COUNTS : (JSON.parse(counts.toString()) as Counts),
    };
  }

  async save({
    denied,
    lifted,
    held,
    released,
    begun,
    ended,
    counts,
  }: ComplyChange): Promise<void> {
    const ops: (Put | Del)[] = [put(COUNTS_KEY, counts)];
    if (denied !== undefined) ops.push(put(ruleKey(DENIAL, denied), denied));
    if (lifted !== undefined) ops.push({ type: 'del', key: ruleKey(DENIAL, lifted) });
    if (held !== undefined) ops.push(put(ruleKey(HOLD, held), held));
    if (released !== undefined) ops.push({ type: 'del', key: ruleKey(HOLD, released) });
    if (begun !== undefined) ops.push(put(pendingKey(begun.seq), begun));
    if (ended !== undefined) ops.push({ type: 'del', key: pendingKey(ended) });
    await this.#lsm.write(ops);
    await this.#lsm.sync();
  }

  async #all<T>(kind: number): Promise<T[]> {
    const prefix = Buffer.from([keys.TABLE.comply, kind]);
    const found: T[] = [];
    for (let from: { gte: Buffer } | { gt: Buffer } = { gte: prefix }; ; ) {
      const rows = await this.#lsm.rows({ ...from, lt: keys.after(prefix), limit: ROWS_PER_READ });
      const last = rows.at(-1);
      if (last === undefined) return found;
      for (const [, value] of rows) found.push(JSON.parse(value.toString()) as T);
      from = { gt: last[0] };
    }
  }
}

function put(key: Buffer, value: object): Put {
  return { type: 'put', key, value: Buffer.from(JSON.stringify(value)) };
}

function ruleKey(kind: number, subject: Subject): Buffer {
  const name = createHash('sha256').update(subjectKey(subject)).digest().subarray(0, 16);
  return Buffer.concat([Buffer.from([keys.TABLE.comply, kind]), name]);
}

function pendingKey(seq: number): Buffer {
  const key = Buffer.alloc(8);
  key[0] = keys.TABLE.comply;
  key[1] = PENDING;
  key.writeUIntBE(seq, 2, 6);
  return key;
}
