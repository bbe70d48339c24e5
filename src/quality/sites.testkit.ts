/** Sites for the trap detector: with and without an end, by the links of their pages. */
import { hash32 } from './bits.ts';
import type { Site } from './site.testkit.ts';

const ARTICLES = Array.from({ length: 60 }, (_, n) => `/article/item-${n}-name`);
const WORDS = 'river stone amber orbit needle museum window copper forest garden silver bridge'
  .concat(' castle meadow lantern harbour violin thunder pepper mirror saddle candle')
  .split(' ');
const draw = (text: string, n: number): number => hash32(`${n} ${text}`);
const pick = (text: string, n: number): string => WORDS[draw(text, n) % WORDS.length] as string;

type LinksAt = (path: string) => readonly string[] | undefined;

function byNumber(at: RegExp, links: (n: number) => readonly string[]): LinksAt {
  return (path) => {
    const found = at.exec(path);
    return found === null ? undefined : links(Number(found[1]));
  };
}

function months(path: string): string[] | undefined {
  const found = /^\/events\/(\d{4,5})\/(\d\d)\/(?:(\d\d)\/)?$/.exec(path);
  if (found === null) return undefined;
  const month = Number(found[1]) * 12 + Number(found[2]) - 1;
  const two = (n: number) => String(n).padStart(2, '0');
  const at = (n: number) => `/events/${Math.floor(n / 12)}/${two(1 + (n % 12))}/`;
  if (found[3] !== undefined) return [at(month)];
  const days = Array.from({ length: 28 }, (_, n) => `${at(month)}${two(n + 1)}/`);
  return [at(month - 1), at(month + 1), at(month + 12), ...days];
}

function facets(path: string): string[] | undefined {
  if (path !== '/shop' && !path.startsWith('/shop?')) return undefined;
  const chosen = [...new URLSearchParams(path.slice('/shop'.length))];
  return ['brand', 'color', 'form', 'price', 'rating', 'size', 'sort', 'stock'].flatMap((name) =>
    ['1', '2', '3', '4'].map((value) => {
      const others = chosen.filter(([one]) => one !== name);
      return `/shop?${new URLSearchParams([...others, [name, value] as [string, string]].sort())}`;
    }),
  );
}

function session(path: string): string[] | undefined {
  if (!/^\/\w+\?visit=/.test(path)) return undefined;
  const token = `${draw(path, 1).toString(36)}x7`;
  return WORDS.slice(0, 8).map((word) => `/${word}?visit=${token}`);
}

function maze(path: string): string[] | undefined {
  if (!path.startsWith('/maze/')) return undefined;
  return [1, 2, 3, 4].map((n) => {
    const from = `${path}${n}`;
    return `/maze/${[1, 2, 3, 4, 5, 6].map((k) => pick(from, k)).join('-')}`;
  });
}

function loop(path: string): string[] | undefined {
  return path.startsWith('/tree/') ? ['news/', 'about/', 'help/'] : undefined;
}

/** By name: where it starts, and where its pages lead. */
export const TRAP_SITES: Readonly<Record<string, { start: string; linksAt: LinksAt }>> = {
  calendar: { start: '/events/2026/05/', linksAt: months },
  facets: { start: '/shop', linksAt: facets },
  'session ids': { start: '/river?visit=ab12cd34', linksAt: session },
  'random words': { start: '/maze/start', linksAt: maze },
  'relative loop': { start: '/tree/', linksAt: loop },
  pager: {
    start: '/archive?page=1',
    linksAt: byNumber(/^\/archive\?page=(\d+)$/, (n) => [
      `/archive?page=${n + 1}`,
      `/archive?page=${n + 10}`,
    ]),
  },
  'random numbers': {
    start: '/item/1',
    linksAt: byNumber(/^\/item\/(\d+)$/, (n) => [1, 2, 3].map((k) => `/item/${draw(`${n}`, k)}`)),
  },
};

export const HONEST: readonly string[] = ['/', ...ARTICLES];

/** A trap beside sixty honest articles; its pages say the same, or each something else. */
export function besideArticles(trap: { start: string; linksAt: LinksAt }, isSame: boolean): Site {
  const isArticle = new Set(ARTICLES);
  return {
    start: '/',
    linksAt(path) {
      if (path === '/') return [...ARTICLES, trap.start];
      if (isArticle.has(path)) return ['/', trap.start, ...ARTICLES.slice(0, 5)];
      const links = trap.linksAt(path);
      return links && ['/', ...ARTICLES.slice(0, 3), ...links];
    },
    textAt: (path) => (isSame && path !== '/' && !isArticle.has(path) ? 'the same' : path),
  };
}

/** Many honest pages of one shape. */
export function encyclopaedia(pages: number, linksOf: (n: number) => readonly number[]): Site {
  const at = (n: number) => `/wiki/Article-${n}`;
  const links = byNumber(/-(\d+)$/, (n) => {
    const others = linksOf(n).filter((one) => one >= 1 && one <= pages);
    return ['/wiki/Article-1', ...others.map(at)];
  });
  return { start: at(1), linksAt: links };
}

export const GRAPHS: Readonly<Record<string, (n: number, pages: number) => readonly number[]>> = {
  'twenty links anywhere': (n, pages) =>
    Array.from({ length: 20 }, (_, k) => 1 + (draw(`${n}`, k) % pages)),
  'three links anywhere': (n, pages) => [1, 2, 3].map((k) => 1 + (draw(`${n}`, k) % pages)),
  'a tree of ten': (n) => Array.from({ length: 10 }, (_, k) => 10 * n + k - 8),
  'a tree of two': (n) => [2 * n, 2 * n + 1],
  'neighbours and one far': (n, pages) => [n - 1, n + 1, n + 2, 1 + (draw(`${n}`, 1) % pages)],
};
