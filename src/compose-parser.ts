/**
 * The composition root of a parser (K3): threads that read, and the addresses of the nodes that
 * lend pages. No store, no network but to them.
 */
import { openReadingLender } from './adapters/api/reading-lender.ts';
import { systemClock } from './adapters/node/index.ts';
import { systemVitals } from './adapters/node/vitals.ts';
import { workerName } from './compose-fetcher.ts';
import { openPlugins, openPool, readingThreads } from './compose-ports.ts';
import type { Settings } from './config/index.ts';
import { parserMetrics } from './crawl/metrics-parser.ts';
import { Parser, type ParserHooks, type ParserSession } from './crawl/parser.ts';

/** For each thread: what is read, what waits for it, and what is on its way. */
const PAGES_PER_THREAD = 16;
/** Of a lease, beside the longest that a document may take: waiting for a thread, and the way back. */
const MARGIN_SECONDS = 20;
const LEASE_SECONDS_MAX = 300;

export async function openParser(settings: Settings, hooks: ParserHooks): Promise<ParserSession> {
  const clock = systemClock();
  const { modules, pluginTypes: types } = await openPlugins(settings);
  const pool = openPool(settings, modules);
  const { frontier, frontierToken: token } = settings.fetcher;
  const name = workerName();
  const lenders = frontier.map((url) => openReadingLender({ url, parser: name, types, token }));
  const longest = settings.content.documentTimeoutMs / 1_000 + MARGIN_SECONDS;
  const parser = new Parser(
    { clock, pool },
    {
      pagesAtOnce: PAGES_PER_THREAD * (readingThreads(settings) + 1),
      leaseSeconds: Math.min(LEASE_SECONDS_MAX, longest),
      ...hooks,
    },
  );
  return {
    lenders: frontier,
    run: () => parser.run(lenders),
    drain: () => parser.drain(),
    abort: () => parser.abort(),
    progress: () => ({ openVisits: parser.open, isDraining: parser.isDraining }),
    counts: parser.counts,
    metrics: parserMetrics(parser, systemVitals()),
    close: () => pool.close(),
  };
}
