/**
 * The composition root of processes that work for nodes elsewhere, other than fetchers (K3): what
 * they work with, and the addresses of the nodes that lend. No store, no network but to them.
 */
import { openReadingLender } from './adapters/api/reading-lender.ts';
import { openRenderingLender, type RenderingLender } from './adapters/api/rendering-lender.ts';
import { systemClock } from './adapters/node/index.ts';
import { systemVitals } from './adapters/node/vitals.ts';
import { CrawlError } from './base/errors.ts';
import { workerName } from './compose-fetcher.ts';
import { openBrowser, openPlugins, openPool, readingThreads } from './compose-ports.ts';
import type { Settings } from './config/index.ts';
import type { Digest, RawPage } from './content/index.ts';
import { Hand, type HandHooks, type HandSession, type HandWork } from './crawl/hand.ts';
import { handMetrics } from './crawl/metrics-hand.ts';
import type { RenderOutcome, RenderTask, Wish } from './ports/renderer.ts';
import type { WorkLender } from './ports/work-lender.ts';

/** For each thread: what is read, what waits for it, and what is on its way. */
const PAGES_PER_THREAD = 16;

export function openHand(
  role: 'parse' | 'render',
  settings: Settings,
  hooks: HandHooks,
): Promise<HandSession> {
  return role === 'parse' ? openParser(settings, hooks) : openRenderer(settings, hooks);
}

async function openParser(settings: Settings, hooks: HandHooks): Promise<HandSession> {
  const { modules, pluginTypes: types } = await openPlugins(settings);
  const pool = openPool(settings, modules);
  const place = placeIn(settings);
  const lenders = settings.fetcher.frontier.map((url) =>
    openReadingLender({ ...place, url, types }),
  );
  const work = {
    do: ({ job }: { readonly job: RawPage }) => pool.digest(job),
    bytesOf: ({ bodyBytes, trace }: Digest) => bodyBytes + trace.length,
    atOnce: PAGES_PER_THREAD * (readingThreads(settings) + 1),
  };
  const hand = new Hand<RawPage, Digest>(systemClock(), work, hooks);
  return sessionOf(hand, lenders, () => pool.close());
}

async function openRenderer(settings: Settings, hooks: HandHooks): Promise<HandSession> {
  const renderer = openBrowser(settings);
  const found = await renderer.find();
  if (found.kind === 'missing') throw new CrawlError('E_CONFIG', found.problem, found.fix);
  const place = placeIn(settings);
  const lenders = settings.fetcher.frontier.map((url) => openRenderingLender({ ...place, url }));
  const work: HandWork<RenderTask, RenderOutcome, RenderingLender> = {
    do: ({ id, job }, lender, signal) => {
      const ask = (wish: Wish) => lender.ask(id, wish);
      return renderer.render({ ...job, ask }, signal);
    },
    bytesOf: (made) => (made.kind === 'rendered' ? made.html.length : 0),
    atOnce: settings.render.renderPages,
  };
  const hand = new Hand(systemClock(), work, hooks);
  return sessionOf(hand, lenders, () => renderer.close());
}

function placeIn({ fetcher }: Settings) {
  return { worker: workerName(), token: fetcher.frontierToken };
}

function sessionOf<Job, Made, Lender extends WorkLender<Job, Made>>(
  hand: Hand<Job, Made, Lender>,
  lenders: readonly Lender[],
  close: () => Promise<void>,
): HandSession {
  return {
    lenders: lenders.map(({ name }) => name),
    run: () => hand.run(lenders),
    drain: () => hand.drain(),
    abort: () => hand.abort(),
    progress: () => ({ openVisits: hand.open, isDraining: hand.isDraining }),
    counts: hand.counts,
    metrics: handMetrics(hand, systemVitals()),
    close,
  };
}
