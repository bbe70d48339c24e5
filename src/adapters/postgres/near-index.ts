/**
 * Originals of all nodes, in a table with an index for each half of their fingerprints.
 *
 * A page asks for 66 values of halves (../../content/near.ts). All of all pages of a batch go out
 * as one statement: the server tries them on its indexes and answers only with originals that
 * are near and say the same, which are next to none. Under one half it looks at a bounded number,
 * so that nobody who writes pages with halves alike can make every question a long one.
 */
import {
  chooseOriginals,
  halvesOf,
  NEAR_BITS_MAX,
  PAIR_BITS_MAX,
  PROBES,
  probe,
  simhashFrom,
} from '../../content/index.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import { bytesArray, int4Array, long8Array } from './arrays.ts';
import { lastOf } from './columns.ts';
import type { Link, PostgresOptions, Statement, Values } from './link.ts';
import { openLink } from './schema.ts';
import { inOne } from './statements.ts';

const PER_HALF_MAX = 1_024;
/** What a half is changed by to ask for its neighbours, itself first. */
const MASKS = int4Array(Array.from({ length: PROBES }, (_, nth) => signed(probe(0, nth))));

const under = (half: 'high' | 'low') => `SELECT n.* FROM unnest($5::int4[]) AS m (mask)
  CROSS JOIN LATERAL (
    SELECT key, high, low, pairs FROM near WHERE near.${half} = p.${half} # m.mask
    LIMIT ${PER_HALF_MAX}
  ) AS n`;

const bits = (column: string, size: number) =>
  `bit_count((n.${column} # p.${column})::bit(${size}))`;

const SQL = {
  find: {
    name: 'near-find',
    text: `SELECT p.nth::int4, n.key, n.high, n.low, int8send(n.pairs) AS pairs
      FROM unnest($1::bytea[], $2::int4[], $3::int4[], $4::int8[])
        WITH ORDINALITY AS p (key, high, low, pairs, nth)
      CROSS JOIN LATERAL (${under('high')} UNION ALL ${under('low')}) AS n
      WHERE ${bits('high', 32)} + ${bits('low', 32)} <= ${NEAR_BITS_MAX}
        AND (n.key = p.key OR ${bits('pairs', 64)} <= ${PAIR_BITS_MAX})`,
  },
  add: {
    name: 'near-add',
    text: `INSERT INTO near SELECT * FROM unnest($1::bytea[], $2::int4[], $3::int4[], $4::int8[])
      ON CONFLICT (key, high, low) DO UPDATE SET pairs = excluded.pairs`,
  },
  remove: {
    name: 'near-remove',
    text: `DELETE FROM near USING unnest($1::bytea[], $2::int4[], $3::int4[]) AS r (key, high, low)
      WHERE near.key = r.key AND near.high = r.high AND near.low = r.low`,
  },
} as const satisfies Record<string, Statement>;

interface FoundRow {
  /** Of the page, from 1. */
  readonly nth: number;
  readonly key: Buffer;
  readonly high: number;
  readonly low: number;
  readonly pairs: Buffer;
}

export class PostgresNearIndex implements NearIndex {
  readonly #link: Link;

  private constructor(link: Link) {
    this.#link = link;
  }

  static async open(options: PostgresOptions): Promise<PostgresNearIndex> {
    return new PostgresNearIndex(await openLink(options));
  }

  async find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    if (pages.length === 0) return [];
    const values = [...columns(pages), pairsColumn(pages), MASKS];
    const rows = await this.#link.run((send) => send<FoundRow>(SQL.find, values));
    const candidates: Fingerprint[][] = pages.map(() => []);
    for (const row of rows) candidates[row.nth - 1]?.push(fingerprintIn(row));
    return chooseOriginals(pages, (nth) => candidates[nth] ?? []);
  }

  async write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    if (added.length + removed.length === 0) return;
    const [more, less] = [lastOf(added, nameOf), lastOf(removed, nameOf)];
    await this.#link.run((send) =>
      inOne(send, () => [
        ...(less.length > 0 ? [send(SQL.remove, columns(less))] : []),
        ...(more.length > 0 ? [send(SQL.add, [...columns(more), pairsColumn(more)])] : []),
      ]),
    );
  }

  close(): Promise<void> {
    return this.#link.close();
  }
}

function columns(pages: readonly Fingerprint[]): Values {
  const halves = pages.map(({ simhash }) => halvesOf(simhash));
  return [
    bytesArray(pages.map(({ key }) => key)),
    int4Array(halves.map(({ high }) => signed(high))),
    int4Array(halves.map(({ low }) => signed(low))),
  ];
}

function pairsColumn(pages: readonly Fingerprint[]): Buffer {
  return long8Array(pages.map(({ pairs }) => pairs));
}

function fingerprintIn({ key, high, low, pairs }: FoundRow): Fingerprint {
  return { key, simhash: simhashFrom(high, low), pairs: pairs.readBigUInt64BE() };
}

/** One page may have been several originals: its key and what it said then. */
function nameOf({ key, simhash }: Fingerprint): Buffer {
  const said = Buffer.alloc(8);
  said.writeBigUInt64BE(simhash);
  return Buffer.concat([key, said]);
}

/** 32 bits as the server's integer, which has a sign. */
function signed(half: number): number {
  return half | 0;
}
