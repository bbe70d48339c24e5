/**
 * Five ways to have no end, as functions from a trap's path to the hrefs that stand on that page.
 * An undefined answer means that the path is not of this trap.
 *
 *   calendar      previous and next month and year, and every day of the month, for ever
 *   session       the same four lists, with a new token in every link (query, or path)
 *   facets        any filter on any filter, in the order of the clicks
 *   loop          relative links that add a folder, and the server never minds
 *   pager         next, and a leap of ten, for ever
 */
import { mix } from '../hash.ts';
import { textHash } from './prose.ts';

export interface Trap {
  readonly start: string;
  linksAt(path: string): readonly string[] | undefined;
}

export const TRAPS = {
  calendar: { start: '/events/2026/01/', linksAt: calendar },
  session: { start: '/list/1?visit=0a0b0c0d', linksAt: session },
  'session-path': { start: '/v-0a0b0c0d/list/1', linksAt: sessionPath },
  facets: { start: '/shop', linksAt: facets },
  loop: { start: '/tree/', linksAt: loop },
  pager: { start: '/archive?page=1', linksAt: pager },
} as const satisfies Record<string, Trap>;

const LISTS = 4;
const FACETS = ['brand', 'color', 'material', 'price', 'rating', 'size', 'stock', 'sort'];
const VALUES = 4;
const FOLDERS = ['news', 'about', 'items', 'help'];
const two = (n: number): string => String(n).padStart(2, '0');

function calendar(path: string): string[] | undefined {
  const match = /^\/events\/(\d{4,5})\/(\d\d)\/(?:(\d\d)\/)?$/.exec(path);
  if (match === null) return undefined;
  const months = Number(match[1]) * 12 + Number(match[2]) - 1;
  const at = (n: number) =>
    `/events/${String(Math.floor(n / 12)).padStart(4, '0')}/${two(1 + (n % 12))}/`;
  if (match[3] !== undefined) {
    const day = Number(match[3]);
    const before = day > 1 ? `${at(months)}${two(day - 1)}/` : `${at(months - 1)}28/`;
    const after = day < 28 ? `${at(months)}${two(day + 1)}/` : `${at(months + 1)}01/`;
    return [before, after, at(months)];
  }
  const days = Array.from({ length: 28 }, (_, n) => `${at(months)}${two(n + 1)}/`);
  return [at(months - 1), at(months + 1), at(months - 12), at(months + 12), ...days];
}

function tokensAfter(token: string, list: number): string[] {
  const seed = mix(textHash(token), list);
  return Array.from({ length: LISTS }, (_, n) => mix(seed, n).toString(16).padStart(8, '0'));
}

function session(path: string): string[] | undefined {
  const match = /^\/list\/(\d)\?visit=([0-9a-f]{8})$/.exec(path);
  if (match === null) return undefined;
  return tokensAfter(match[2]!, Number(match[1])).map(
    (token, n) => `/list/${n + 1}?visit=${token}`,
  );
}

function sessionPath(path: string): string[] | undefined {
  const match = /^\/v-([0-9a-f]{8})\/list\/(\d)$/.exec(path);
  if (match === null) return undefined;
  return tokensAfter(match[1]!, Number(match[2])).map((token, n) => `/v-${token}/list/${n + 1}`);
}

function facets(path: string): string[] | undefined {
  if (path !== '/shop' && !path.startsWith('/shop?')) return undefined;
  const chosen = [...new URLSearchParams(path.slice('/shop'.length))];
  if (chosen.some(([name, value]) => !FACETS.includes(name) || !/^[1-4]$/.test(value)))
    return undefined;
  const links: string[] = [];
  for (const facet of FACETS) {
    const others = chosen.filter(([name]) => name !== facet);
    for (let value = 1; value <= VALUES; value++) {
      links.push(`/shop?${new URLSearchParams([...others, [facet, String(value)]])}`);
    }
  }
  return links;
}

function loop(path: string): string[] | undefined {
  const rest = path.startsWith('/tree/') ? path.slice('/tree/'.length) : undefined;
  if (rest === undefined || (rest !== '' && !rest.endsWith('/'))) return undefined;
  const folders = rest === '' ? [] : rest.slice(0, -1).split('/');
  return folders.every((name) => FOLDERS.includes(name))
    ? FOLDERS.map((name) => `${name}/`)
    : undefined;
}

function pager(path: string): string[] | undefined {
  const match = /^\/archive\?page=([1-9]\d{0,8})$/.exec(path);
  if (match === null) return undefined;
  const page = Number(match[1]);
  return [Math.max(1, page - 1), page + 1, page + 10].map((n) => `/archive?page=${n}`);
}
