/**
 * The crawl as a library call (L5):
 *
 *   for await (const page of crawl({ seeds: ['https://example.com/'] })) { … }
 *
 * The loop sets the pace: while it is busy with a page, only a few more are fetched. Leaving
 * it, aborting the signal or `stop()` ends the crawl without losing anything that is in a
 * folder given as `dir`; without one the crawl lives in a temporary folder and is forgotten.
 */
import { CrawlError } from '../../base/errors.ts';
import {
  isRefusal,
  resolveSettings,
  type SettingOptions,
  type Settings,
} from '../../config/index.ts';
import type { CrawlRequest, CrawlSession, CrawlSummary } from '../../crawl/index.ts';
import type { PageEvent } from './page-event.ts';
import { PageQueue } from './page-queue.ts';

export type CrawlOptions = SettingOptions & {
  readonly seeds: string | readonly string[];
  readonly signal?: AbortSignal;
};

export interface Crawl extends AsyncIterable<PageEvent>, AsyncDisposable {
  /** Finishes what is on its way and ends; answers what was done. */
  stop(): Promise<CrawlSummary>;
}

/** What the library needs of the composition root. */
export interface LibraryWorld {
  openCrawl(request: CrawlRequest): Promise<CrawlSession>;
  /** A folder to be forgotten, and how to forget it. */
  temporaryFolder(): Promise<{ readonly dir: string; remove(): Promise<void> }>;
}

const PAGES_AHEAD = 16;

export function crawlWith(world: LibraryWorld, options: CrawlOptions): Crawl {
  const { seeds, signal, ...rest } = options;
  const settings = settingsFrom(
    rest as SettingOptions,
    typeof seeds === 'string' ? [seeds] : seeds,
  );
  return new RunningCrawl(world, settings, typeof seeds === 'string' ? [seeds] : seeds, signal);
}

function settingsFrom(options: SettingOptions, seeds: readonly string[]): Settings {
  const resolved = resolveSettings({ argv: seeds, options });
  if (!isRefusal(resolved)) return resolved.settings;
  const [first] = resolved.mistakes;
  const messages = resolved.mistakes.map((mistake) => mistake.message).join('; ');
  throw new CrawlError(first?.code ?? 'E_CONFIG', messages, first?.hint ?? 'correct the options');
}

class RunningCrawl implements Crawl {
  readonly #queue = new PageQueue<PageEvent>(PAGES_AHEAD);
  readonly #finished: Promise<CrawlSummary>;
  #session: CrawlSession | undefined;
  #isStopping = false;

  constructor(
    world: LibraryWorld,
    settings: Settings,
    seeds: readonly string[],
    signal: AbortSignal | undefined,
  ) {
    const stop = () => this.#drain();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    this.#finished = this.#run(world, settings, seeds).finally(() =>
      signal?.removeEventListener('abort', stop),
    );
    this.#finished.then(
      () => this.#queue.end(),
      (error: unknown) => this.#queue.end({ error }),
    );
  }

  [Symbol.asyncIterator](): AsyncIterator<PageEvent, undefined> {
    return {
      next: () => this.#queue.take(),
      return: async () => {
        await this.stop();
        return { done: true, value: undefined };
      },
    };
  }

  stop(): Promise<CrawlSummary> {
    this.#queue.abandon();
    this.#drain();
    return this.#finished;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #drain(): void {
    this.#isStopping = true;
    this.#session?.drain();
  }

  async #run(
    world: LibraryWorld,
    settings: Settings,
    seeds: readonly string[],
  ): Promise<CrawlSummary> {
    const folder = settings.crawl.dir === undefined ? await world.temporaryFolder() : undefined;
    const dir = folder?.dir ?? (settings.crawl.dir as string);
    try {
      const { pageEventOf } = await import('./page-event.ts');
      const onPage = (page: Parameters<NonNullable<CrawlRequest['onPage']>>[0]) => {
        const event = pageEventOf(page);
        return event && this.#queue.push(event);
      };
      const session = await world.openCrawl({ settings, seeds, dir, onPage });
      this.#session = session;
      if (this.#isStopping) session.drain();
      try {
        return await session.run();
      } finally {
        await session.close();
      }
    } finally {
      await folder?.remove();
    }
  }
}
