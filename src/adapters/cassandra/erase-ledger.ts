/**
 * What the nodes have erased of what they erase together: a list of its own in the partition of
 * compliance, a row for each part. Everything may be sent twice.
 */
import { deedIn, type EraseLedger, type ErasePart, partName } from '../../ports/erase-ledger.ts';
import type { CassandraOptions, Link } from './link.ts';
import { openLink } from './open.ts';

const CQL = {
  parts: `SELECT subject, value FROM @comply WHERE crawl = ? AND list = 'part'`,
  note: `INSERT INTO @comply (crawl, list, subject, value) VALUES (?, 'part', ?, ?)`,
  drop: `DELETE FROM @comply WHERE crawl = ? AND list = 'part' AND subject = ?`,
} as const;

interface Row {
  readonly subject: string;
  readonly value: string;
}

export class CassandraEraseLedger implements EraseLedger {
  readonly #link: Link;
  readonly #crawl: string;

  constructor(link: Link, crawl: string) {
    this.#link = link;
    this.#crawl = crawl;
  }

  static async open(options: CassandraOptions): Promise<CassandraEraseLedger> {
    return new CassandraEraseLedger(await openLink(options), options.crawl);
  }

  async parts(of: number): Promise<readonly ErasePart[]> {
    const rows = (await this.#rows()).filter(({ subject }) => deedIn(subject) === of);
    return rows.map(({ value }) => JSON.parse(value) as ErasePart);
  }

  async note(of: number, parts: readonly ErasePart[]): Promise<void> {
    await this.#link.each(parts, (part) =>
      this.#link.run(CQL.note, [this.#crawl, partName(of, part), JSON.stringify(part)]),
    );
  }

  async forget(before: number): Promise<void> {
    const old = (await this.#rows()).filter(({ subject }) => deedIn(subject) < before);
    await this.#link.each(old, ({ subject }) => this.#link.run(CQL.drop, [this.#crawl, subject]));
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #rows(): Promise<Row[]> {
    return this.#link.run<Row>(CQL.parts, [this.#crawl]);
  }
}
