/**
 * Everything on a host has a number, every number a path, and a path gives its number back.
 *
 *   0 … size-1            pages; 0 is the root, page p has children 8p+1 … 8p+8
 *   size+p                the landing of redirect p, which nothing else links to
 *   2·size+9p+n-1         hop n of redirect p, n from 1 to 9
 *   11·size               the feed
 *   11·size+1+k           a missing page that is linked nevertheless, k below 32
 *
 * The id of a page is the last run of digits in its path, so a path is understood by reading its
 * id and spelling that page's path again. Paths here are already in canonical form (U1).
 */
import { mix, SALT } from './hash.ts';
import { type Host, MISSING_PER_HOST } from './hosts.ts';
import type { Zone } from './robots-kind.ts';
import { capital, SECTIONS, word } from './words.ts';

export const HOPS_MAX = 9;

export const landingOf = (host: Host, page: number): number => host.size + page;
export const hopOf = (host: Host, page: number, n: number): number =>
  2 * host.size + HOPS_MAX * page + n - 1;
export const feedOf = (host: Host): number => 11 * host.size;
export const missingOf = (host: Host, k: number): number => 11 * host.size + 1 + k;

export function isLeaf(host: Host, page: number): boolean {
  return page >= host.inner && page > 0;
}

/** Leaves only, so that a rule of robots.txt never cuts off what is below. */
export function zoneOf(host: Host, resource: number): Zone {
  if (resource >= host.size || !isLeaf(host, resource)) return 'open';
  const draw = mix(host.seed + SALT.path, resource) % 100;
  if (draw < 3) return 'private';
  if (draw < 4) return 'private-open';
  if (draw < 6) return 'search';
  return draw < 8 ? 'print' : 'open';
}

export function pathOf(host: Host, resource: number): string {
  const { size } = host;
  if (resource < size) return pagePath(host, resource);
  if (resource < 2 * size) return `/new/${slug(host, resource)}-${resource - size}.html`;
  if (resource < 11 * size) {
    const hop = resource - 2 * size;
    return `/hop/${Math.floor(hop / HOPS_MAX)}/${1 + (hop % HOPS_MAX)}`;
  }
  if (resource === 11 * size) return '/feed.xml';
  return `/missing/${slug(host, resource)}-${resource - 11 * size - 1}.html`;
}

function slug(host: Host, resource: number): string {
  const h = mix(host.seed + SALT.text, resource);
  return `${word(h & 0xffff)}-${word(h >>> 16)}`;
}

function pagePath(host: Host, page: number): string {
  if (page === 0) return '/';
  const h = mix(host.seed + SALT.path, page);
  const one = word(h >>> 20);
  const two = word((h >>> 10) & 0x3ff);
  const section = SECTIONS[(h >>> 5) & 7]!;
  switch (zoneOf(host, page)) {
    case 'private':
      return `/private/${one}-${page}.html`;
    case 'private-open':
      return `/private/open/${one}-${page}.html`;
    case 'search':
      return `/search?id=${page}&q=${one}`;
    case 'print':
      return `/${section}/${page}/print`;
    default:
      return openPath(h, page, one, two, section);
  }
}

function openPath(h: number, page: number, one: string, two: string, section: string): string {
  switch ((h >>> 7) % 8) {
    case 0:
      return `/${section}/${one}-${two}-${page}.html`;
    case 1:
      return `/${2015 + (h & 7)}/${two2(1 + ((h >>> 3) % 12))}/${two2(1 + ((h >>> 9) % 28))}/${one}-${page}/`;
    case 2:
      return `/${section}/item?id=${page}&view=${one}`;
    case 3:
      return `/wiki/${capital(one)}_${capital(two)}_${page}`;
    case 4:
      return `/docs/${one}/${two}/p${page}`;
    case 5:
      return `/${section}/caf%C3%A9-${one}-${page}`;
    case 6:
      return `/files/annual%20report-${page}`;
    default:
      return `/${section}/${two}/${page}`;
  }
}

const two2 = (n: number): string => (n < 10 ? `0${n}` : String(n));

/** The resource behind a canonical path (with query); undefined when there is none. */
export function resourceOf(host: Host, path: string): number | undefined {
  if (path === '/') return 0;
  if (path === '/feed.xml') return feedOf(host);
  const id = lastNumber(path);
  if (id < 0) return undefined;
  const resource = numberedOf(host, path, id);
  return resource !== undefined && pathOf(host, resource) === path ? resource : undefined;
}

function numberedOf(host: Host, path: string, id: number): number | undefined {
  if (path.startsWith('/hop/')) {
    const page = Number.parseInt(path.slice(5), 10);
    const fits = page >= 0 && page < host.size && id >= 1 && id <= HOPS_MAX;
    return fits ? hopOf(host, page, id) : undefined;
  }
  if (path.startsWith('/missing/')) return id < MISSING_PER_HOST ? missingOf(host, id) : undefined;
  if (id >= host.size) return undefined;
  return path.startsWith('/new/') ? landingOf(host, id) : id;
}

function lastNumber(path: string): number {
  let end = path.length;
  while (end > 0 && !isDigit(path.charCodeAt(end - 1))) end--;
  let begin = end;
  while (begin > 0 && end - begin < 10 && isDigit(path.charCodeAt(begin - 1))) begin--;
  return begin === end ? -1 : Number(path.slice(begin, end));
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
