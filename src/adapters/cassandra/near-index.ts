/**
 * Originals of all nodes, found with few questions: each question is a partition, so the 66 values
 * that a local index tries (../../content/near.ts) would be 66 of them.
 *
 * Cut a fingerprint into five blocks: three differing bits leave two blocks untouched. Kept under
 * each of the ten pairs of blocks (25 or 26 bits), an original is met by ten questions, and among
 * a thousand million of them a question finds a handful.
 */
import { chooseOriginals, halvesOf, isNear } from '../../content/index.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';
import type { CassandraOptions, Link } from './link.ts';
import { openLink } from './open.ts';

/** First bit and how many, of each block. */
const BLOCKS = [
  [0n, 13n],
  [13n, 13n],
  [26n, 13n],
  [39n, 13n],
  [52n, 12n],
] as const;
const PAIRS = BLOCKS.flatMap((one, i) => BLOCKS.slice(i + 1).map((other) => [one, other] as const));
/** Nobody who writes pages with blocks alike can make every question a long one. */
const PER_QUESTION_MAX = 1_024;

const CQL = {
  find: `SELECT key, simhash, pairs FROM @near WHERE crawl = ? AND pair = ? AND bits = ?
    LIMIT ${PER_QUESTION_MAX}`,
  add: 'INSERT INTO @near (crawl, pair, bits, key, simhash, pairs) VALUES (?, ?, ?, ?, ?, ?)',
  remove: `DELETE FROM @near
    WHERE crawl = ? AND pair = ? AND bits = ? AND key = ? AND simhash = ?`,
} as const;

interface NearRow {
  readonly key: Buffer;
  readonly simhash: Buffer;
  readonly pairs: Buffer;
}

export class CassandraNearIndex implements NearIndex {
  readonly #link: Link;
  readonly #crawl: string;

  constructor(link: Link, crawl: string) {
    this.#link = link;
    this.#crawl = crawl;
  }

  static async open(options: CassandraOptions): Promise<CassandraNearIndex> {
    return new CassandraNearIndex(await openLink(options), options.crawl);
  }

  async find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    const asked = pages.flatMap(({ simhash }) => placesOf(simhash));
    const found = await this.#link.each(asked, (place) =>
      this.#link.run<NearRow>(CQL.find, [this.#crawl, ...place]),
    );
    return chooseOriginals(pages, (nth) => {
      const halves = halvesOf((pages[nth] as Fingerprint).simhash);
      const rows = found.slice(nth * PAIRS.length, (nth + 1) * PAIRS.length).flat();
      return rows.map(fingerprintIn).filter(({ simhash }) => isNear(halves, halvesOf(simhash)));
    });
  }

  async write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    await this.#each(removed, ({ key, simhash }, place) =>
      this.#link.run(CQL.remove, [this.#crawl, ...place, key, bytesOf(simhash)]),
    );
    await this.#each(added, ({ key, simhash, pairs }, place) =>
      this.#link.run(CQL.add, [this.#crawl, ...place, key, bytesOf(simhash), bytesOf(pairs)]),
    );
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  async #each(
    pages: readonly Fingerprint[],
    work: (page: Fingerprint, place: Place) => Promise<unknown>,
  ): Promise<void> {
    const rows = pages.flatMap((page) =>
      placesOf(page.simhash).map((place) => [page, place] as const),
    );
    await this.#link.each(rows, ([page, place]) => work(page, place));
  }
}

type Place = readonly [pair: number, bits: number];

function placesOf(simhash: bigint): Place[] {
  return PAIRS.map(([[fromA, countA], [fromB, countB]], pair) => {
    const a = BigInt.asUintN(Number(countA), simhash >> fromA);
    const b = BigInt.asUintN(Number(countB), simhash >> fromB);
    return [pair, Number((a << countB) | b)];
  });
}

function fingerprintIn({ key, simhash, pairs }: NearRow): Fingerprint {
  return { key, simhash: simhash.readBigUInt64BE(), pairs: pairs.readBigUInt64BE() };
}

function bytesOf(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value));
  return bytes;
}
