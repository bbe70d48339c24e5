/**
 * What a numbered host answers: robots, sitemaps, pages by their nature, and 404 for the rest.
 *
 * A function of (host, path, headers, instant): nothing is remembered between two requests.
 */

import { encodeText } from './charsets.ts';
import { compress } from './coding.ts';
import { binaryBytes, pdfOf, plainText, scriptOnly, softMissing } from './documents.ts';
import { EMPTY, htmlAnswer, type WebAnswer, type WebRequest, whole } from './exchange.ts';
import { mix, SALT } from './hash.ts';
import type { Host } from './hosts.ts';
import type { Graph } from './links.ts';
import { type Nature, natureOf, redirectionOf } from './nature.ts';
import type { Settings } from './options.ts';
import { renderPage } from './page.ts';
import { pathOf, resourceOf } from './resources.ts';
import { robotsBody } from './robots.ts';
import { feedBody, sitemapOf } from './sitemaps.ts';
import { tidyPath } from './tidy-path.ts';
import { changeOf, notModified, validatorsOf } from './versions.ts';

export interface Site {
  readonly settings: Settings;
  readonly graph: Graph;
  /** URLs outside the numbered web that the root of a host names. */
  readonly extraOf: (host: Host) => readonly string[];
}

export function siteAnswer(site: Site, host: Host, path: string, request: WebRequest): WebAnswer {
  if (path === '/robots.txt' || path.startsWith('/robots-')) return robots(site, host, path);
  const exact = resourceOf(host, path);
  const resource = exact ?? resourceOf(host, tidyPath(path));
  const nature = resource === undefined ? undefined : natureOf(site.graph.natures, host, resource);
  if (resource === undefined || nature === undefined) return notThere(host, path);
  const answer = resourceAnswer(site, host, resource, nature, request);
  return { ...answer, host: host.index, resource: exact ?? -1 };
}

function robots(site: Site, host: Host, path: string): WebAnswer {
  const found = (answer: WebAnswer): WebAnswer => ({ ...answer, host: host.index });
  const text = () => {
    const bytes = Buffer.from(robotsBody(host, site.settings.patienceSec));
    return whole(200, { 'content-type': 'text/plain' }, bytes);
  };
  const to = (location: string) => whole(301, { location }, EMPTY);
  if (path === '/robots-real.txt' && host.robots === 'redirected') return found(text());
  if (path === '/robots-2.txt') return found(to('/robots-real.txt'));
  if (path !== '/robots.txt') return notThere(host, path);
  switch (host.robots) {
    case 'none':
      return found(htmlAnswer(404, '<h1>Not Found</h1>'));
    case 'denied':
      return found(htmlAnswer(403, '<h1>Forbidden</h1>'));
    case 'down':
      return found(htmlAnswer(500, '<h1>Internal Server Error</h1>'));
    case 'html':
      return found(htmlAnswer(200, '<!doctype html><title>Home</title><p>Welcome!'));
    case 'redirected':
      return found(to(`${host.origin}/robots-2.txt`));
    case 'timeout':
      return found({ ...whole(200, {}, EMPTY), body: { kind: 'silence' } });
    default:
      return found(text());
  }
}

function notThere(host: Host, path: string): WebAnswer {
  const map = sitemapOf(host, path);
  if (map !== undefined) {
    return { ...whole(200, { 'content-type': map.type }, map.bytes), host: host.index };
  }
  const answer = host.softMissing
    ? htmlAnswer(200, softMissing(host.seed))
    : htmlAnswer(404, '<!doctype html><title>404</title><h1>Not Found</h1>');
  return { ...answer, host: host.index };
}

function resourceAnswer(
  site: Site,
  host: Host,
  resource: number,
  nature: Nature,
  request: WebRequest,
): WebAnswer {
  if (nature === 'hop' || nature.startsWith('redirect-')) return redirect(site, host, resource);
  if (nature.startsWith('busy-')) return busy(site, host, resource, nature, request);
  if (nature.startsWith('status-')) {
    const status = Number(nature.slice('status-'.length));
    return htmlAnswer(status, `<!doctype html><title>${status}</title><h1>${status}</h1>`);
  }
  switch (nature) {
    case 'missing':
      return htmlAnswer(404, '<!doctype html><title>404</title><h1>Not Found</h1>');
    case 'soft-404':
      return htmlAnswer(200, softMissing(host.seed));
    case 'feed': {
      const feed = feedBody(host);
      return whole(200, { 'content-type': feed.type }, feed.bytes);
    }
    default:
      return document(site, host, resource, nature, request);
  }
}

