/**
 * The smallest crawler that could be right, for tests of the test web only.
 *
 * It shares nothing with Orbweaver nor with the generator: links by regular expression, robots by
 * a few lines, canonical form by `URL`. If its harvest equals the truth, the truth is the truth.
 */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';

export interface Harvest {
  readonly pages: Set<string>;
  readonly redirects: Set<string>;
  readonly dead: Set<string>;
  readonly forbidden: Set<string>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Asks the web server directly at the address of the URL's host. */
export function ask(
  url: string,
  addressOf: (name: string) => string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const { hostname, host, port, pathname, search } = new URL(url);
  return new Promise((done, fail) => {
    const options = { host: addressOf(hostname), port, path: pathname + search };
    const sent = request({ ...options, headers: { host, 'user-agent': 'Orbweaver', ...headers } });
    sent.on('error', fail);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const { statusCode: status = 0, headers: got } = response;
        done({ status, headers: got, body: Buffer.concat(chunks) });
      });
    });
    sent.end();
  });
}

export async function bruteCrawl(
  seed: string,
  addressOf: (name: string) => string,
): Promise<Harvest> {
  const harvest = {
    pages: new Set<string>(),
    redirects: new Set<string>(),
    dead: new Set<string>(),
    forbidden: new Set<string>(),
  };
  const seen = new Set<string>([seed]);
  const queue: { url: string; hops: number }[] = [{ url: seed, hops: 0 }];
  const rules = new Map<string, Rules>();
  const push = (url: string | undefined, hops: number): void => {
    if (url === undefined || seen.has(url)) return;
    seen.add(url);
    queue.push({ url, hops });
  };
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
    const { url, hops } = item;
    const { origin } = new URL(url);
    let rule = rules.get(origin);
    if (rule === undefined) {
      rule = await readRobots(origin, addressOf);
      rules.set(origin, rule);
      for (const map of rule.sitemaps) {
        for (const loc of await readSitemap(map, addressOf)) push(tidy(loc, loc), 0);
      }
    }
    if (!rule.allows(url)) harvest.forbidden.add(url);
    else await visit(url, hops, addressOf, harvest, push);
  }
  return harvest;
}

async function visit(
  url: string,
  hops: number,
  addressOf: (name: string) => string,
  harvest: Harvest,
  push: (url: string | undefined, hops: number) => void,
): Promise<void> {
  let reply = await ask(url, addressOf);
  if (reply.status === 429 || reply.status === 503) reply = await ask(url, addressOf);
  if (reply.status >= 300 && reply.status < 400) {
    harvest.redirects.add(url);
    if (hops < 5) push(tidy(String(reply.headers.location), url), hops + 1);
  } else if (reply.status >= 400) {
    harvest.dead.add(url);
  } else {
    harvest.pages.add(url);
    if (String(reply.headers['content-type']).startsWith('text/html')) {
      for (const link of linksIn(textOf(reply), url)) push(link, 0);
    }
  }
}

function textOf({ body, headers }: Reply): string {
  const charset = /charset=([\w-]+)/.exec(String(headers['content-type']))?.[1];
  if (body[0] === 0xff && body[1] === 0xfe) return body.toString('utf16le');
  const meta = /<meta charset="([\w-]+)"/.exec(body.toString('latin1'))?.[1];
  return new TextDecoder(charset ?? meta ?? 'utf-8').decode(body);
}

export function linksIn(html: string, url: string): string[] {
  const text = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<script[\s\S]*?<\/script>/gi, '');
  const base = /<base href="([^"]*)"/.exec(text)?.[1];
  const from = base === undefined ? url : new URL(base, url).href;
  const links: string[] = [];
  const tag =
    /<(?:a|area|iframe|link rel="(?:canonical|alternate)")\b(?:\s+(?!href\b|src\b)[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))*\s+(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/gi;
  for (const match of text.matchAll(tag)) {
    const href = (match[1] ?? match[2] ?? match[3] ?? '').trim().replaceAll('&amp;', '&');
    const link = tidy(href, from);
    if (link !== undefined) links.push(link);
  }
  return links;
}

function tidy(href: string, from: string): string | undefined {
  const url = new URL(href.replace('&#233;', 'é'), from);
  if (!url.protocol.startsWith('http')) return undefined;
  url.hash = '';
  for (const name of [...url.searchParams.keys()]) {
    if (/^(utm_.*|fbclid|gclid|msclkid|PHPSESSID)$/.test(name)) url.searchParams.delete(name);
  }
  url.searchParams.sort();
  url.pathname = url.pathname.replace(/;jsessionid=[^/]*/, '');
  const text = url.href.replace(/\?$/, '').replace(/%2d/gi, '-');
  return text.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

interface Rules {
  readonly sitemaps: readonly string[];
  allows(url: string): boolean;
}

async function readRobots(origin: string, addressOf: (name: string) => string): Promise<Rules> {
  let at = `${origin}/robots.txt`;
  let reply = await ask(at, addressOf);
  for (let hop = 0; hop < 5 && reply.status >= 300 && reply.status < 400; hop++) {
    at = new URL(String(reply.headers.location), at).href;
    reply = await ask(at, addressOf);
  }
  if (reply.status >= 500) return { sitemaps: [], allows: () => false };
  if (reply.status >= 400) return { sitemaps: [], allows: () => true };
  return parseRules(
    reply.body
      .subarray(0, 500 * 1024)
      .toString('utf8')
      .replace('\ufeff', ''),
  );
}

export function parseRules(body: string, agent = 'orbweaver'): Rules {
  const groups = new Map<string, [string, boolean][]>();
  const sitemaps: string[] = [];
  let agents: string[] = [];
  let inRules = false;
  for (const line of body.split(/\r\n|\r|\n/)) {
    const [, name = '', rest = ''] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const key = name.toLowerCase();
    const value = rest.trim();
    if (key === 'sitemap') sitemaps.push(value);
    if (key === 'user-agent') {
      if (inRules) agents = [];
      inRules = false;
      agents.push(value.toLowerCase());
      if (!groups.has(value.toLowerCase())) groups.set(value.toLowerCase(), []);
    }
    if (key === 'allow' || key === 'disallow') {
      inRules = true;
      for (const agent of agents)
        if (value !== '') groups.get(agent)!.push([value, key === 'allow']);
    }
  }
  const rules = groups.get(agent) ?? groups.get('*') ?? [];
  return { sitemaps, allows: (url) => allows(rules, new URL(url)) };
}

function allows(rules: readonly [string, boolean][], url: URL): boolean {
  let best = -1;
  let allowed = true;
  for (const [pattern, allow] of rules) {
    const plain = pattern.replace(/%70/g, 'p');
    const source = plain.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*');
    if (new RegExp(`^${source}`).test(url.pathname + url.search) && plain.length > best) {
      best = plain.length;
      allowed = allow;
    }
  }
  return allowed;
}

async function readSitemap(url: string, addressOf: (name: string) => string): Promise<string[]> {
  const { body } = await ask(url, addressOf);
  const text = url.endsWith('.gz') ? gunzipSync(body).toString() : body.toString();
  if (url.endsWith('.txt')) return text.split('\n');
  const locs = [...text.matchAll(/<loc>([^<]*)/g)].map((match) =>
    match[1]!.replaceAll('&amp;', '&'),
  );
  if (!text.includes('<sitemapindex')) return locs;
  return (await Promise.all(locs.map((loc) => readSitemap(loc, addressOf)))).flat();
}
