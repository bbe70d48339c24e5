/**
 * The audit trail and the sum of what it says, in tables beside the records.
 *
 *   audit (id, seq, line)      rule (list, subject, rule)      pending (seq, line)      comply (counts)
 *
 * Everything here may be sent twice, because a connection can be lost before its answer: a line
 * has an id of its own, and the rest says how it is, not what is added. Several nodes write it: the
 * first has a line's number, and the sum only goes on.
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
import { allDone, BEGIN, COMMIT, ROLLBACK } from './statements.ts';

const LINES_PER_READ = 1_000;

const SQL = {
  trail: {
    name: 'trail',
    text: 'SELECT seq, line FROM audit WHERE seq > $1::int8 ORDER BY seq LIMIT $2::int4',
  },
  append: {
    name: 'append',
    text: `INSERT INTO audit (id, seq, line) OVERRIDING SYSTEM VALUE
      VALUES ($1::uuid, $2::int8, $3) ON CONFLICT DO NOTHING`,
  },
  whose: { name: 'whose-line', text: 'SELECT id FROM audit WHERE seq = $1::int8' },
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
    text: `INSERT INTO comply VALUES (true, $1) ON CONFLICT (one) DO UPDATE SET counts = excluded.counts
      WHERE (comply.counts::jsonb #>> '{head,seq}')::int8 <= $2::int8 RETURNING one`,
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

  async append(line: string, nth: number): Promise<boolean> {
    const id = randomUUID();
    const [, whose] = await this.#link.run((send) =>
      Promise.all([send(SQL.append, [id, nth, line]), send<{ id: string }>(SQL.whose, [nth])]),
    );
    return whose[0]?.id === id;
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
    const { counts } = change;
    await this.#link.run(async (send) => {
      await send(BEGIN);
      try {
        const [ours] = await send(SQL.count, [JSON.stringify(counts), counts.head.seq]);
        await allDone([...(ours === undefined ? [] : changes(send, change)), send(COMMIT)]);
      } catch (error) {
        await send(ROLLBACK).catch(() => undefined);
        throw error;
      }
    });
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}

function changes(send: Send, change: ComplyChange): Promise<unknown>[] {
  const { denied, lifted, held, released, begun, ended } = change;
  const put = (list: List, rule: Rule | undefined) =>
    rule === undefined ? [] : [send(SQL.put, [list, subjectKey(rule), JSON.stringify(rule)])];
  const drop = (list: List, subject: Subject | undefined) =>
    subject === undefined ? [] : [send(SQL.drop, [list, subjectKey(subject)])];
  return [
    ...[...put('denied', denied), ...drop('denied', lifted)],
    ...[...put('held', held), ...drop('held', released)],
    ...(begun === undefined ? [] : [send(SQL.begin, [begun.seq, JSON.stringify(begun)])]),
    ...(ended === undefined ? [] : [send(SQL.end, [ended])]),
  ];
}
