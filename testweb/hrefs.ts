/**
 * How a link is spelled. Many spellings, one meaning: the generator starts from the canonical URL
 * and writes it in one of the ways that authors do, all of which U1 leads back to that URL.
 *
 *   absolute, //host, /path, ../path, against <base>, #fragment, utm_ and session parameters,
 *   lower-case escapes, dot segments, parameters in another order, upper-case host
 */
import type { Host } from './hosts.ts';
import { pathOf } from './resources.ts';

export interface Spelling {
  readonly from: Host;
  /** Leads from the page's base up to the root: '../../' or './'. */
  readonly up: string;
  /** No href may depend on where the body is served, nor name its host. */
  readonly anywhere: boolean;
}

export function upFrom(path: string): string {
  const end = path.indexOf('?');
  let depth = -1;
  for (let at = 0; at < (end < 0 ? path.length : end); at++) {
    if (path.charCodeAt(at) === 47) depth++;
  }
  return depth <= 0 ? './' : '../'.repeat(depth);
}

/** The href of a link, ready for an attribute; `draw` picks the spelling. */
export function hrefOf(spelling: Spelling, to: Host, resource: number, draw: number): string {
  const path = pathOf(to, resource);
  if (to !== spelling.from) return escapeAmp(to.origin + odd(path, draw >>> 8), draw);
  return escapeAmp(inHost(spelling, path, draw), draw);
}

function inHost(spelling: Spelling, path: string, draw: number): string {
  const kind = draw & 15;
  if (kind < 7) return odd(path, draw >>> 8);
  if (spelling.anywhere) return path;
  if (kind < 12) return spelling.up + path.slice(1);
  const { origin, name } = spelling.from;
  if (kind === 12) return origin.slice(origin.indexOf('//')) + path;
  if (kind === 13) return origin.replace(name, name.toUpperCase()) + path;
  return origin + odd(path, draw >>> 8);
}

/** One path in seven is spelled oddly; the draw's low bits decide. */
function odd(path: string, draw: number): string {
  const query = path.includes('?');
  const sign = query ? '&' : '?';
  switch (draw & 63) {
    case 0:
      return `${path}#section-${draw & 7}`;
    case 1:
      return `${path}${sign}utm_source=letter&utm_medium=mail`;
    case 2:
      return `${path}${sign}${CLICKS[draw % 3]}=IwAR${draw.toString(36)}`;
    case 3:
      return `${path}${sign}PHPSESSID=${draw.toString(16)}c0ffee#top`;
    case 4:
      return `/here/..${path}`;
    case 5:
      return path.replace('%C3%A9', '%c3%a9');
    case 6:
      return path.replace('%C3%A9', 'é').replace('-', '%2D');
    case 7:
      return query ? reversed(path) : `/.${path}?`;
    case 8:
      return session(path, `;jsessionid=${draw.toString(16).toUpperCase()}`);
    default:
      return path;
  }
}

const CLICKS = ['fbclid', 'gclid', 'msclkid'];

function session(path: string, id: string): string {
  const [front, query] = path.split('?', 2) as [string, string?];
  return query === undefined ? front + id : `${front}${id}?${query}`;
}

function reversed(path: string): string {
  const [front, query] = path.split('?') as [string, string];
  return `${front}?${query.split('&').reverse().join('&')}`;
}

/** Authors write both `&` and `&amp;`; none of our parameter names is an entity. */
function escapeAmp(href: string, draw: number): string {
  if ((draw & 0x1000000) !== 0 || !href.includes('&')) return href;
  return href.replaceAll('&', '&amp;');
}
