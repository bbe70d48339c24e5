/**
 * Sites without an end, as real ones have them (Q1). Each trap host also has twenty honest pages,
 * `/real/1` … `/real/20`, that a crawl must still fetch. Traps with text and
 * truth are in quarters/traps.ts.
 *
 *   calendar  next month, for ever            session   a new session id in every link
 *   facets    every filter on every filter    spiral    a relative link that adds a folder
 *   pager     next page, for ever
 */
import { htmlAnswer, type WebAnswer } from './exchange.ts';
import { mix } from './hash.ts';
import type { Draft } from './specials.ts';

const REAL = 20;
const REAL_PATHS = Array.from({ length: REAL }, (_, n) => `/real/${n + 1}`);
const FACETS = ['brand', 'color', 'material', 'price', 'rating', 'size', 'sort', 'stock'];

type LinksAt = (path: string) => readonly string[] | undefined;

const TRAPS: Readonly<Record<string, { readonly path: string; readonly linksAt: LinksAt }>> = {
  calendar: { path: '/calendar/2026/01', linksAt: calendar },
  session: { path: '/list/1?visit=0a0b0c0d', linksAt: session },
  facets: { path: '/shop', linksAt: facets },
  spiral: { path: '/tree/leaf/', linksAt: spiral },
  pager: { path: '/archive?page=1', linksAt: pager },
};

export const TRAP_LABELS: readonly string[] = Object.keys(TRAPS).map((name) => `trap-${name}`);

export function trapDrafts(): Draft[] {
  return Object.entries(TRAPS).map(([name, { path: start, linksAt }]) => ({
    label: `trap-${name}`,
    linked: true,
    path: start,
    honest: ['/', ...REAL_PATHS],
    answer(path) {
      if (path === '/') return page('Front', [start, ...REAL_PATHS]);
      if (REAL_PATHS.includes(path)) return page(`Real ${path}`, ['/', start]);
      const links = linksAt(path);
      if (links === undefined) return htmlAnswer(404, '<h1>Not Found</h1>');
      return page(`Trap ${path.slice(0, 80)}`, ['/', ...links]);
    },
  }));
}

function page(title: string, links: readonly string[]): WebAnswer {
  const rows = links.map((href) => `<li><a href="${href.replaceAll('&', '&amp;')}">go</a></li>`);
  return htmlAnswer(200, `<!doctype html><title>${title}</title><ul>\n${rows.join('\n')}\n</ul>`);
}

function calendar(path: string): string[] | undefined {
  const match = /^\/calendar\/(\d{4,})\/(\d\d)$/.exec(path);
  if (match === null) return undefined;
  const months = Number(match[1]) * 12 + Number(match[2]) - 1;
  return [months - 1, months + 1].map((at) => {
    const month = String(1 + (at % 12)).padStart(2, '0');
    return `/calendar/${String(Math.floor(at / 12)).padStart(4, '0')}/${month}`;
  });
}

function session(path: string): string[] | undefined {
  const match = /^\/list\/(\d+)\?visit=([0-9a-f]+)$/.exec(path);
  if (match === null) return undefined;
  const visit = mix(Number.parseInt(match[2]!.slice(-8), 16), Number(match[1]));
  return [1, 2, 3].map((n) => `/list/${n}?visit=${mix(visit, n).toString(16).padStart(8, '0')}`);
}

function facets(path: string): string[] | undefined {
  if (path !== '/shop' && !path.startsWith('/shop?')) return undefined;
  const chosen = new Map(new URLSearchParams(path.slice('/shop'.length)));
  const links: string[] = [];
  for (const facet of FACETS) {
    for (const value of ['1', '2', '3', '4']) {
      const next = [...new Map([...chosen, [facet, value]])].sort();
      links.push(`/shop?${new URLSearchParams(next)}`);
    }
  }
  return links;
}

function spiral(path: string): string[] | undefined {
  return /^\/tree\/(leaf\/|branch\/)+$/.test(path) ? ['leaf/', 'branch/'] : undefined;
}

function pager(path: string): string[] | undefined {
  const match = /^\/archive\?page=(\d+)$/.exec(path);
  return match === null ? undefined : [1, 2].map((n) => `/archive?page=${Number(match[1]) + n}`);
}
