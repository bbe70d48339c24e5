/**
 * What is read, each from one partition at a time, in the order in which it lies there.
 *
 * In key order, the whole is: first bytes of a key, the places under each, the URLs of each place.
 */
import type { Instant } from '../../base/instant.ts';
import type { Due } from '../../ports/shard-store.ts';
import type { HostKey, UrlKey } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import { dayOf, nameOf } from './draft.ts';
import type { Link } from './link.ts';
import {
  hashOf,
  placeOf,
  stateIn,
  URL_ROW,
  type UrlRow,
  type UrlState,
  type WaitRow,
} from './rows.ts';

export const ARCS = 64;
/** In one question, of one partition. */
const KEYS_AT_ONCE = 100;
const PLACES_AT_ONCE = 32;
const SLICES_AT_ONCE = 32;
const FIRST = Buffer.alloc(0);

const CQL = {
  known: 'SELECT place, hash FROM @url WHERE crawl = ? AND place = ? AND hash IN ?',
  urls: `SELECT ${URL_ROW} FROM @url WHERE crawl = ? AND place = ? AND hash IN ?`,
  traces: 'SELECT place, hash, bytes FROM @trace WHERE crawl = ? AND place = ? AND hash IN ?',
  places: 'SELECT place FROM @site WHERE crawl = ? AND arc = ? AND place > ? LIMIT ?',
  keysOf: 'SELECT place, hash FROM @url WHERE crawl = ? AND place = ? AND hash > ? LIMIT ?',
  urlsOf: `SELECT ${URL_ROW} FROM @url WHERE crawl = ? AND place = ? AND hash > ? LIMIT ?`,
  waiting: `SELECT rank, hash, url, waiting FROM @waiting
    WHERE crawl = ? AND host = ? AND (rank, hash) > (?, ?) LIMIT ?`,
  hosts: 'SELECT key, record FROM @host WHERE crawl = ? AND slice = ? AND key > ? LIMIT ?',
  host: 'SELECT record FROM @host WHERE crawl = ? AND slice = ? AND key = ?',
  hostMore: 'SELECT robots, sketch FROM @host_more WHERE crawl = ? AND key = ?',
  days: 'SELECT day FROM @due_day WHERE crawl = ? AND arc = ? AND day >= ? AND day <= ?',
  due: `SELECT at, key FROM @due WHERE crawl = ? AND arc = ? AND day = ?
    AND at >= ? AND at <= ? LIMIT ?`,
} as const;

export interface KeyRow {
  readonly place: Buffer;
  readonly hash: Buffer;
}

export function keyIn({ place, hash }: KeyRow): UrlKey {
  return Buffer.concat([place, hash]);
}

export class Reads {
  readonly #link: Link;
  readonly #crawl: string;

  constructor(link: Link, crawl: string) {
    this.#link = link;
    this.#crawl = crawl;
  }

