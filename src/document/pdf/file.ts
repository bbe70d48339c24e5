/**
 * A PDF as numbered objects: looked up where the file says, or where they were found.
 *
 * Limits: objects, bytes that come out of filters (all streams together), references in a row.
 */
import { type Crypt, openCrypt } from './crypt.ts';
import { unfilter } from './filters.ts';
import { readIndirect } from './indirect.ts';
import { Lexer } from './lexer.ts';
import {
  type Dict,
  isDict,
  Keyword,
  nameIn,
  numberIn,
  PdfProblem,
  Ref,
  Stream,
  type Value,
} from './objects.ts';
import { readValue } from './parse.ts';
import { repairPlaces } from './repair.ts';
import { findPlaces, type Place, type Places } from './xref.ts';

/** Bytes that all streams together may unfold to. */
const UNFILTERED_BYTES_MAX = 200 * 1024 * 1024;
/** And one of them: pages and fonts are smaller, pictures are not unfolded. */
const STREAM_BYTES_MAX = 32 * 1024 * 1024;
const REFS_MAX = 32;
/** Objects in one object stream; writers put a hundred or two. */
const PACKED_MAX = 50_000;
const HEADER_BYTES = 1_024;

export class PdfFile {
  readonly #bytes: Uint8Array;
  #places: Places;
  #crypt: Crypt | undefined;
  #isRepaired = false;
  #unfiltered = 0;
  #isSwollen = false;
  readonly #cache = new Map<number, Value>();
  readonly #opening = new Set<number>();
  readonly #objectStreams = new Map<number, ReadonlyMap<number, Value>>();