function redirect(site: Site, host: Host, resource: number): WebAnswer {
  const { graph } = site;
  const found = redirectionOf(graph.natures, graph.hosts, host, resource)!;
  const target = graph.hosts[found.to.host]!;
  const path = pathOf(target, found.to.resource);
  const absolute = target !== host || resource % 2 === 0;
  return whole(found.status, { location: absolute ? target.origin + path : path }, EMPTY);
}

/** Refuses the first request, serves from the second on. */
function busy(
  site: Site,
  host: Host,
  resource: number,
  nature: Nature,
  request: WebRequest,
): WebAnswer {
  if ((request.asked ?? 0) > 0) {
    return { ...document(site, host, resource, 'page', request), recovers: true };
  }
  const [, status, how] = nature.split('-') as [string, string, string];
  const waitMs = site.settings.patienceSec * 1000;
  const headers: Record<string, string> = { 'content-type': 'text/html' };
  if (how === 'seconds') headers['retry-after'] = String(site.settings.patienceSec);
  if (how === 'date') headers['retry-after'] = new Date(request.atMs + waitMs + 999).toUTCString();
  return { ...whole(Number(status), headers, Buffer.from('<h1>Busy</h1>')), recovers: true };
}

function document(
  site: Site,
  host: Host,
  resource: number,
  nature: Nature,
  request: WebRequest,
): WebAnswer {
  const change = changeOf(host, resource, nature, request.atMs);
  const headers: Record<string, string> = validatorsOf(host, resource, nature, change);
  if (notModified(headers, request.headers)) return whole(304, headers, EMPTY);
  if (nature === 'x-robots') headers['x-robots-tag'] = 'noindex, nofollow';
  const bytes = bytesOf(site, host, resource, nature, change.version, headers);
  const delayMs = nature === 'slow' ? slowness(site.settings, host, resource) : 0;
  return {
    ...whole(200, headers, compress(host.coding, request.headers, bytes, headers)),
    delayMs,
  };
}

function slowness(settings: Settings, host: Host, resource: number): number {
  const half = Math.max(1, Math.floor(settings.slowMsMax / 2));
  return half + (mix(host.seed + SALT.latency, resource) % half);
}

/** The body before compression; sets the media type. */
function bytesOf(
  site: Site,
  host: Host,
  resource: number,
  nature: Nature,
  version: number,
  headers: Record<string, string>,
): Uint8Array {
  const seed = mix(host.seed, resource);
  const page = (metaCharset: string | undefined): string => {
    const extra = resource === 0 ? site.extraOf(host) : [];
    const { bodyBytes } = site.settings;
    const { graph } = site;
    return renderPage({ graph, host, resource, bodyBytes, version, metaCharset, extra });
  };
  const type = (value: string) => {
    headers['content-type'] = value;
  };
  switch (nature) {
    case 'pdf':
      type('application/pdf');
      return pdfOf(`Document ${resource}`, `${host.origin}/`);
    case 'binary-as-html':
      type('text/html');
      return binaryBytes(seed, 8_192);
    case 'plain-text':
      type('text/plain; charset=utf-8');
      return Buffer.from(plainText(seed));
    case 'script-only':
      type('text/html; charset=utf-8');
      return Buffer.from(scriptOnly(seed));
    case 'windows-1251':
      type('text/html; charset=windows-1251');
      return encodeText(page(undefined), 'windows-1251');
    case 'shift_jis':
      type('text/html');
      return encodeText(page('Shift_JIS'), 'shift_jis');
    case 'utf-16':
      type('text/html');
      return encodeText(page(undefined), 'utf-16le');
    case 'wrong-meta':
      type('text/html; charset=utf-8');
      return encodeText(page('windows-1251'), 'utf-8');
    default:
      type(seed % 9 === 0 ? 'text/html' : 'text/html; charset=utf-8');
      return Buffer.from(page('utf-8'));
  }
}
