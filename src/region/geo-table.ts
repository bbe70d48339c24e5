/**
 * Networks and their regions, flattened: the whole space of addresses is cut where the region
 * changes, so that a look-up is one binary search, however deep networks lie in networks.
 *
 *   10.0.0.0/8 eu, 10.1.0.0/16 as   ─▶   from 10.0.0.0 eu │ 10.1.0.0 as │ 10.2.0.0 eu │ 11.0.0.0 none
 *
 * Of networks that hold an address the smallest counts. IPv4 is in it as ::ffff:a.b.c.d, like
 * everywhere (../fetch/ip.ts). Neighbours of one region are one range: a table of continents of a
 * million networks is a few megabytes.
 */
import { type Ip, parseIp } from '../fetch/ip.ts';

/** A network in the order of addresses; those it lies in come before it. */
export interface GeoNetwork {
  readonly first: Ip;
  readonly last: Ip;
  /** 0 is none. */
  readonly region: number;
}

export class GeoTable {
  readonly #names: readonly string[];
  /** The first address of each range, one word a column. */
  readonly #columns: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  readonly #regions: Uint16Array;

  /** `names[0]` is of no region. Networks that overlap otherwise than by nesting cannot be. */
  constructor(names: readonly string[], networks: Iterable<GeoNetwork>) {
    const { columns, regions } = flatten(networks);
    const [a, b, c, d] = columns;
    this.#names = names;
    this.#columns = [
      ...([Uint32Array.from(a), Uint32Array.from(b)] as const),
      ...([Uint32Array.from(c), Uint32Array.from(d)] as const),
    ];
    this.#regions = Uint16Array.from(regions);
  }

  get ranges(): number {
    return this.#regions.length;
  }

  /** Empty for what is no address, or in none of the networks. */
  regionOf(address: string): string {
    const ip = parseIp(address);
    if (ip === undefined) return '';
    let low = 0;
    for (let high = this.#regions.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (this.#isBeyond(middle, ip)) high = middle;
      else low = middle + 1;
    }
    return low === 0 ? '' : (this.#names[this.#regions[low - 1] as number] ?? '');
  }

  /** Does this range start after the address? */
  #isBeyond(range: number, ip: Ip): boolean {
    for (let word = 0; word < 4; word++) {
      const start = (this.#columns[word] as Uint32Array)[range] as number;
      const asked = ip[word] as number;
      if (start !== asked) return start > asked;
    }
    return false;
  }
}

/** Sweeps over the networks; those that are open lie in one another. */
function flatten(networks: Iterable<GeoNetwork>) {
  const ranges = new Ranges();
  const open: GeoNetwork[] = [];
  const endTop = () => {
    const next = nextIp((open.pop() as GeoNetwork).last);
    if (next !== undefined) ranges.begin(next, open.at(-1)?.region ?? 0);
  };
  const isOver = ({ first }: GeoNetwork) => {
    const top = open.at(-1);
    return top !== undefined && compareIps(top.last, first) < 0;
  };
  for (const network of networks) {
    while (isOver(network)) endTop();
    ranges.begin(network.first, network.region);
    open.push(network);
  }
  while (open.length > 0) endTop();
  return ranges;
}

/** Ranges as they grow; one that would say the same as the one before it is not begun. */
class Ranges {
  readonly columns: readonly [number[], number[], number[], number[]] = [[], [], [], []];
  readonly regions: number[] = [];

  begin(start: Ip, region: number): void {
    if (this.#isLast(start)) {
      for (const column of this.columns) column.pop();
      this.regions.pop();
    }
    if ((this.regions.at(-1) ?? 0) === region) return;
    for (const [word, column] of this.columns.entries()) column.push(start[word] as number);
    this.regions.push(region);
  }

  /** A network that begins where the one that it lies in begins. */
  #isLast(start: Ip): boolean {
    return this.columns.every((column, word) => column.at(-1) === start[word]);
  }
}

export function compareIps(one: Ip, another: Ip): number {
  for (let word = 0; word < 4; word++) {
    const [a, b] = [one[word] as number, another[word] as number];
    if (a !== b) return a < b ? -1 : 1;
  }
  return 0;
}

/** Undefined after the last of all addresses. */
function nextIp(ip: Ip): Ip | undefined {
  const next = [...ip] as [number, number, number, number];
  for (let word = 3; word >= 0; word--) {
    next[word] = ((next[word] as number) + 1) >>> 0;
    if (next[word] !== 0) return next;
  }
  return undefined;
}
