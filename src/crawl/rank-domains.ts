/**
 * How many other registrable domains link to each host: an external sort.
 *
 *   graph ──→ (target, domain) ──→ sorted runs of fixed size ──→ merged, repeats left out
 *                                                                       │ counted by target,
 *   vector of counts in the order of the graph ←── joined ←─────────────┘ in key order
 *
 * Memory: one run of pairs (26 MB at a quarter of a million), then a chunk of each of up to
 * sixteen runs; sixteen runs are merged into one before there is another.
 */
import type { RunFiles } from '../ports/run-files.ts';
import { DOMAIN_KEY_BYTES, decodeHostLinks } from '../quality/index.ts';
import { HOST_KEY_BYTES } from '../record/index.ts';
import { GRAPH } from './rank-graph.ts';
import { readRows, VectorWriter } from './rank-rows.ts';

export const IN_DOMAINS = 'in-domains';
export const RUN_PAIRS = 1 << 18;
const RUNS_MAX = 16;
const PAIR_BYTES = HOST_KEY_BYTES + DOMAIN_KEY_BYTES;
const PAIRS_PER_CHUNK = 8_192;

/** A pair as 18 characters of a byte each: they sort as the bytes do. */
type Pair = string;

export async function countDomains(files: RunFiles, runPairs: number): Promise<void> {
  const runs = await writeRuns(files, runPairs);
  const counts = new Counts(mergedOf(files, runs));
  const writer = await VectorWriter.open(files, IN_DOMAINS);
  await counts.next();
  for await (const row of readRows(files, GRAPH)) {
    const key = row.toString('latin1', 0, HOST_KEY_BYTES);
    // Targets that are no hosts of this crawl are passed over.
    while (counts.target !== '' && counts.target < key) await counts.next();
    await writer.add(counts.target === key ? counts.domains : 0);
  }
  await counts.close();
  await writer.done();
  for (const run of runs) await files.drop(run);
}

/** Answers the names of the runs, at most sixteen. */
async function writeRuns(files: RunFiles, runPairs: number): Promise<string[]> {
  let runs: string[] = [];
  let made = 0;
  let pairs: Pair[] = [];
  const close = async () => {
    if (pairs.length === 0) return;
    const name = `domains-${made++}`;
    await writeRun(files, name, distinct(pairs.sort()));
    pairs = [];
    runs.push(name);
    if (runs.length < RUNS_MAX) return;
    const merged = `domains-${made++}`;
    await writeRun(files, merged, mergedOf(files, runs));
    for (const run of runs) await files.drop(run);
    runs = [merged];
  };
  for await (const row of readRows(files, GRAPH)) {
    const { targets, isNear, domain } = decodeHostLinks(row);
    const from = domain.toString('latin1');
    for (const [i, near] of isNear.entries()) {
      if (near) continue;
      const at = i * HOST_KEY_BYTES;
      pairs.push(targets.toString('latin1', at, at + HOST_KEY_BYTES) + from);
    }
    if (pairs.length >= runPairs) await close();
  }
  await close();
  return runs;
}

async function writeRun(
  files: RunFiles,
  name: string,
  batches: Iterable<Pair[]> | AsyncIterable<Pair[]>,
): Promise<void> {
  const writer = await files.write(name);
  for await (const batch of batches) await writer.add(Buffer.from(batch.join(''), 'latin1'));
  await writer.done();
}

/** The pairs of a sorted list, each once, in batches. */
function* distinct(sorted: readonly Pair[]): Iterable<Pair[]> {
  let batch: Pair[] = [];
  let last: Pair = '';
  for (const pair of sorted) {
    if (pair !== last) batch.push(pair);
    last = pair;
    if (batch.length < PAIRS_PER_CHUNK) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** One run, read pair by pair; only a new chunk is waited for. */
class RunReader {
  /** The next pair; empty at the end. */
  head: Pair = '';
  readonly #chunks: AsyncGenerator<Buffer>;
  #text = '';
  #at = 0;

  constructor(files: RunFiles, name: string) {
    this.#chunks = chunksOf(files, name);
  }

  /** False when the next chunk is needed first. */
  advance(): boolean {
    if (this.#at === this.#text.length) return false;
    this.head = this.#text.slice(this.#at, this.#at + PAIR_BYTES);
    this.#at += PAIR_BYTES;
    return true;
  }

  async fill(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    this.#text = done ? '' : value.toString('latin1');
    this.#at = 0;
    if (!this.advance()) this.head = '';
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }
}

async function* chunksOf(files: RunFiles, name: string): AsyncGenerator<Buffer> {
  yield* (await files.read(name)) ?? [];
}

/** The pairs of all runs in order, each once, in batches. */
async function* mergedOf(files: RunFiles, names: readonly string[]): AsyncGenerator<Pair[]> {
  const runs = names.map((name) => new RunReader(files, name));
  try {
    for (const run of runs) await run.fill();
    let batch: Pair[] = [];
    let last: Pair = '';
    for (let run = leastOf(runs); run !== undefined; run = leastOf(runs)) {
      if (run.head !== last) batch.push(run.head);
      last = run.head;
      if (!run.advance()) await run.fill();
      if (batch.length < PAIRS_PER_CHUNK) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    for (const run of runs) await run.close();
  }
}

/** The run whose pair is next; undefined when all are at their end. */
function leastOf(runs: readonly RunReader[]): RunReader | undefined {
  let least: RunReader | undefined;
  for (const run of runs) {
    if (run.head !== '' && (least === undefined || run.head < least.head)) least = run;
  }
  return least;
}

/** Pairs by their target: how many domains each has. */
class Counts {
  /** Empty at the end. */
  target = '';
  domains = 0;
  readonly #batches: AsyncGenerator<Pair[]>;
  #batch: readonly Pair[] = [];
  #at = 0;

  constructor(batches: AsyncGenerator<Pair[]>) {
    this.#batches = batches;
  }

  async next(): Promise<void> {
    this.target = '';
    this.domains = 0;
    for (;;) {
      if (this.#at === this.#batch.length && !(await this.#more())) return;
      const target = (this.#batch[this.#at] as Pair).slice(0, HOST_KEY_BYTES);
      if (this.domains > 0 && target !== this.target) return;
      this.target = target;
      this.domains++;
      this.#at++;
    }
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#batches.next();
    this.#batch = done ? [] : value;
    this.#at = 0;
    return !done;
  }
}
