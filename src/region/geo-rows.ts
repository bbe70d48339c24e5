/**
 * A geo-IP table as people have it: lines of `network,region`, read strictly. A line that is not
 * understood refuses the whole file, with its number: half a table would send fetchers the long
 * way, and nobody would know why.
 *
 *   network,region          the first line may say so
 *   203.0.113.0/24,eu       IPv4 or IPv6, as a network or one address
 *   2001:db8::/32,"asia"    in quotes, if one likes
 *   # and empty lines       are passed over
 */
import { type Ip, type Network, parseNetwork } from '../fetch/ip.ts';
import { compareIps, type GeoNetwork, GeoTable } from './geo-table.ts';
import { isRegionName, regionNamed } from './name.ts';

export interface GeoProblem {
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

interface Row extends GeoNetwork {
  readonly bits: number;
  readonly line: number;
}

const GEO_ROWS_MAX = 5_000_000;
const REGIONS_MAX = 1_000;
const SHOWN_LENGTH = 80;

export function isGeoProblem(read: GeoTable | GeoProblem): read is GeoProblem {
  return 'problem' in read;
}

export function readGeoTable(text: string): GeoTable | GeoProblem {
  const ids = new Map([['', 0]]);
  const rows = new Rows();
  let line = 0;
  for (const given of linesOf(text)) {
    line++;
    const content = (line === 1 ? given.replace(/^\ufeff/, '') : given).trim();
    if (content === '' || content.startsWith('#')) continue;
    if (line === 1 && /^"?network"?\s*,\s*"?region"?$/i.test(content)) continue;
    const row = readRow(content, line, ids);
    if ('problem' in row) return row;
    rows.push(row);
    if (rows.size > GEO_ROWS_MAX) return { line, problem: `is one more than ${GEO_ROWS_MAX}` };
  }
  if (rows.size === 0) return { line, problem: 'is the end, and no network was named' };
  return tableOf(rows, [...ids.keys()]);
}

function tableOf(rows: Rows, names: readonly string[]): GeoTable | GeoProblem {
  let before: Row | undefined;
  for (const row of rows.inOrder()) {
    const isSame = before?.bits === row.bits && compareIps(before.first, row.first) === 0;
    if (isSame && before?.region !== row.region) {
      const [region, at] = [names[before?.region ?? 0], before?.line];
      return { line: row.line, problem: `names a network that line ${at} puts in ${region}` };
    }
    before = row;
  }
  return new GeoTable(names, rows.inOrder());
}

/** Millions of them: as numbers in one list, not as objects. */
class Rows {
  static readonly #CELLS = 7;
  readonly #cells: number[] = [];
  #order: Uint32Array | undefined;

  get size(): number {
    return this.#cells.length / Rows.#CELLS;
  }

  push({ first, bits, region, line }: Row): void {
    this.#cells.push(...first, bits, line, region);
  }

  /** By address, and what others lie in before them. */
  *inOrder(): Iterable<Row> {
    this.#order ??= this.#sorted();
    for (const nth of this.#order) yield this.#row(nth);
  }

  /** Most tables come in order. */
  #sorted(): Uint32Array {
    const order = new Uint32Array(this.size).map((_, nth) => nth);
    const isSorted = order.every((nth) => nth === 0 || this.#compare(nth - 1, nth) <= 0);
    return isSorted ? order : order.sort(this.#compare);
  }

  #row(nth: number): Row {
    const at = nth * Rows.#CELLS;
    const cell = (which: number) => this.#cells[at + which] as number;
    const first: Ip = [cell(0), cell(1), cell(2), cell(3)];
    const [bits, line, region] = [cell(4), cell(5), cell(6)];
    return { first, last: edgeOf({ base: first, bits }, 0xffffffff), bits, region, line };
  }

  readonly #compare = (one: number, another: number): number => {
    for (let cell = 0; cell < Rows.#CELLS; cell++) {
      const a = this.#cells[one * Rows.#CELLS + cell] as number;
      const b = this.#cells[another * Rows.#CELLS + cell] as number;
      if (a !== b) return a - b;
    }
    return 0;
  };
}

/** One at a time: a table may be as long as a string can be. */
function* linesOf(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    yield text.slice(at, end === -1 ? text.length : end);
    if (end === -1) return;
    at = end + 1;
  }
}

function readRow(content: string, line: number, ids: Map<string, number>): Row | GeoProblem {
  const fields = content.split(',').map(unquoted);
  const [given = '', name = ''] = fields;
  const refuse = (problem: string): GeoProblem => ({ line, problem });
  if (fields.length !== 2) return refuse(`is not of the form network,region: ${shown(content)}`);
  const network = parseNetwork(given);
  if (network === undefined) {
    return refuse(`begins with ${shown(given)}, which is no address or network`);
  }
  const [first, last] = [edgeOf(network, 0), edgeOf(network, 0xffffffff)];
  if (compareIps(first, network.base) !== 0) {
    return refuse(`names ${shown(given)}, which has bits set after its prefix`);
  }
  const region = name.toLowerCase();
  if (!isRegionName(region)) return refuse(`has ${shown(name)} for a region`);
  const id = idOf(regionNamed(region), ids);
  if (id > REGIONS_MAX) return refuse(`names one more region than ${REGIONS_MAX}`);
  return { first, last, bits: network.bits, region: id, line };
}

function idOf(region: string, ids: Map<string, number>): number {
  const known = ids.get(region);
  if (known !== undefined) return known;
  ids.set(region, ids.size);
  return ids.size - 1;
}

/** The first or the last address: what is not of the prefix is all zeros, or all ones. */
function edgeOf({ base, bits }: Network, rest: number): Ip {
  const word = (nth: 0 | 1 | 2 | 3) => {
    const left = Math.min(32, Math.max(0, bits - 32 * nth));
    const free = left === 32 ? 0 : 0xffffffff >>> left;
    return ((base[nth] & ~free) | (rest & free)) >>> 0;
  };
  return [word(0), word(1), word(2), word(3)];
}

function unquoted(field: string): string {
  const bare = field.trim();
  const isQuoted = bare.startsWith('"') && /^"[^"]*"$/.test(bare);
  return isQuoted ? bare.slice(1, -1).trim() : bare;
}

function shown(text: string): string {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  const short = printable.length > SHOWN_LENGTH;
  return `'${short ? `${printable.slice(0, SHOWN_LENGTH)}…` : printable}'`;
}
