/**
 * The web of `orb demo`: the built-in test web on loopback, small enough to be crawled in a
 * minute at a polite pace, with its own log and its own truth.
 */
import { gaps, judge, openWeb, serveWeb } from '../testweb/index.ts';
import type { DemoJudgement, DemoWeb } from './edge/cli/world.ts';

const DEMO = { seed: 7, hosts: 60, pages: 600, skew: 0.3, patienceSec: 1 } as const;
/** Quicker than the default of one a second, so that the demo ends while one watches. */
const RATE = 4;

export async function openDemoWeb(): Promise<DemoWeb> {
  const server = await serveWeb(openWeb(DEMO));
  const seeds = [server.web.urlOf(0, 0)];
  return {
    seeds,
    options: {
      ...{ allowPrivate: true, dns: [`127.0.0.1:${server.dnsPort}`], scope: 'any' },
      ...{ rate: RATE, ipRate: RATE, backoff: '500ms', contact: 'demo@orbweaver.example' },
      // Quick on every machine, also where no browser is.
      render: 'never',
    },
    judge: async () => judgement(server, seeds),
    close: () => server.close(),
  };
}

function judgement(server: Awaited<ReturnType<typeof serveWeb>>, seeds: string[]): DemoJudgement {
  const { web, log } = server;
  const verdict = judge(web, log, web.truth({ seeds, scope: 'any' }));
  const perHost = gaps(log);
  return {
    ...{ expected: verdict.expected, fetched: verdict.fetched, missing: verdict.missing },
    ...{ stray: verdict.stray, trespass: verdict.trespass },
    duplicates: verdict.duplicates.map((duplicate) => duplicate.url),
    smallestGapMs: Math.min(...perHost.map((gap) => gap.smallestMs)),
    overlaps: perHost.reduce((sum, gap) => sum + gap.overlaps, 0),
    hosts: perHost.length,
    requests: log.length,
  };
}
