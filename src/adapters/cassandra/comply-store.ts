/**
 * The audit trail and the sum of what it says.
 *
 *   audit    pages of lines, each line under a number that nobody else has
 *   comply   the sum, in one partition: so a change of it is whole or not at all
 *
 * Everything here may be sent twice, because an answer can be lost: a line has an id of its own,
 * by which it is known again, and the rest says how it is, not what is added.
 */
import { randomUUID } from 'node:crypto';
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
import type { CassandraOptions, Link, Step } from './link.ts';
import { openLink } from './open.ts';
import type { Whole } from './rows.ts';

const LINES_PER_PAGE = 1_000;

const CQL = {
  page: 'SELECT seq, line FROM @audit WHERE crawl = ? AND page = ?',
  append: `INSERT INTO @audit (crawl, page, seq, id, line) VALUES (?, ?, ?, ?, ?) IF NOT EXISTS`,
  line: 'SELECT id FROM @audit WHERE crawl = ? AND page = ? AND seq = ?',
  sum: 'SELECT list, value FROM @comply WHERE crawl = ?',
  put: 'INSERT INTO @comply (crawl, list, subject, value) VALUES (?, ?, ?, ?)',
  version: 'SELECT version, list, value FROM @comply WHERE crawl = ?',
  change: 'UPDATE @comply SET version = ? WHERE crawl = ? IF version = ?',
  drop: 'DELETE FROM @comply WHERE crawl = ? AND list = ? AND subject = ?',
} as const;

type List = 'denied' | 'held' | 'pending' | 'counts';

export class CassandraComplyStore implements ComplyStore {
  readonly #link: Link;
  readonly #crawl: string;

  constructor(link: Link, crawl: string) {
    this.#link = link;
    this.#crawl = crawl;
  }

  static async open(options: CassandraOptions): Promise<CassandraComplyStore> {
    return new CassandraComplyStore(await openLink(options), options.crawl);
  }

  async *trail(): AsyncIterable<string> {
    for await (const lines of this.#pages()) yield* lines;
  }

  /** The first is number 0 here. */
  async append(line: string, nth: number): Promise<boolean> {
    const id = randomUUID();
    const place = [this.#crawl, Math.floor((nth - 1) / LINES_PER_PAGE), nth - 1];
    if (await this.#link.decide([{ text: CQL.append, values: [...place, id, line] }])) return true;
    const [row] = await this.#link.serial<{ id: string }>(CQL.line, place);
    return row?.id === id;
  }

  async load(): Promise<SavedCompliance> {
    type Row = { readonly list: List | null; readonly value: string };
    const rows = await this.#link.serial<Row>(CQL.sum, [this.#crawl]);
    const listed = <T>(list: List) =>
      rows.filter((row) => row.list === list).map(({ value }) => JSON.parse(value) as T);
    return {
      ...{ denials: listed<Rule>('denied'), holds: listed<Rule>('held') },
      pending: listed<AuditLine>('pending').sort((a, b) => a.seq - b.seq),
      counts: listed<Counts>('counts')[0] ?? NO_COUNTS,
    };
  }

  async save(change: ComplyChange): Promise<void> {
    const { denied, lifted, held, released, begun, ended, counts } = change;
    await this.#decide(counts, [
      ...[...this.#rule('denied', denied), ...this.#gone('denied', lifted)],
      ...[...this.#rule('held', held), ...this.#gone('held', released)],
      ...(begun === undefined ? [] : [this.#put('pending', String(begun.seq), begun)]),
      ...(ended === undefined ? [] : [this.#drop('pending', String(ended))]),
      this.#put('counts', '', counts),
    ]);
  }

  /** Decided, so that the order of changes is the server's, not that of the nodes' clocks. */
  async #decide({ head }: Counts, steps: readonly Step[]): Promise<void> {
    for (;;) {
      type Row = { readonly version: Whole | null; readonly list: List | null; value: string };
      const rows = await this.#link.serial<Row>(CQL.version, [this.#crawl]);
      const counted = rows.find(({ list }) => list === 'counts')?.value;
      const saved = counted === undefined ? NO_COUNTS : (JSON.parse(counted) as Counts);
      if (head.seq < saved.head.seq) return;
      const before = rows[0]?.version?.toNumber();
      const values = [(before ?? 0) + 1, this.#crawl, before ?? null];
      if (await this.#link.decide([...steps, { text: CQL.change, values }])) return;
    }
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async *#pages(): AsyncIterable<readonly string[]> {
    for (let page = 0; ; page++) {
      const rows = await this.#link.run<{ line: string }>(CQL.page, [this.#crawl, page]);
      if (rows.length > 0) yield rows.map(({ line }) => line);
      if (rows.length < LINES_PER_PAGE) return;
    }
  }

  #rule(list: List, rule: Rule | undefined): Step[] {
    return rule === undefined ? [] : [this.#put(list, subjectKey(rule), rule)];
  }

  #gone(list: List, subject: Subject | undefined): Step[] {
    return subject === undefined ? [] : [this.#drop(list, subjectKey(subject))];
  }

  #put(list: List, subject: string, value: object): Step {
    return { text: CQL.put, values: [this.#crawl, list, subject, JSON.stringify(value)] };
  }

  #drop(list: List, subject: string): Step {
    return { text: CQL.drop, values: [this.#crawl, list, subject] };
  }
}
