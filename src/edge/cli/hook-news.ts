/** What a person hears of webhooks: that one has to wait, and why, or that it is gone. */
import type { HookNews } from '../../crawl/webhooks.ts';
import { formatDuration, safeText } from './format.ts';
import type { Log } from './log.ts';

export function sayHookNews(log: Log): (url: string, news: HookNews) => void {
  return (url, news) => {
    // Without its query and password: those are the receiver's secrets.
    const { origin, pathname } = new URL(url);
    const where = safeText(`${origin}${pathname}`);
    const message =
      news.kind === 'gone'
        ? `The webhook ${where} answered 410 and is told nothing more in this run.`
        : `The webhook ${where} did not take a message (${safeText(news.detail)}): ` +
          `tried again in ${formatDuration(news.ms)}, nothing is lost.`;
    log.say('warn', 'webhook', message, { webhook: where, kind: news.kind });
  };
}
