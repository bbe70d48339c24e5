/** What the watchers of a cluster in virtual time complain about when it has finished. */
import assert from 'node:assert/strict';
import { duplicates, type Gap, gaps, judge, perAddressGaps } from '../../testweb/index.ts';
import type { Cluster } from './cluster.ts';

const SCOPE = { scope: 'any' } as const;

export interface Seen {
  readonly complaints: readonly string[];
  readonly missing: readonly string[];
  readonly duplicates: number;
}

/** Everything that a watcher, the web's log or the rows complain about. */
export async function verdictOf(cluster: Cluster): Promise<Seen> {
  const { web, http, store } = cluster;
  const verdict = judge(web, http.log, web.truth(SCOPE));
  const rude = gaps(http.log).flatMap(rudeness);
  const trespass = verdict.trespass.map((url) => `against robots.txt: ${url}`);
  const rows = await store.scan(undefined, 1_000_000);
  const { known, waiting, retrying, fetched, failed, skipped } = await store.totals();
  const sum = waiting + retrying + fetched + failed + skipped;
  const odd = rows.length === known && sum === known ? [] : [`${rows.length} rows, ${sum} counted`];
  return {
    complaints: [...cluster.complaints, ...rude, ...trespass, ...odd],
    missing: verdict.missing,
    duplicates: duplicates(http.log).reduce((total, { times }) => total + times - 1, 0),
  };
}

/** By address, whosever hosts are behind it (P4). */
export function rudeToAddresses({ http }: Cluster): string[] {
  return perAddressGaps(http.log).flatMap(rudeness);
}

function rudeness({ of, smallestMs, overlaps, atMs }: Gap): string[] {
  return [
    ...(smallestMs < 1_000 ? [`${of}: asked after ${smallestMs} ms, at ${atMs}`] : []),
    ...(overlaps > 0 ? [`${of}: ${overlaps} at once`] : []),
  ];
}

export function assertClean({ complaints, missing, duplicates }: Seen, cluster: Cluster): void {
  assert.deepEqual(complaints.slice(0, 5), []);
  assert.deepEqual(missing, []);
  assert.ok(duplicates <= cluster.caught, `${duplicates} asked twice, ${cluster.caught} caught`);
}
