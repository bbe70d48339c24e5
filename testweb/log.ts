/**
 * What was asked, when, and how long it took: the server's own word on politeness.
 *
 * Columns instead of objects, 33 bytes a request: a numbered page is kept as its number, and only
 * other paths as text. Instants have fractions of a millisecond; a row is written when the request
 * arrives and completed when its answer ends (Infinity while it is open).
 */
import type { Web } from './web.ts';

export interface LogRow {
  readonly host: string;
  readonly url: string;
  readonly atMs: number;
  readonly endMs: number;
  readonly status: number;
  /** Whether the user agent named the crawler that this log was told to expect. */
  readonly named: boolean;
}

export interface Arrival {
  /** As `hostId` gives it. */
  readonly host: number;
  /** The resource number, or -1 when `path` is not a numbered page's own. */
  readonly resource: number;
  readonly path: string;
  readonly atMs: number;
  readonly status: number;
  readonly named: boolean;
}

const FIRST_ROWS = 1_024;
/** Stands for 127.0.0.1 itself: nobody should ever connect there. */
export const TRIPWIRE = 'tripwire';
export const UNKNOWN = 'unknown';

export class RequestLog {
  readonly #web: Web;
  readonly #names: string[];
  readonly #ids = new Map<string, number>();
  readonly #addresses: string[];
  #texts: string[] = [];
  #count = 0;
  /** Rows of earlier lives of the log, so that a request from before a reset ends nothing. */
  #past = 0;
  #at = new Float64Array(FIRST_ROWS);
  #end = new Float64Array(FIRST_ROWS);
  #host = new Int32Array(FIRST_ROWS);
  #page = new Int32Array(FIRST_ROWS);
  #status = new Uint16Array(FIRST_ROWS);
  #named = new Uint8Array(FIRST_ROWS);

  constructor(web: Web) {
    this.#web = web;
    const { hosts, specials } = web;
    this.#names = [...hosts.map((h) => h.name), ...specials.map((s) => s.hostName)];
    this.#addresses = [...hosts.map((h) => h.address), ...specials.map((s) => s.address)];
    this.#names.push(TRIPWIRE, UNKNOWN);
    this.#addresses.push('127.0.0.1', UNKNOWN);
    for (const [id, name] of this.#names.entries()) this.#ids.set(name, id);
  }

  hostId(name: string): number {
    return this.#ids.get(name) ?? this.#names.length - 1;
  }

  get length(): number {
    return this.#count;
  }

  /** Returns a ticket for `end`. */
  begin(arrival: Arrival): number {
    const row = this.#count++;
    if (row === this.#at.length) this.#grow();
    this.#at[row] = arrival.atMs;
    this.#end[row] = Number.POSITIVE_INFINITY;
    this.#host[row] = arrival.host;
    this.#page[row] = arrival.resource;
    if (arrival.resource < 0) this.#page[row] = -this.#texts.push(arrival.path);
    this.#status[row] = arrival.status;
    this.#named[row] = arrival.named ? 1 : 0;
    return this.#past + row;
  }

  end(ticket: number, atMs: number): void {
    if (ticket >= this.#past) this.#end[ticket - this.#past] = atMs;
  }

  reset(): void {
    this.#past += this.#count;
    this.#count = 0;
    this.#texts = [];
  }

  *requests(): Generator<LogRow> {
    for (let row = 0; row < this.#count; row++) yield this.row(row);
  }

  row(row: number): LogRow {
    const host = this.#names[this.#host[row]!]!;
    return {
      host,
      url: this.#urlOf(row),
      atMs: this.#at[row]!,
      endMs: this.#end[row]!,
      status: this.#status[row]!,
      named: this.#named[row] === 1,
    };
  }

  /** Columns for audit.ts, cut to length. */
  columns(): LogColumns {
    return {
      count: this.#count,
      at: this.#at,
      end: this.#end,
      host: this.#host,
      page: this.#page,
      status: this.#status,
      names: this.#names,
      addresses: this.#addresses,
      urlOf: (row) => this.#urlOf(row),
    };
  }

  #urlOf(row: number): string {
    const page = this.#page[row]!;
    const id = this.#host[row]!;
    if (page >= 0) return this.#web.urlOf(id, page);
    const path = this.#texts[-page - 1]!;
    const host = this.#web.hosts[id] ?? this.#web.specials[id - this.#web.hosts.length];
    return host === undefined ? path : host.origin + path;
  }

  #grow(): void {
    const size = this.#at.length * 2;
    const grown = <T extends Float64Array | Int32Array | Uint16Array | Uint8Array>(
      into: T,
      from: T,
    ): T => {
      into.set(from);
      return into;
    };
    this.#at = grown(new Float64Array(size), this.#at);
    this.#end = grown(new Float64Array(size), this.#end);
    this.#host = grown(new Int32Array(size), this.#host);
    this.#page = grown(new Int32Array(size), this.#page);
    this.#status = grown(new Uint16Array(size), this.#status);
    this.#named = grown(new Uint8Array(size), this.#named);
  }
}

export interface LogColumns {
  readonly count: number;
  readonly at: Float64Array;
  readonly end: Float64Array;
  readonly host: Int32Array;
  readonly page: Int32Array;
  readonly status: Uint16Array;
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  readonly urlOf: (row: number) => string;
}
