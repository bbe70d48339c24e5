/**
 * Lines in order, whatever their number: sorted in memory as far as there is room, then as runs
 * on disk that are merged while they are read.
 *
 *   add ─▶ 32 MB of lines ─▶ sort ─▶ run 1, run 2 … ─▶ merge ─▶ read
 *
 * Lines are ASCII where they differ, so the order of strings is the order of bytes.
 */
import type { RunFiles } from '../../ports/run-files.ts';

const MEMORY_CHARACTERS = 32 << 20;
const CHUNK_CHARACTERS = 64 << 10;

export interface SortedLinesOptions {
  /** Of its runs, where others are kept in the same place. */
  readonly name?: string;
  readonly memoryCharacters?: number;
}

export class SortedLines {
  readonly #runs: RunFiles;
  readonly #name: string;
  readonly #memoryCharacters: number;
  #lines: string[] = [];
  #characters = 0;
  #written = 0;

  constructor(runs: RunFiles, options: SortedLinesOptions = {}) {
    const { name = 'lines', memoryCharacters = MEMORY_CHARACTERS } = options;
    this.#runs = runs;
    this.#name = name;
    this.#memoryCharacters = memoryCharacters;
  }

  /** A line without its end. */
  async add(line: string): Promise<void> {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= this.#memoryCharacters) await this.#spill();
  }

  /** All lines, once. */
  async *read(): AsyncIterable<string> {
    const rest = this.#lines.sort();
    const readers = [each(rest)];
    for (let nth = 1; nth <= this.#written; nth++) {
      readers.push(linesOf((await this.#runs.read(`${this.#name}-${nth}`)) ?? none()));
    }
    yield* readers.length === 1 ? rest : merge(readers);
  }

  async #spill(): Promise<void> {
    const writer = await this.#runs.write(`${this.#name}-${++this.#written}`);
    try {
      for (const chunk of chunksOf(this.#lines.sort())) await writer.add(Buffer.from(chunk));
      await writer.done();
    } catch (error) {
      await writer.cancel();
      throw error;
    }
    this.#lines = [];
    this.#characters = 0;
  }
}

function* chunksOf(lines: readonly string[]): Iterable<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += `${line}\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** A chunk holds whole lines. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const chunk of chunks) yield* chunk.toString().slice(0, -1).split('\n');
}

interface Head {
  readonly line: string;
  readonly from: AsyncGenerator<string>;
}

/** There are few runs (300 for ten million pages), so the smallest head is simply looked for. */
async function* merge(readers: readonly AsyncGenerator<string>[]): AsyncIterable<string> {
  let heads: Head[] = [];
  try {
    for (const from of readers) heads = [...heads, ...(await next(from))];
    while (heads.length > 0) {
      const least = heads.reduce((a, b) => (b.line < a.line ? b : a));
      yield least.line;
      const [following] = await next(least.from);
      heads =
        following === undefined
          ? heads.filter((head) => head !== least)
          : heads.map((head) => (head === least ? following : head));
    }
  } finally {
    await Promise.all(readers.map((from) => from.return(undefined)));
  }
}

async function next(from: AsyncGenerator<string>): Promise<Head[]> {
  const { done, value } = await from.next();
  return done === true ? [] : [{ line: value, from }];
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function* none(): AsyncGenerator<Buffer> {}
