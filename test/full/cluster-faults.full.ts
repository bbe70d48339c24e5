/**
 * Faults in the middle of a crawl by three nodes, on engines of their own: each alone, then mixed
 * at random for minutes (K5, P5). Judged by the web's own log: nothing is lost, no host is asked
 * before its turn, and never two requests at one host at once.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { ClusterCrawl, CONCURRENCY } from '../kit/cluster-crawl.ts';
import { type FaultPlace, faultsOf, mixed } from '../kit/cluster-faults.ts';
import { type OwnEngines, ownEngines, type RecordsKind } from '../kit/cluster-own.ts';
import { choice } from './choice.ts';

const { isSmall, size, seed, minutes = 10, only } = choice;
const TERM_MS = 15_000;
const TIMES = isSmall
  ? { stopMs: 25_000, awayMs: 12_000, s3Ms: 20_000 }
  : { stopMs: 60_000, awayMs: 20_000, s3Ms: 120_000 };
/** So slow that a crawl lasts for longer than a fault, or all of them. */
const ALONE = { ...size, skew: 0, delayMs: isSmall ? 1_500 : 2_000, termMs: TERM_MS };
const MIXED = { ...size, skew: 0, delayMs: isSmall ? 3_000 : 6_000, termMs: TERM_MS };
const NODES = 3;
const isChosen = (name: string) => name.includes(only);

for (const kind of ['postgres', 'cassandra'] satisfies RecordsKind[]) {
  const isAsked = choice.names.includes(
    kind === 'postgres' ? 'cluster-faults' : 'cluster-faults-cassandra',
  );
  describe(`faults, records in ${kind}`, { skip: isAsked ? false : 'not asked for' }, () => {
    faults(kind);
  });
}

function faults(kind: RecordsKind): void {
  const ends: (() => unknown)[] = [];
  let own: OwnEngines;
  before(async () => {
    own = await ownEngines({ after: (end) => ends.push(end) }, kind);
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const chance = seededRandom(seed);
  const placeOf = (crawl: ClusterCrawl): FaultPlace => ({
    ...{ crawl, own, times: TIMES, chance: () => chance.next() },
  });

  for (const [name, fault] of faultsOf(kind)) {
    it(`${name}: nothing is lost, nobody is hurried`, { skip: !isChosen(name) }, async (t) => {
      const crawl = await ClusterCrawl.begin(t, ALONE, own);
      await crawl.after(0.2);
      const [began, from] = [Date.now(), crawl.share];
      await fault.run(placeOf(crawl));
      const lasted = `${((Date.now() - began) / 1_000).toFixed(0)} s, from ${percent(from)}`;
      t.diagnostic(`${name} lasted ${lasted} to ${percent(crawl.share)} of the crawl`);
      await crawl.finish();
      t.diagnostic(crawl.verify(CONCURRENCY * NODES));
      t.diagnostic(`late results refused: ${await crawl.metric('orb_late_results_total')}`);
    });
  }

  it(`mixed for ${minutes} minutes, seed ${seed}`, { skip: !isChosen('mixed') }, async (t) => {
    const crawl = await ClusterCrawl.begin(t, MIXED, own);
    await crawl.after(0.02);
    const tell = (line: string) => process.stderr.write(`  ${line}\n`);
    const told = await mixed(placeOf(crawl), minutes * 60_000, tell);
    const share = percent(crawl.share);
    t.diagnostic(`${told.length} faults until ${share} of the crawl: ${told.join(', ')}`);
    await crawl.finish();
    t.diagnostic(crawl.verify(CONCURRENCY * told.length));
    t.diagnostic(`late results refused: ${await crawl.metric('orb_late_results_total')}`);
    assert.ok(told.length > minutes, 'there were faults');
  });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`;
}
