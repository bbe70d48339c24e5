/**
 * The audit trail and the sum of what it says, in tables beside the records.
 *
 *   audit (id, seq, line)      rule (list, subject, rule)      pending (seq, line)      comply (counts)
 *
 * Everything here may be sent twice, because a connection can be lost before its answer: a line
 * has an id of its own, and the rest says how it is, not what is added.
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
import type { Link, PostgresOptions, Send } from './link.ts';
import { openLink } from './schema.ts';
import { inOne } from './statements.ts';

const LINES_PER_READ = 1_000;

const SQL = {
  trail: {
    name: 'trail',
    text: 'SELECT seq, line FROM audit WHERE seq > $1::int8 ORDER BY seq LIMIT $2::int4',
  },
  append: {
    name: 'append',
    text: 'INSERT INTO audit (id, line) VALUES ($1::uuid, $2) ON CONFLICT (id) DO NOTHING',
  },
  rules: { name: 'rules', text: 'SELECT list, rule FROM rule ORDER BY subject' },
  pending: { name: 'pending', text: 'SELECT line FROM pending ORDER BY seq' },
  counts: { name: 'comply-counts', text: 'SELECT counts FROM comply' },
  put: {
    name: 'put-rule',
    text: `INSERT INTO rule VALUES ($1, $2, $3)
      ON CONFLICT (list, subject) DO UPDATE SET rule = excluded.rule`,
  },
  drop: { name: 'drop-rule', text: 'DELETE FROM rule WHERE list = $1 AND subject = $2' },
  begin: {
    name: 'begin-act',
    text: `INSERT INTO pending VALUES ($1::int8, $2)
      ON CONFLICT (seq) DO UPDATE SET line = excluded.line`,
  },
  end: { name: 'end-act', text: 'DELETE FROM pending WHERE seq = $1::int8' },
  count: {
    name: 'count-acts',
    text: `INSERT INTO comply VALUES (true, $1)
      ON CONFLICT (one) DO UPDATE SET counts = excluded.counts`,
  },
} as const;

type List = 'denied' | 'held';

export class PostgresComplyStore implements ComplyStore {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  static async open(options: PostgresOptions): Promise<PostgresComplyStore> {
    return new PostgresComplyStore(await openLink(options));
  }

  async *trail(): AsyncIterable<string> {
    type Row = { readonly seq: number; readonly line: string };
    for (let after = 0; ; ) {
      const rows = await this.#link.run((send) => send<Row>(SQL.trail, [after, LINES_PER_READ]));
      const last = rows.at(-1);
      if (last === undefined) return;
      for (const { line } of rows) yield line;
      after = last.seq;
    }
  }

  async append(line: string): Promise<void> {
    const id = randomUUID();
    await this.#link.run((send) => send(SQL.append, [id, line]));
  }

  async load(): Promise<SavedCompliance> {
    type RuleRow = { readonly list: List; readonly rule: string };
    const [rules, pending, counts] = await this.#link.run((send) =>
      Promise.all([
        send<RuleRow>(SQL.rules),
        send<{ line: string }>(SQL.pending),
        send<{ counts: string }>(SQL.counts),
      ]),
    );
    const listed = (list: List) =>
      rules.filter((row) => row.list === list).map(({ rule }) => JSON.parse(rule) as Rule);
    return {
      ...{ denials: listed('denied'), holds: listed('held') },
      pending: pending.map(({ line }) => JSON.parse(line) as AuditLine),
      counts: counts[0] === undefined ? NO_COUNTS : (JSON.parse(counts[0].counts) as Counts),
    };
  }

  async save(change: ComplyChange): Promise<void> {
    await this.#link.run((send) => inOne(send, () => changes(send, change)));
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}

function changes(send: Send, change: ComplyChange): Promise<unknown>[] {
  const { denied, lifted, held, released, begun, ended, counts } = change;
  const put = (list: List, rule: Rule | undefined) =>
    rule === undefined ? [] : [send(SQL.put, [list, subjectKey(rule), JSON.stringify(rule)])];
  const drop = (list: List, subject: Subject | undefined) =>
    subject === undefined ? [] : [send(SQL.drop, [list, subjectKey(subject)])];
  return [
    ...[...put('denied', denied), ...drop('denied', lifted)],
    ...[...put('held', held), ...drop('held', released)],
    ...(begun === undefined ? [] : [send(SQL.begin, [begun.seq, JSON.stringify(begun)])]),
    ...(ended === undefined ? [] : [send(SQL.end, [ended])]),
    send(SQL.count, [JSON.stringify(counts)]),
  ];
}
