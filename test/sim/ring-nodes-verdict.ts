/** What the watchers of a ring in virtual time complain about when it has finished. */
import assert from 'node:assert/strict';
import { duplicates, gaps, judge } from '../../testweb/index.ts';
import { ownedBy, type RingNodes } from './ring-nodes.ts';

const SCOPE = { scope: 'any' } as const;
const ROWS_MAX = 1_000_000;

export interface RingSeen {
  readonly complaints: readonly string[];
  readonly missing: readonly string[];
  readonly duplicates: number;
}

export async function verdictOfRing(sim: RingNodes): Promise<RingSeen> {
  const { web, http } = sim;
  const verdict = judge(web, http.log, web.truth(SCOPE));
  const rude = gaps(http.log).flatMap(({ of, smallestMs, overlaps, atMs }) => [
    ...(smallestMs < 1_000 ? [`${of}: asked after ${smallestMs} ms, at ${atMs}`] : []),
    ...(overlaps > 0 ? [`${of}: ${overlaps} at once`] : []),
  ]);
  const trespass = verdict.trespass.map((url) => `against robots.txt: ${url}`);
  return {
    complaints: [...sim.complaints, ...rude, ...trespass, ...(await oddCounts(sim))],
    missing: verdict.missing,
    duplicates: duplicates(http.log).reduce((total, { times }) => total + times - 1, 0),
  };
}

/** Each arc has one owner, and what the owners count is what they have. */
async function oddCounts(sim: RingNodes): Promise<string[]> {
  const odd: string[] = [];
  const owned = sim.nodes.flatMap(({ ring }) => ownedBy(ring)).sort((a, b) => a - b);
  if (owned.join() !== Array.from({ length: 64 }, (_, arc) => arc).join()) {
    odd.push(`owned are ${owned}`);
  }
  let rows = 0;
  for (const { store } of sim.nodes) {
    let last: Awaited<ReturnType<typeof store.scan>>[number] | undefined;
    do {
      const some = await store.scan(last?.key, ROWS_MAX);
      rows += some.length;
      last = some.at(-1);
    } while (last !== undefined);
  }
  const { known, waiting, retrying, fetched, failed, skipped } = await sim.totals();
  const sum = waiting + retrying + fetched + failed + skipped;
  if (rows !== known || sum !== known) odd.push(`${rows} rows, ${known} known, ${sum} counted`);
  return odd;
}

export function assertCleanRing(seen: RingSeen, sim: RingNodes): void {
  assert.deepEqual(seen.complaints.slice(0, 5), []);
  assert.deepEqual(seen.missing, []);
  assert.ok(seen.duplicates <= sim.caught, `${seen.duplicates} twice, ${sim.caught} caught`);
}
