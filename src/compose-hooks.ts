/**
 * Webhooks of a crawl that runs, put together: one reader of the event log for each URL. At the
 * end each may finish for a while; what is left then is posted by the next run in the folder.
 */
import { FolderBookmarks } from './adapters/folder/bookmarks.ts';
import { nodePoster } from './adapters/node/poster.ts';
import { SECOND_MS } from './base/instant.ts';
import type { Settings } from './config/index.ts';
import { type HookNews, WebhookReader } from './crawl/webhooks.ts';
import type { Clock } from './ports/clock.ts';
import type { EventLog } from './ports/event-log.ts';
import type { Random } from './ports/random.ts';
import type { Resolver } from './ports/resolver.ts';

const FINISH_MS = 10 * SECOND_MS;

export interface HookParts {
  readonly settings: Settings;
  /** Where the readers' places are kept. */
  readonly folder: string;
  readonly events: EventLog;
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly random: Random;
  readonly onNews: (url: string, news: HookNews) => void;
}

export function startHooks(parts: HookParts): { finish(): Promise<void> } {
  const { settings, folder, events, resolver, clock, random, onNews } = parts;
  const { webhook: urls, webhookSecret: secret = '' } = settings.hooks;
  const { userAgent } = settings.agent;
  const bookmarks = new FolderBookmarks(folder);
  const ports = { events, bookmarks, poster: nodePoster(resolver), clock, random };
  const stopped = new AbortController();
  const ending = new AbortController();
  const running = Promise.all(
    urls.map((url) => {
      const reader = new WebhookReader({ url, secret, userAgent }, ports, (news) => {
        onNews(url, news);
      });
      return reader.run(stopped.signal, ending.signal);
    }),
  );
  // Heard of when the crawl ends: a disk that cannot keep a place stops the telling, not the crawl.
  running.catch(() => undefined);
  return {
    finish: async () => {
      ending.abort();
      const enough = new AbortController();
      const patience = clock.sleepUntil(clock.now() + FINISH_MS, enough.signal);
      await Promise.race([running, patience]);
      stopped.abort();
      enough.abort();
      await running;
    },
  };
}
