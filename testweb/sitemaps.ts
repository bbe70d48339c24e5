/**
 * Sitemaps and feeds: an index that names three files of three kinds (XML, gzipped XML, text),
 * which together name every page of the host, orphans included; and a feed of the newest pages.
 */
import { gzipSync } from 'node:zlib';
import type { Host } from './hosts.ts';
import { pathOf } from './resources.ts';

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const FILES = ['/sitemap-a.xml', '/sitemap-b.xml.gz', '/sitemap-c.txt'];
const FEED_ITEMS = 10;

export interface Document {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export function sitemapOf(host: Host, path: string): Document | undefined {
  if (!host.sitemap) return undefined;
  if (path === '/sitemap.xml') return xml(index(host));
  const file = FILES.indexOf(path);
  if (file < 0) return undefined;
  const urls: string[] = [];
  for (let page = file; page < host.size; page += 3) urls.push(host.origin + pathOf(host, page));
  if (file === 2) return { type: 'text/plain; charset=utf-8', bytes: Buffer.from(urls.join('\n')) };
  const body = urlset(urls);
  if (file === 0) return xml(body);
  return { type: 'application/gzip', bytes: gzipSync(body, { level: 1 }) };
}

export function isSitemapPath(path: string): boolean {
  return path === '/sitemap.xml' || FILES.includes(path);
}

export function feedBody(host: Host): Document {
  let items = '';
  for (let page = Math.max(0, host.inner - FEED_ITEMS); page < host.inner; page++) {
    const url = escapeXml(host.origin + pathOf(host, page));
    items += `<item><title>Page ${page}</title><link>${url}</link><guid>${url}</guid></item>\n`;
  }
  const channel = `<title>Feed</title><link>${host.origin}/</link>\n${items}`;
  const body = `<?xml version="1.0"?>\n<rss version="2.0"><channel>${channel}</channel></rss>\n`;
  return { type: 'application/rss+xml; charset=utf-8', bytes: Buffer.from(body) };
}

function index(host: Host): string {
  const rows = FILES.map((file) => `<sitemap><loc>${host.origin}${file}</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${NAMESPACE}>\n${rows.join('')}</sitemapindex>\n`;
}

function urlset(urls: readonly string[]): string {
  const rows = urls.map((url) => `<url><loc>${escapeXml(url)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACE}>\n${rows.join('')}</urlset>\n`;
}

const xml = (body: string): Document => ({ type: 'application/xml', bytes: Buffer.from(body) });
const escapeXml = (text: string): string => text.replaceAll('&', '&amp;');
