/**
 * A seen filter kept over a clean stop, so that the next start need not read all keys again.
 *
 *   0      4         8       16               24 + 40·n           … words of each generation
 *   ┌──────┬─────────┬───────┬────────────────┬───────────────────┬────────────── …
 *   │ OWSF │ version │ count │ target rate    │ n × generation    │ words │ words
 *   └──────┴─────────┴───────┴────────────────┴───────────────────┴────────────── …
 *   generation: capacity, added, bits (float64), probes, crc of the words (uint32), 8 spare
 *   The head ends with its own crc. Words are in this machine's byte order, as is the magic.
 *
 * A filter that misses a key makes a known URL new, so a snapshot must never be older than the
 * store: loadFilter() removes it before anything is added, and a crash after that finds none.
 * One that is damaged, of another version or for another rate is as good as none.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type GenerationState, Generations } from '../../seen/index.ts';
import { crc32 } from './crc.ts';
import { diskError, syncFolder, writeAll } from './disk.ts';

const NATIVE_MAGIC = Buffer.from(new Uint32Array([0x4f575346]).buffer);
const VERSION = 1;
const HEAD_BYTES = 24;
const ENTRY_BYTES = 40;
const CRC_BYTES = 4;
/** Generations double, so more than this is a damaged count. */
const GENERATIONS_MAX = 64;
const CHUNK_BYTES = 8 * 1024 * 1024;

export async function saveFilter(path: string, generations: Generations): Promise<void> {
  const unfinished = `${path}.new`;
  try {
    const file = await open(unfinished, 'w');
    try {
      await write(file, generations);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw diskError(error, path);
  }
}

/** The filter of the last clean stop, once; undefined when there is none that can be used. */
export async function loadFilter(
  path: string,
  falsePositiveRate: number,
): Promise<Generations | undefined> {
  try {
    const file = await open(path, 'r');
    let states: readonly GenerationState[] | undefined;
    try {
      states = await read(file, falsePositiveRate);
    } finally {
      await file.close();
    }
    await rm(path);
    await syncFolder(dirname(path));
    return states && Generations.restore(falsePositiveRate, states);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw diskError(error, path);
  }
}

async function write(file: FileHandle, generations: Generations): Promise<void> {
  const states = generations.states();
  const crcs: number[] = [];
  let at = headBytes(states.length);
  for (const { words } of states) {
    let crc = 0;
    for (const chunk of chunksOf(words)) {
      crc = crc32(chunk, crc);
      await writeAll(file, [chunk], at);
      at += chunk.length;
    }
    crcs.push(crc);
  }
  await writeAll(file, [encodeHead(generations.target, states, crcs)], 0);
}

async function read(file: FileHandle, target: number): Promise<GenerationState[] | undefined> {
  const head = decodeHead(await readSome(file, 0, headBytes(GENERATIONS_MAX)), target);
  if (head === undefined) return undefined;
  let at = headBytes(head.length);
  const bytes = head.reduce((sum, { size }) => sum + size.bits / 8, at);
  if ((await file.stat()).size !== bytes) return undefined;
  const states: GenerationState[] = [];
  for (const { crc: expected, ...state } of head) {
    const words = new Uint32Array(state.size.bits / 32);
    let crc = 0;
    for (const chunk of chunksOf(words)) {
      await file.read(chunk, 0, chunk.length, at);
      crc = crc32(chunk, crc);
      at += chunk.length;
    }
    if (crc !== expected) return undefined;
    states.push({ ...state, words });
  }
  return states;
}

interface Entry extends Omit<GenerationState, 'words'> {
  readonly crc: number;
}

function headBytes(generations: number): number {
  return HEAD_BYTES + generations * ENTRY_BYTES + CRC_BYTES;
}

function encodeHead(target: number, states: readonly GenerationState[], crcs: number[]): Buffer {
  const head = Buffer.alloc(headBytes(states.length));
  head.set(NATIVE_MAGIC, 0);
  head.writeUInt32LE(VERSION, 4);
  head.writeUInt32LE(states.length, 8);
  head.writeDoubleLE(target, 16);
  for (const [i, { capacity, added, size }] of states.entries()) {
    const at = HEAD_BYTES + i * ENTRY_BYTES;
    head.writeDoubleLE(capacity, at);
    head.writeDoubleLE(added, at + 8);
    head.writeDoubleLE(size.bits, at + 16);
    head.writeUInt32LE(size.probes, at + 24);
    head.writeUInt32LE(crcs[i] as number, at + 28);
  }
  head.writeUInt32LE(crc32(head.subarray(0, -CRC_BYTES)), head.length - CRC_BYTES);
  return head;
}

function decodeHead(bytes: Buffer, target: number): readonly Entry[] | undefined {
  if (bytes.length < headBytes(1) || bytes.compare(NATIVE_MAGIC, 0, 4, 0, 4) !== 0)
    return undefined;
  const count = bytes.readUInt32LE(8);
  if (bytes.readUInt32LE(4) !== VERSION || count < 1 || count > GENERATIONS_MAX) return undefined;
  const end = headBytes(count) - CRC_BYTES;
  if (end + CRC_BYTES > bytes.length) return undefined;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) return undefined;
  if (bytes.readDoubleLE(16) !== target) return undefined;
  return Array.from({ length: count }, (_, i) => decodeEntry(bytes, HEAD_BYTES + i * ENTRY_BYTES));
}

function decodeEntry(bytes: Buffer, at: number): Entry {
  return {
    capacity: bytes.readDoubleLE(at),
    added: bytes.readDoubleLE(at + 8),
    size: { bits: bytes.readDoubleLE(at + 16), probes: bytes.readUInt32LE(at + 24) },
    crc: bytes.readUInt32LE(at + 28),
  };
}

/** The words as bytes, in views that share their memory. */
function* chunksOf(words: Uint32Array): Iterable<Buffer> {
  for (let at = 0; at < words.byteLength; at += CHUNK_BYTES) {
    const bytes = Math.min(CHUNK_BYTES, words.byteLength - at);
    yield Buffer.from(words.buffer, words.byteOffset + at, bytes);
  }
}

async function readSome(file: FileHandle, at: number, bytesMax: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, at);
  return buffer.subarray(0, bytesRead);
}
