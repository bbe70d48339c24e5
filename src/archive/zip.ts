/**
 * The parts of a ZIP file around its entries, which are stored as they are: what is in a WACZ
 * is compressed already, and a reader asks for ranges of it.
 *
 *   ┌ local head ┐┌ bytes ┐ × n   ┌ central directory ┐ ┌ end ┐
 *
 * A local head is as long before its entry is written as after, so it can be put in place once
 * size and checksum are known: there is room in it for the fields of ZIP64, in use or as padding.
 * ZIP64 is written where a size, a place or a count does not fit the old fields.
 */
import type { Instant } from '../base/instant.ts';

export interface ZipEntry {
  readonly name: string;
  readonly at: number;
  readonly bytes: number;
  readonly crc32: number;
}

const MAX_32 = 0xffffffff;
const MAX_16 = 0xffff;
const ZIP64 = 0x0001;
/** An id for extra fields that only take room: as much as the sizes of ZIP64. */
const PADDING = 0xd935;
const VERSION_64 = 45;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const MADE_ON_UNIX = 3 << 8;
const FILE_MODE = (0o100644 << 16) >>> 0;

export function zipLocalHead({ name, bytes, crc32 }: ZipEntry, at: Instant): Buffer {
  const is64 = bytes >= MAX_32;
  const sizes = () => new Fields().u16(ZIP64).u16(16).u64(bytes).u64(bytes).bytes();
  const extra = is64 ? sizes() : padding();
  const fields = new Fields().u32(0x04034b50).u16(is64 ? VERSION_64 : VERSION);
  common(fields, crc32, is64 ? MAX_32 : bytes, at);
  const nameBytes = Buffer.from(name);
  fields.u16(nameBytes.length).u16(extra.length);
  return Buffer.concat([fields.bytes(), nameBytes, extra]);
}

export function zipDirectory(entries: readonly ZipEntry[], start: number, at: Instant): Buffer {
  const rows = Buffer.concat(entries.map((entry) => directoryRow(entry, at)));
  return Buffer.concat([rows, zipEnd(entries.length, start, rows.length)]);
}

function directoryRow({ name, at: place, bytes, crc32 }: ZipEntry, at: Instant): Buffer {
  const extra = new Fields();
  if (bytes >= MAX_32) extra.u64(bytes).u64(bytes);
  if (place >= MAX_32) extra.u64(place);
  const is64 = extra.length > 0;
  // wabac takes a row without extra fields to mean that there are none in the local head either.
  const tagged = is64 ? Buffer.concat([tag(extra.length), extra.bytes()]) : padding();
  const version = is64 ? VERSION_64 : VERSION;
  const fields = new Fields()
    .u32(0x02014b50)
    .u16(MADE_ON_UNIX | version)
    .u16(version);
  common(fields, crc32, Math.min(bytes, MAX_32), at);
  const nameBytes = Buffer.from(name);
  fields.u16(nameBytes.length).u16(tagged.length).u16(0).u16(0).u16(0);
  fields.u32(FILE_MODE).u32(Math.min(place, MAX_32));
  return Buffer.concat([fields.bytes(), nameBytes, tagged]);
}

function padding(): Buffer {
  return new Fields().u16(PADDING).u16(16).u64(0).u64(0).bytes();
}

function tag(length: number): Buffer {
  return new Fields().u16(ZIP64).u16(length).bytes();
}

/** Flags, method 'stored', instant, checksum and both sizes: the same in both places. */
function common(fields: Fields, crc32: number, bytes: number, at: Instant): void {
  const { date, time } = dosInstant(at);
  fields.u16(UTF8_NAMES).u16(0).u16(time).u16(date).u32(crc32).u32(bytes).u32(bytes);
}

function zipEnd(count: number, start: number, bytes: number): Buffer {
  const is64 = count >= MAX_16 || start >= MAX_32 || bytes >= MAX_32;
  const end = new Fields();
  if (is64) {
    end
      .u32(0x06064b50)
      .u64(44)
      .u16(MADE_ON_UNIX | VERSION_64)
      .u16(VERSION_64)
      .u32(0)
      .u32(0);
    end.u64(count).u64(count).u64(bytes).u64(start);
    end
      .u32(0x07064b50)
      .u32(0)
      .u64(start + bytes)
      .u32(1);
  }
  const few = Math.min(count, MAX_16);
  end.u32(0x06054b50).u16(0).u16(0).u16(few).u16(few);
  return end.u32(Math.min(bytes, MAX_32)).u32(Math.min(start, MAX_32)).u16(0).bytes();
}

function dosInstant(at: Instant): { date: number; time: number } {
  const d = new Date(at);
  const year = Math.min(Math.max(d.getUTCFullYear(), 1980), 2107);
  const date = ((year - 1980) << 9) | ((d.getUTCMonth() + 1) << 5) | d.getUTCDate();
  const time = (d.getUTCHours() << 11) | (d.getUTCMinutes() << 5) | (d.getUTCSeconds() >> 1);
  return { date, time };
}

class Fields {
  readonly #parts: Buffer[] = [];
  length = 0;

  u16(value: number): this {
    return this.#add(value, 2);
  }

  u32(value: number): this {
    return this.#add(value, 4);
  }

  u64(value: number): this {
    return this.u32(value % 2 ** 32).u32(Math.floor(value / 2 ** 32));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #add(value: number, bytes: number): this {
    const part = Buffer.alloc(bytes);
    part.writeUIntLE(value, 0, bytes);
    this.#parts.push(part);
    this.length += bytes;
    return this;
  }
}
