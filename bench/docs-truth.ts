/**
 * What a crawl of the docs web must find, by another way than ours: htmlparser2 over the files,
 * breadth first from the host's start page. Pages and plain texts that are there count.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'htmlparser2';
import { type DocsWeb, startOf } from './docs-web.ts';

const HREFS: Readonly<Record<string, string>> = {
  ...{ a: 'href', area: 'href', iframe: 'src', frame: 'src' },
};

export interface DocsTruth {
  readonly urls: ReadonlySet<string>;
  readonly pages: number;
  /** Of the pages alone. */
  readonly bytes: number;
  readonly anchors: number;
}

/** One host, with paths in place of URLs. */
interface Site {
  readonly paths: readonly string[];
  readonly pages: number;
  readonly bytes: number;
  readonly anchors: number;
}

export function docsTruth(web: DocsWeb): DocsTruth {
  const sites = new Map<string, Site>();
  const urls = new Set<string>();
  const sum = { pages: 0, bytes: 0, anchors: 0 };
  for (const [host, root] of web.roots) {
    const shape = root.replace(/-\d+$/, '');
    const site = sites.get(shape) ?? siteOf(root);
    sites.set(shape, site);
    for (const path of site.paths) urls.add(`http://${host}${path}`);
    sum.pages += site.pages;
    sum.bytes += site.bytes;
    sum.anchors += site.anchors;
  }
  return { urls, ...sum };
}

function siteOf(root: string): Site {
  const queue = [startOf(root)];
  const named = new Set(queue);
  const paths: string[] = [];
  const sum = { pages: 0, bytes: 0, anchors: 0 };
  for (const path of queue) {
    const body = bodyOf(path, root);
    if (body === undefined) continue;
    paths.push(path);
    if (path.endsWith('.txt')) continue;
    sum.pages++;
    sum.bytes += body.length;
    for (const href of hrefsOf(body)) {
      sum.anchors++;
      const target = targetOf(href, path);
      if (target === undefined || named.has(target)) continue;
      named.add(target);
      queue.push(target);
    }
  }
  return { paths, ...sum };
}

/** Undefined for what is not there, and for what is neither a page nor a text. */
function bodyOf(path: string, root: string): Buffer | undefined {
  const plain = decodeURIComponent(path.split('?')[0] as string);
  const file = join(root, plain.endsWith('/') ? `${plain}index.html` : plain);
  if (!/\.(html|txt)$/.test(file) || !existsSync(file)) return undefined;
  return statSync(file).isFile() ? readFileSync(file) : undefined;
}

function hrefsOf(body: Buffer): string[] {
  const hrefs: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const href = attributes[HREFS[name] ?? ''];
      if (href !== undefined) hrefs.push(href);
    },
  });
  parser.end(body.toString('utf8'));
  return hrefs;
}

/** The path of a link within the site; undefined for one that leads elsewhere. */
function targetOf(href: string, path: string): string | undefined {
  const base = `http://site.test${path}`;
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.origin === 'http://site.test' ? url.pathname + url.search : undefined;
}
