/**
 * Who may act for an arc, in a table beside the records, by the server's clock (P5, K1).
 *
 *   a commit     FOR KEY SHARE    goes on beside a renewal, and keeps a taker out (fence.ts)
 *   a renewal    UPDATE           of what is no key: waits for no commit
 *   a taker      FOR UPDATE       waits until the commits of whoever was here have ended
 *   a split      the whole table  so that nobody looks for an arc between it and its halves
 *
 * It has a connection of its own, and no patience: a holder that cannot be told that it still
 * is one must know at once. Rows are locked in the order of arcs, so nobody waits in a ring.
 */
import type { Tenures } from '../../ports/tenures.ts';
import { halvesOf, withPartsOf } from '../../url/index.ts';
import { int4Array } from './arrays.ts';
import type { Link, PostgresOptions, Statement } from './link.ts';
import { openLink } from './schema.ts';
import { inOne } from './statements.ts';

const ANSWER_MS = 5_000;
const TERM = `clock_timestamp() + make_interval(secs => $3::float8 / 1000)`;
export const HELD = 'holder = $2 AND until > clock_timestamp()';

const SQL = {
  take: {
    name: 'take',
    text: `WITH free AS (
      SELECT arc FROM tenure
      WHERE arc = ANY ($1::int4[]) AND (holder = $2 OR until <= clock_timestamp())
      ORDER BY arc FOR UPDATE
    ) UPDATE tenure SET holder = $2, epoch = epoch + 1, until = ${TERM}
      FROM free WHERE tenure.arc = free.arc RETURNING tenure.arc, epoch`,
  },
  renew: {
    name: 'renew',
    text: `WITH kept AS (
      SELECT arc FROM tenure WHERE arc = ANY ($1::int4[]) AND ${HELD}
      ORDER BY arc FOR NO KEY UPDATE
    ) UPDATE tenure SET until = ${TERM}
      FROM kept WHERE tenure.arc = kept.arc RETURNING tenure.arc`,
  },
  release: {
    name: 'release',
    text: `WITH ours AS (
      SELECT arc FROM tenure WHERE arc = ANY ($1::int4[]) AND ${HELD}
      ORDER BY arc FOR NO KEY UPDATE
    ) UPDATE tenure SET until = '-infinity' FROM ours WHERE tenure.arc = ours.arc`,
  },
  patience: { name: '', text: `SET LOCAL lock_timeout = '2s'` },
  alone: { name: '', text: 'LOCK TABLE tenure IN EXCLUSIVE MODE' },
  split: {
    name: 'split',
    text: `WITH former AS (DELETE FROM tenure WHERE arc = $1 RETURNING holder, epoch, until)
      INSERT INTO tenure (arc, holder, epoch, until)
      SELECT half, holder, epoch, until FROM former, unnest($2::int4[]) AS half RETURNING arc`,
  },
  all: { name: 'tenure-arcs', text: 'SELECT arc FROM tenure' },
} as const satisfies Record<string, Statement>;

interface ArcRow {
  readonly arc: number;
}

export class PostgresTenures implements Tenures {
  readonly #link: Link;

  private constructor(link: Link) {
    this.#link = link;
  }

  static async open(options: PostgresOptions): Promise<PostgresTenures> {
    const answerMs = options.answerMs ?? ANSWER_MS;
    return new PostgresTenures(await openLink({ ...options, answerMs, patienceMs: 0 }));
  }

  async take(arcs: readonly number[], holder: string, termMs: number) {
    type Row = ArcRow & { readonly epoch: number };
    const rows = await this.#send<Row>(SQL.take, [int4Array(arcs), holder, termMs]);
    return new Map(rows.sort(byArc).map(({ arc, epoch }) => [arc, epoch]));
  }

  async renew(arcs: readonly number[], holder: string, termMs: number) {
    const asked = int4Array(arcs.flatMap(withPartsOf));
    const rows = await this.#send<ArcRow>(SQL.renew, [asked, holder, termMs]);
    return rows.sort(byArc).map(numberOf);
  }

  async release(arcs: readonly number[], holder: string): Promise<void> {
    await this.#send(SQL.release, [int4Array(arcs.flatMap(withPartsOf)), holder]);
  }

  /** All of it is sent at once: nothing else of this connection gets in between. */
  split(arc: number): Promise<readonly number[]> {
    const halves = halvesOf(arc);
    if (halves.length === 0) return Promise.resolve([]);
    return this.#link.run(async (send) => {
      let made: readonly ArcRow[] = [];
      await inOne(send, () => [
        send(SQL.patience),
        send(SQL.alone),
        send<ArcRow>(SQL.split, [arc, int4Array(halves)]).then((rows) => {
          made = rows;
        }),
      ]);
      return made.map(numberOf).sort((a, b) => a - b);
    });
  }

  async arcs(): Promise<readonly number[]> {
    return (await this.#send<ArcRow>(SQL.all, [])).sort(byArc).map(numberOf);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #send<R extends object>(statement: Statement, values: (Buffer | string | number)[]) {
    return this.#link.run((send) => send<R>(statement, values));
  }
}

function numberOf({ arc }: ArcRow): number {
  return arc;
}

function byArc(a: ArcRow, b: ArcRow): number {
  return a.arc - b.arc;
}
