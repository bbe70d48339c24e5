/**
 * Hosts that answer 200 where they mean 404 (C3): honest articles, and on each of them links that
 * died long ago.
 *
 *   soft-404            one page for every unknown URL      -echo   with the URL in its text
 *   soft-404-recovers   like the first until `SOFT_404_ENDS_MS`, then a real 404
 */
import { htmlAnswer, type WebAnswer } from '../exchange.ts';
import { mix } from '../hash.ts';
import { Articles } from './articles.ts';
import { type Link, notFound } from './layout.ts';
import { slugOf } from './prose.ts';
import type { QuarterHost, QuarterOrder } from './quarter.ts';
import { articleHost, eachHost, seedOf } from './site-host.ts';

export const SOFT_404_ENDS_MS = Date.UTC(2031, 0, 1);
/** So many that the one body stands behind most of the host's pages. */
export const DEAD_LINKS = 6;

export function soft404Hosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const seed = seedOf(order, n);
    const label = `${order.kind}-${n}`;
    const extraAt = (article: number) => deadLinks(seed, article);
    const articles = new Articles({ seed, count: order.pages, extraAt });
    const host = articleHost(order.kind, label, articles);
    const heals = order.kind === 'soft-404-recovers';
    return {
      ...host,
      answer(path, request, place) {
        if (articles.placeOf(path) !== undefined) return host.answer(path, request, place);
        if (heals && request.atMs >= SOFT_404_ENDS_MS) return notFound();
        return sorry(seed, order.kind === 'soft-404-echo' ? path : '');
      },
      labelOf: (path) =>
        host.labelOf(path) ?? { role: 'missing', text: `sorry:${seed}`, edited: 0 },
    };
  });
}

function deadLinks(seed: number, article: number): Link[] {
  return Array.from({ length: DEAD_LINKS }, (_, n) => {
    const draw = mix(mix(seed, article), 0xdead + n);
    return { href: `/old/${slugOf(draw)}-${draw % 100_000}.html`, text: slugOf(draw) };
  });
}

function sorry(seed: number, path: string): WebAnswer {
  const echo = path === '' ? '' : ` at <code>${path.replace(/[&<]/g, ' ')}</code>`;
  const words = slugOf(seed).replaceAll('-', ' ');
  return htmlAnswer(
    200,
    `<!doctype html>\n<html><head><title>Page not found</title></head><body>\n<h1>Oh no!</h1>\n` +
      `<p>Sorry, we could not find the page${echo}. It may have been moved or deleted.</p>\n` +
      `<p>The ${words} team</p>\n<p><a href="/">Home</a></p></body></html>\n`,
  );
}
