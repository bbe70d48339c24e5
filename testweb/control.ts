/**
 * The desk of a test web that runs as its own process: plain HTTP on 127.0.0.1, JSON answers.
 *
 *   /log.json                              counts, gaps, duplicates, overlaps, tripwire
 *   /requests.jsonl                        every request: [atMs, endMs, status, named, url]
 *   /truth.json?agent&seed&scope&depth&sitemaps=no&urls=page     counts, and URLs of a class
 *   /judge.json?…the same…                 the log beside the truth
 *   /quarters.json                         the log beside the truth of each quarter's hosts
 *   /advance?ms                            the web is this much later; its pages change
 *   /reset                                 forgets the log, makes busy pages busy again
 */
import { createServer, type ServerResponse } from 'node:http';
import { duplicates, gaps, perAddressGaps } from './audit.ts';
import { judge } from './judge.ts';
import { judgeQuarters } from './judge-quarters.ts';
import { TRIPWIRE } from './log.ts';
import type { WebServer } from './serve.ts';
import { CLASSES, type TruthClass, type TruthQuestion } from './truth.ts';

export interface Control {
  readonly port: number;
  close(): Promise<void>;
}

const LISTED = 50;

export async function openControl(served: WebServer, port = 0): Promise<Control> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    try {
      respond(served, url, response);
    } catch (error) {
      response.writeHead(400).end(`${(error as Error).message}\n`);
    }
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', done);
  });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { port: (server.address() as { port: number }).port, close };
}

const ROUTES: Readonly<Record<string, (served: WebServer, query: URLSearchParams) => unknown>> = {
  '/log.json': logSummary,
  '/truth.json': truthSummary,
  '/judge.json': judged,
  '/quarters.json': ({ web, log }) =>
    judgeQuarters(web, log).map((one) => ({ ...one, missed: one.missed.slice(0, LISTED) })),
  '/advance': (served, query) => {
    const ms = Number(query.get('ms'));
    if (!Number.isFinite(ms)) throw new RangeError('advance needs ms, a number');
    served.advance(ms);
    return { advanced: ms };
  },
  '/reset': (served) => {
    served.reset();
    return { reset: true };
  },
};

function respond(served: WebServer, url: URL, response: ServerResponse): void {
  const route = ROUTES[url.pathname];
  if (route !== undefined) json(response, route(served, url.searchParams));
  else if (url.pathname === '/requests.jsonl') sendRequests(served, response);
  else response.writeHead(404).end('unknown: see testweb/control.ts\n');
}

function logSummary({ log }: WebServer) {
  const byHost = gaps(log);
  const repeated = duplicates(log);
  const wired = byHost.find((gap) => gap.of === TRIPWIRE);
  let unnamed = 0;
  for (const row of log.requests()) if (!row.named) unnamed++;
  return {
    requests: log.length,
    hosts: byHost.length,
    smallestGapMs: finite(byHost[0]?.smallestMs),
    gaps: byHost.slice(0, LISTED),
    addressGaps: perAddressGaps(log).slice(0, LISTED),
    overlaps: byHost.reduce((sum, gap) => sum + gap.overlaps, 0),
    duplicates: repeated.length,
    duplicateUrls: repeated.slice(0, LISTED),
    tripwire: wired?.requests ?? 0,
    unnamed,
  };
}

function truthSummary(served: WebServer, query: URLSearchParams) {
  const truth = served.web.truth(questionOf(query));
  const counts = Object.fromEntries(CLASSES.slice(1).map((kind) => [kind, truth.count(kind)]));
  const wanted = query.get('urls') as TruthClass | null;
  if (wanted !== null && !CLASSES.includes(wanted)) throw new RangeError(`no class ${wanted}`);
  return {
    counts,
    expectedFetches: truth.expectedFetches,
    expectedRetries: truth.expectedRetries,
    ...(wanted === null ? {} : { urls: [...truth.urls(wanted)] }),
  };
}

function judged(served: WebServer, query: URLSearchParams) {
  const result = judge(served.web, served.log, served.web.truth(questionOf(query)));
  const { missing, stray, trespass, duplicates: twice } = result;
  return {
    ...result,
    counts: {
      missing: missing.length,
      stray: stray.length,
      trespass: trespass.length,
      duplicates: twice.length,
    },
    missing: missing.slice(0, LISTED),
    stray: stray.slice(0, LISTED),
    trespass: trespass.slice(0, LISTED),
    duplicates: twice.slice(0, LISTED),
  };
}

export function questionOf(query: URLSearchParams): TruthQuestion {
  const scope = query.get('scope');
  const depth = query.get('depth');
  const agent = query.get('agent');
  const seeds = query.getAll('seed');
  return {
    ...(agent === null ? {} : { agent }),
    ...(seeds.length === 0 ? {} : { seeds }),
    ...(scope === 'host' || scope === 'domain' ? { scope } : {}),
    ...(depth === null ? {} : { depth: Number(depth) }),
    sitemaps: query.get('sitemaps') !== 'no',
  };
}

function sendRequests({ log }: WebServer, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/jsonl' });
  let lines = '';
  for (const { atMs, endMs, status, named, url } of log.requests()) {
    lines += `${JSON.stringify([atMs, finite(endMs), status, named, url])}\n`;
    if (lines.length < 1 << 16) continue;
    response.write(lines);
    lines = '';
  }
  response.end(lines);
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(value)}\n`);
}

/** JSON has no Infinity. */
const finite = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;