  async known(keys: readonly UrlKey[]): Promise<ReadonlySet<string>> {
    return new Set((await this.#byKey<KeyRow>(CQL.known, keys)).map((row) => nameOf(keyIn(row))));
  }

  async states(keys: readonly UrlKey[]): Promise<ReadonlyMap<string, UrlState>> {
    const rows = await this.#byKey<UrlRow>(CQL.urls, keys);
    return new Map(rows.map(stateIn).map((state) => [nameOf(state.key), state]));
  }

  async traces(keys: readonly UrlKey[]): Promise<ReadonlyMap<string, Buffer>> {
    const rows = await this.#byKey<KeyRow & { bytes: Buffer }>(CQL.traces, keys);
    return new Map(rows.map((row) => [nameOf(keyIn(row)), row.bytes]));
  }

  /** The next URLs in key order. */
  async urls(after: UrlKey | undefined, limit: number): Promise<UrlState[]> {
    return (await this.#inOrder<UrlRow>(CQL.urlsOf, after, limit)).map(stateIn);
  }

  async keys(after: UrlKey | undefined, limit: number): Promise<UrlKey[]> {
    return (await this.#inOrder<KeyRow>(CQL.keysOf, after, limit)).map(keyIn);
  }

  waiting(host: HostKey, rank: number, hash: Buffer, limit: number): Promise<WaitRow[]> {
    return this.#link.run<WaitRow>(CQL.waiting, [this.#crawl, host, rank, hash, limit]);
  }

  /** Records of hosts in key order; of one piece of the circle while the next ones are asked for. */
  async *hosts(from: number, to: number, limit: number): AsyncIterable<readonly Buffer[]> {
    const slices = Array.from({ length: to - from + 1 }, (_, nth) => from + nth);
    for (const some of inPieces(slices, SLICES_AT_ONCE)) {
      const firsts = await this.#link.each(some, (slice) => this.#hostsAfter(slice, FIRST, limit));
      for (const [nth, first] of firsts.entries()) {
        for (let rows = first; rows.length > 0; ) {
          yield rows.map(({ record }) => record);
          const last = rows.at(-1)?.key ?? FIRST;
          rows = rows.length < limit ? [] : await this.#hostsAfter(some[nth] ?? 0, last, limit);
        }
      }
    }
  }

  #hostsAfter(slice: number, key: Buffer, limit: number) {
    type Row = { readonly key: Buffer; readonly record: Buffer };
    return this.#link.run<Row>(CQL.hosts, [this.#crawl, slice, key, limit]);
  }

  async host(key: HostKey) {
    type More = { robots: Buffer | null; sketch: Buffer | null };
    const [[own], [more]] = await Promise.all([
      this.#link.run<{ record: Buffer }>(CQL.host, [this.#crawl, key[0], key]),
      this.#link.run<More>(CQL.hostMore, [this.#crawl, key]),
    ]);
    return own && { record: own.record, robots: more?.robots, sketch: more?.sketch };
  }

  /** Of one arc, earliest first. */
  async due(arc: number, from: Instant, until: Instant, limit: number): Promise<Due[]> {
    const days = [this.#crawl, arc, dayOf(from), dayOf(until)];
    const found: Due[] = [];
    for (const { day } of await this.#link.run<{ day: number }>(CQL.days, days)) {
      const values = [this.#crawl, arc, day, from, until, limit - found.length];
      found.push(
        ...(await this.#link.run<Due>(CQL.due, values)).map(({ at, key }) => ({ at, key })),
      );
      if (found.length >= limit) break;
    }
    return found;
  }

  async #byKey<R extends object>(text: string, keys: readonly UrlKey[]): Promise<R[]> {
    const places = new Map<string, UrlKey[]>();
    for (const key of new Map(keys.map((one) => [nameOf(one), one])).values()) {
      const name = nameOf(placeOf(key));
      const group = places.get(name);
      if (group === undefined) places.set(name, [key]);
      else group.push(key);
    }
    const groups = [...places.values()].flatMap((all) => inPieces(all, KEYS_AT_ONCE));
    const rows = await this.#link.each(groups, (group) =>
      this.#link.run<R>(text, [this.#crawl, placeOf(group[0] as UrlKey), group.map(hashOf)]),
    );
    return rows.flat();
  }

  async #inOrder<R extends object>(text: string, after: UrlKey | undefined, limit: number) {
    const read = (place: Buffer, hash: Buffer) =>
      this.#link.run<R>(text, [this.#crawl, place, hash, limit]);
    const found = after === undefined ? [] : [...(await read(placeOf(after), hashOf(after)))];
    for await (const places of this.#places(after)) {
      if (found.length >= limit) break;
      found.push(...(await this.#link.each(places, (place) => read(place, FIRST))).flat());
    }
    return found.slice(0, limit);
  }

  /** Places after that of a key, some at a time; arcs that are empty are passed ever faster. */
  async *#places(after: UrlKey | undefined): AsyncIterable<readonly Buffer[]> {
    let [arc, place] = after === undefined ? [0, FIRST] : [arcOf(after), placeOf(after)];
    for (let width = 1; arc < ARCS; ) {
      const arcs = Array.from({ length: Math.min(width, ARCS - arc) }, (_, nth) => arc + nth);
      const places = await this.#link.each(arcs, (one) =>
        this.#placesAfter(one, one === arc ? place : FIRST),
      );
      const full = places.findIndex(({ length }) => length === PLACES_AT_ONCE);
      const piece = (full < 0 ? places : places.slice(0, full + 1)).flat();
      if (piece.length > 0) yield piece;
      arc += full < 0 ? arcs.length : full;
      place = full < 0 ? FIRST : (piece.at(-1) as Buffer);
      width = piece.length < PLACES_AT_ONCE ? width * 2 : 1;
    }
  }

  async #placesAfter(arc: number, place: Buffer): Promise<Buffer[]> {
    const values = [this.#crawl, arc, place, PLACES_AT_ONCE];
    const rows = await this.#link.run<{ place: Buffer }>(CQL.places, values);
    return rows.map((row) => row.place);
  }
}

function inPieces<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, nth) =>
    all.slice(nth * size, (nth + 1) * size),
  );
}
