/** The test web in this process, so that its log and its truth can be read at once. */

import type { ServeOptions, Web, WebOptions, WebServer } from '../../testweb/index.ts';
import { isAside, type LogRow, openWeb, serveWeb } from '../../testweb/index.ts';
import type { Cleanup } from './place.ts';

export interface TestWeb {
  readonly web: Web;
  readonly server: WebServer;
  /** The root of host 0. */
  readonly start: string;
  /** Flags that lead a crawl to this web and nowhere else. */
  readonly flags: readonly string[];
}

export async function openWebFor(
  t: Cleanup,
  options: WebOptions,
  how: ServeOptions = {},
): Promise<TestWeb> {
  const server = await serveWeb(openWeb(options), how);
  t.after(() => server.close());
  const { web } = server;
  const flags = ['--dns', `127.0.0.1:${server.dnsPort}`, '--allow-network', '127.1.0.0/16'];
  return { web, server, start: web.urlOf(0, 0), flags };
}

/** Requests for pages, in order: robots.txt and sitemaps are asked besides. */
export function pageRequests({ server }: TestWeb): LogRow[] {
  return [...server.log.requests()].filter((row) => !isAside(row.url));
}

export function asked(web: TestWeb): Set<string> {
  return new Set(pageRequests(web).map((row) => row.url));
}

const POLL_MS = 1;

/** Until the log has this many requests, or `isOver` says that none will come. */
export async function waitForRequests(
  { server }: TestWeb,
  count: number,
  isOver: () => boolean,
): Promise<boolean> {
  while (server.log.length < count) {
    if (isOver()) return false;
    await new Promise((look) => setTimeout(look, POLL_MS));
  }
  return true;
}
