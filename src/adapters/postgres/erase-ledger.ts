/**
 * What the nodes have erased of what they erase together, in the table of rules: a list of its own
 * there, and a row for each part. Everything may be sent twice.
 */
import { deedIn, type EraseLedger, type ErasePart, partName } from '../../ports/erase-ledger.ts';
import type { Link, PostgresOptions } from './link.ts';
import { openLink } from './schema.ts';
import { allDone } from './statements.ts';

const SQL = {
  parts: {
    name: 'erase-parts',
    text: `SELECT subject, rule FROM rule WHERE list = 'part'`,
  },
  note: {
    name: 'note-part',
    text: `INSERT INTO rule VALUES ('part', $1, $2)
      ON CONFLICT (list, subject) DO UPDATE SET rule = excluded.rule`,
  },
  forget: {
    name: 'forget-part',
    text: `DELETE FROM rule WHERE list = 'part' AND subject = $1`,
  },
} as const;

interface Row {
  readonly subject: string;
  readonly rule: string;
}

export class PostgresEraseLedger implements EraseLedger {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  static async open(options: PostgresOptions): Promise<PostgresEraseLedger> {
    return new PostgresEraseLedger(await openLink(options));
  }

  async parts(of: number): Promise<readonly ErasePart[]> {
    const rows = (await this.#rows()).filter(({ subject }) => deedIn(subject) === of);
    return rows.map(({ rule }) => JSON.parse(rule) as ErasePart);
  }

  async note(of: number, parts: readonly ErasePart[]): Promise<void> {
    await this.#link.run((send) =>
      allDone(parts.map((part) => send(SQL.note, [partName(of, part), JSON.stringify(part)]))),
    );
  }

  async forget(before: number): Promise<void> {
    const old = (await this.#rows()).filter(({ subject }) => deedIn(subject) < before);
    await this.#link.run((send) => allDone(old.map(({ subject }) => send(SQL.forget, [subject]))));
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #rows(): Promise<Row[]> {
    return this.#link.run((send) => send<Row>(SQL.parts));
  }
}
