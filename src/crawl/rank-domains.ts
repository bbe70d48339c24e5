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
  const counts = countsOf(mergedOf(files, runs));
  const writer = await VectorWriter.open(files, IN_DOMAINS);
  let count = await counts.next();
  for await (const row of readRows(files, GRAPH)) {
    const key = row.toString('latin1', 0, HOST_KEY_BYTES);
    // Targets that are no hosts of this crawl are passed over.
    while (!count.done && count.value.target < key) count = await counts.next();
    const isIt = !count.done && count.value.target === key;
    await writer.add(isIt ? count.value.domains : 0);
  }
  await counts.return(undefined);
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
  pairs: Iterable<Pair> | AsyncIterable<Pair>,
): Promise<void> {
  const writer = await files.write(name);
  let chunk: Pair[] = [];
  const flush = async () => {
    if (chunk.length > 0) await writer.add(Buffer.from(chunk.join(''), 'latin1'));
    chunk = [];
  };
  for await (const pair of pairs) {
    chunk.push(pair);
    if (chunk.length === PAIRS_PER_CHUNK) await flush();
  }
  await flush();
  await writer.done();
}

async function* readRun(files: RunFiles, name: string): AsyncGenerator<Pair> {
  for await (const chunk of (await files.read(name)) ?? []) {
    const text = chunk.toString('latin1');
    for (let at = 0; at < text.length; at += PAIR_BYTES) yield text.slice(at, at + PAIR_BYTES);
  }
}

/** The pairs of all runs in order, each once. */
async function* mergedOf(files: RunFiles, names: readonly string[]): AsyncGenerator<Pair> {
  const runs = names.map((name) => readRun(files, name));
  try {
    const heads = await Promise.all(runs.map((run) => run.next()));
    let last: Pair = '';
    for (let least = leastOf(heads); least >= 0; least = leastOf(heads)) {
      const pair = heads[least]?.value as Pair;
      heads[least] = await (runs[least] as AsyncGenerator<Pair>).next();
      if (pair !== last) yield pair;
      last = pair;
    }
  } finally {
    for (const run of runs) await run.return(undefined);
  }
}

/** Which of the runs is next, or -1 when all are at their end. */
function leastOf(heads: readonly IteratorResult<Pair>[]): number {
  let least = -1;
  for (let i = 0; i < heads.length; i++) {
    if (heads[i]?.done) continue;
    if (least < 0 || (heads[i]?.value as Pair) < (heads[least]?.value as Pair)) least = i;
  }
  return least;
}

function* distinct(sorted: readonly Pair[]): Iterable<Pair> {
  let last: Pair = '';
  for (const pair of sorted) {
    if (pair !== last) yield pair;
    last = pair;
  }
}

async function* countsOf(
  pairs: AsyncIterable<Pair>,
): AsyncGenerator<{ target: string; domains: number }> {
  let target = '';
  let domains = 0;
  for await (const pair of pairs) {
    const next = pair.slice(0, HOST_KEY_BYTES);
    if (next !== target && domains > 0) yield { target, domains };
    domains = next === target ? domains + 1 : 1;
    target = next;
  }
  if (domains > 0) yield { target, domains };
}