  constructor(whole: Uint8Array) {
    const header = headerAt(whole);
    this.#bytes = header > 0 ? whole.subarray(header) : whole;
    const places = findPlaces(this.#bytes);
    this.#places = places ?? { objects: new Map(), trailer: new Map() };
    if (places === undefined) this.#repair();
    else {
      this.#decrypt();
      if (!isDict(this.resolve(this.catalog.get('Pages')))) this.#repair();
    }
  }

  /** Was the file broken or cut? */
  get isRepaired(): boolean {
    return this.#isRepaired;
  }

  /** Did something unfold to more than is read? */
  get isSwollen(): boolean {
    return this.#isSwollen;
  }

  get catalog(): Dict {
    const root = this.resolve(this.#places.trailer.get('Root'));
    if (isDict(root)) return root;
    const found = this.#places.trailer.get('RecoveredRoot');
    return isDict(found) ? found : NO_DICT;
  }

  get facts(): Dict {
    return this.dict(this.#places.trailer.get('Info'));
  }

  dict(value: Value | undefined): Dict {
    const found = this.resolve(value);
    return isDict(found) ? found : found instanceof Stream ? found.dict : NO_DICT;
  }

  list(value: Value | undefined): readonly Value[] {
    const found = this.resolve(value);
    return Array.isArray(found) ? found : [];
  }

  /** Follows references; null when they lead nowhere. */
  resolve(value: Value | undefined): Value {
    let found = value;
    for (let i = 0; found instanceof Ref; i++) {
      if (i >= REFS_MAX) return null;
      found = this.#object(found.num);
    }
    return found ?? null;
  }

  /** What a stream holds; undefined when a picture's filter is on it, or the budget is spent. */
  unfiltered({ dict, raw }: Stream): Uint8Array | undefined {
    const room = Math.min(STREAM_BYTES_MAX, UNFILTERED_BYTES_MAX - this.#unfiltered);
    this.#isSwollen ||= room <= 0;
    if (room <= 0) return undefined;
    const bytes = unfilter(raw, dict, (value) => this.resolve(value), room);
    this.#unfiltered += bytes?.length ?? 0;
    this.#isSwollen ||= bytes !== undefined && bytes.length >= room;
    return bytes;
  }

  /** Every object, in the order of the file's own list; for files whose tree of pages is lost. */
  *objects(): Iterable<Value> {
    for (const num of [...this.#places.objects.keys()]) yield this.#object(num);
  }

  #object(num: number): Value {
    const known = this.#cache.get(num);
    if (known !== undefined) return known;
    if (this.#opening.has(num)) return null;
    this.#opening.add(num);
    const value = this.#read(num);
    this.#opening.delete(num);
    this.#cache.set(num, value);
    return value;
  }

  #read(num: number): Value {
    const place = this.#places.objects.get(num);
    if (place === undefined) return null;
    if ('inStream' in place) return this.#objectsIn(place.inStream).get(num) ?? null;
    const found = this.#readAt(place.at, num);
    if (found !== undefined) return found;
    if (this.#isRepaired) return null;
    this.#repair();
    return this.#read(num);
  }

  #readAt(at: number, num: number): Value | undefined {
    const object = readIndirect(this.#bytes, at, (ref) => numberIn(this.resolve(ref), -1));
    if (object === undefined || object.num !== num) return undefined;
    return this.#crypt?.open(object.value, num, object.gen) ?? object.value;
  }

  #objectsIn(num: number): ReadonlyMap<number, Value> {
    const known = this.#objectStreams.get(num);
    if (known !== undefined) return known;
    this.#objectStreams.set(num, new Map());
    const place = this.#places.objects.get(num);
    const stream = place !== undefined && 'at' in place ? this.#object(num) : null;
    const objects = stream instanceof Stream ? this.#unpack(stream) : new Map();
    this.#objectStreams.set(num, objects);
    return objects;
  }

  #unpack(stream: Stream): Map<number, Value> {
    const found = new Map<number, Value>();
    const bytes = this.unfiltered(stream);
    const first = numberIn(this.resolve(stream.dict.get('First')), 0);
    const count = numberIn(this.resolve(stream.dict.get('N')), 0);
    if (bytes === undefined) return found;
    const lexer = new Lexer(bytes);
    for (let i = 0; i < Math.min(count, PACKED_MAX); i++) {
      const [num, offset] = [lexer.next(), lexer.next()];
      if (typeof num !== 'number' || typeof offset !== 'number') break;
      const value = readValue(new Lexer(bytes, first + offset), true);
      if (value !== undefined && !(value instanceof Keyword)) found.set(num, value);
    }
    return found;
  }

  #repair(): void {
    const repaired = repairPlaces(this.#bytes);
    this.#isRepaired = true;
    this.#places = repaired;
    this.#cache.clear();
    this.#objectStreams.clear();
    this.#decrypt();
    for (const num of repaired.objectStreams) {
      for (const inner of this.#objectsIn(num).keys()) {
        const place: Place = { inStream: num, nth: 0 };
        if (!this.#places.objects.has(inner)) this.#places.objects.set(inner, place);
      }
    }
    if (isDict(this.resolve(this.#places.trailer.get('Root')))) return;
    for (const value of this.objects()) {
      if (!isDict(value) || nameIn(value.get('Type')) !== 'Catalog') continue;
      repaired.trailer.set('RecoveredRoot', value);
    }
  }

  #decrypt(): void {
    this.#crypt = undefined;
    const encrypt = this.#places.trailer.get('Encrypt');
    if (encrypt === undefined || encrypt === null) return;
    const dict = this.resolve(encrypt);
    if (!isDict(dict)) throw new PdfProblem('encrypted, and how is not said');
    const [id] = this.list(this.#places.trailer.get('ID'));
    const first = this.resolve(id);
    this.#crypt = openCrypt(dict, first instanceof Uint8Array ? first : NO_BYTES, (value) =>
      this.resolve(value),
    );
    this.#cache.clear();
    // Its own strings are never encrypted.
    if (encrypt instanceof Ref) this.#cache.set(encrypt.num, dict);
  }
}

const NO_DICT: Dict = new Map();
const NO_BYTES = new Uint8Array(0);

/** Bytes in front of the header are not the PDF's: its places count from the header. */
function headerAt(bytes: Uint8Array): number {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_BYTES));
  return Math.max(0, start.indexOf('%PDF-', 0, 'latin1'));
}
