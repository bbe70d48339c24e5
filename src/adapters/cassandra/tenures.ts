/**
 * Who may act for an arc, in one small partition beside the records, by the server's clock (P5, K1).
 * Every change is on condition, and changes all arcs that are meant or none: then it is looked who
 * was in the way, and asked again without these.
 *
 * Before an arc is taken from somebody whose term has ended, that one's log is sealed for it, and
 * what it had decided is finished (log.ts): it cannot write any more, and nothing of it is half
 * done. Who releases an arc seals its own log.
 *
 * No patience: a holder that cannot be told that it still is one must know at once.
 */
import { CrawlError } from '../../base/errors.ts';
import type { Tenures } from '../../ports/tenures.ts';
import { ARCS, isPart } from '../../url/index.ts';
import type { CassandraOptions, Link, Step } from './link.ts';
import { type Epochs, finishLeft, sealWriter } from './log.ts';
import { openLink } from './open.ts';
import { isHeldBy, isOver, TENURES, type TenureRow } from './tenure-rows.ts';

const ANSWER_MS = 5_000;
/** Each time somebody else was faster with one of the arcs. */
const TRIES = 8;

const ROW = 'WHERE crawl = ? AND arc = ?';
const TAKE = `UPDATE @tenure SET holder = ?, epoch = ?, until = currentTimestamp() + TERM ${ROW}`;
const CQL = {
  first: `${TAKE} IF epoch = null`,
  own: `${TAKE} IF epoch = ?`,
  ended: `${TAKE} IF epoch = ? AND until <= currentTimestamp()`,
  renew: `UPDATE @tenure SET until = currentTimestamp() + TERM ${ROW}
    IF holder = ? AND until > currentTimestamp()`,
  release: `UPDATE @tenure SET until = 0 ${ROW} IF holder = ? AND epoch = ?`,
} as const;

type Rows = ReadonlyMap<number, TenureRow>;

export class CassandraTenures implements Tenures {
  readonly #link: Link;
  readonly #crawl: string;

  private constructor(link: Link, crawl: string) {
    this.#link = link;
    this.#crawl = crawl;
  }

  static async open(options: CassandraOptions): Promise<CassandraTenures> {
    const { answerMs = ANSWER_MS, crawl } = options;
    const link = await openLink(options);
    await link.close();
    return new CassandraTenures(await openLink({ ...options, answerMs, patienceMs: 0 }), crawl);
  }

  async take(arcs: readonly number[], holder: string, termMs: number): Promise<Epochs> {
    for (let tries = 0; tries < TRIES; tries++) {
      const rows = await this.#rows();
      const free = arcs.filter((arc) => !isPart(arc) && isFreeFor(rows.get(arc), holder));
      await this.#sealFormer(rows, free, holder);
      const taken = new Map(free.map((arc) => [arc, (rows.get(arc)?.epoch.toNumber() ?? 0) + 1]));
      const steps = free.map((arc) => this.#taking(arc, rows.get(arc), holder, termMs));
      if (steps.length === 0 || (await this.#link.decide(steps))) return taken;
    }
    return new Map();
  }

  async renew(arcs: readonly number[], holder: string, termMs: number): Promise<number[]> {
    let ours = [...arcs];
    for (let tries = 0; tries < TRIES; tries++) {
      const steps = ours.map((arc) => {
        return { text: withTerm(CQL.renew, termMs), values: [this.#crawl, arc, holder] };
      });
      if (steps.length === 0 || (await this.#link.decide(steps))) return ours;
      const rows = await this.#rows();
      ours = ours.filter((arc) => isHeld(rows.get(arc), holder));
    }
    return [];
  }

  async release(arcs: readonly number[], holder: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const rows = await this.#rows();
      const ours = arcs.filter((arc) => isHeld(rows.get(arc), holder));
      if (ours.length === 0) return;
      const epochs = epochsOf(rows, ours);
      await sealWriter(this.#link, this.#crawl, holder, epochs);
      const steps = [...epochs].map(([arc, epoch]) => {
        return { text: CQL.release, values: [this.#crawl, arc, holder, epoch] };
      });
      if (await this.#link.decide(steps)) return;
    }
  }

  /** A log's seals are by whole arcs (log.ts): here none is ever split. */
  async split(): Promise<readonly number[]> {
    throw new CrawlError(
      'E_CONFIG',
      'records in Cassandra keep their arcs whole: none can be split',
      'keep the records in PostgreSQL, or add nodes: arcs are spread over them',
    );
  }

  async arcs(): Promise<readonly number[]> {
    return Array.from({ length: ARCS }, (_, arc) => arc);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async #rows(): Promise<Rows> {
    const rows = await this.#link.serial<TenureRow>(TENURES, [this.#crawl]);
    return new Map(rows.map((row) => [row.arc, row]));
  }

  /** Whoever released its arcs has sealed its log itself. */
  async #sealFormer(rows: Rows, free: readonly number[], holder: string): Promise<void> {
    const ended = free.filter((arc) => {
      const row = rows.get(arc);
      return row !== undefined && row.holder !== holder && row.until.getTime() > 0;
    });
    const writers = new Set(ended.map((arc) => rows.get(arc)?.holder as string));
    for (const writer of writers) {
      const its = ended.filter((arc) => rows.get(arc)?.holder === writer);
      await sealWriter(this.#link, this.#crawl, writer, epochsOf(rows, its));
      await finishLeft(this.#link, this.#crawl, writer);
    }
  }

  #taking(arc: number, row: TenureRow | undefined, holder: string, termMs: number): Step {
    const before = row === undefined ? [] : [row.epoch.toNumber()];
    const [epoch = 0] = before;
    const text = row === undefined ? CQL.first : row.holder === holder ? CQL.own : CQL.ended;
    const values = [holder, epoch + 1, this.#crawl, arc, ...before];
    return { text: withTerm(text, termMs), values };
  }
}

function isFreeFor(row: TenureRow | undefined, holder: string): boolean {
  return row === undefined || row.holder === holder || isOver(row);
}

function isHeld(row: TenureRow | undefined, holder: string): boolean {
  return row !== undefined && isHeldBy(row, holder);
}

function epochsOf(rows: Rows, arcs: readonly number[]): Map<number, number> {
  return new Map(arcs.map((arc) => [arc, rows.get(arc)?.epoch.toNumber() ?? 0]));
}

/** An interval is part of the statement: there are few of them. */
function withTerm(text: string, ms: number): string {
  return text.replace('TERM', `${Math.max(1, Math.round(ms))}ms`);
}
