/**
 * The service in this process: a crawl of the test web behind the real server, and a client
 * that holds every answer against the published document.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { listenWeb } from '../../src/adapters/api/index.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { openCrawl } from '../../src/compose.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import type { CrawlSession } from '../../src/crawl/index.ts';
import type { RingAnswers } from '../../src/crawl/ring-survey.ts';
import { Feed } from '../../src/edge/api/feed.ts';
import { type Endpoint, makeSite, type TokenEntry } from '../../src/edge/api/index.ts';
import { progressView } from '../../src/edge/api/stats.ts';
import { type Cleanup, scratch } from './place.ts';
import type { TestWeb } from './web.ts';

export interface ServicePlan {
  readonly flags?: readonly string[];
  readonly dir?: string;
  readonly tokens?: readonly TokenEntry[];
  /** As if it were bound beyond loopback: tokens are needed. */
  readonly isClosed?: boolean;
  readonly names?: readonly string[];
  readonly requestsPerSecond?: number;
  readonly more?: readonly Endpoint[];
  /** As if it were a node of this ring. */
  readonly ringAnswers?: RingAnswers;
}

export interface TestService {
  readonly at: string;
  readonly port: number;
  readonly dir: string;
  readonly session: CrawlSession;
  readonly feed: Feed;
  /** Errors that the service did not expect. */
  readonly bugs: readonly unknown[];
  ask(path: string, init?: RequestInit): Promise<ApiReply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiReply>;
  /** Until nothing waits and nothing is on its way. */
  quiet(pages?: number): Promise<void>;
  close(): Promise<void>;
}

export interface ApiReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what it is, is checked against the document.
  readonly json: any;
}

export async function openService(
  t: Cleanup,
  web: TestWeb | undefined,
  plan: ServicePlan = {},
): Promise<TestService> {
  let close = async (): Promise<void> => undefined;
  // First closed, then thrown away: what a test registers first is done first.
  t.after(() => close());
  const dir = plan.dir ?? join(await scratch(t), 'crawl');
  const bugs: unknown[] = [];
  let feed: Feed | undefined;
  const opened = await openCrawl({
    ...{ dir, seeds: [], settings: settingsFor(web, plan.flags ?? []), asMade: true },
    onPage: ({ record }) => {
      feed?.notePage(record);
      return undefined;
    },
  });
  const session = onRing(opened, plan.ringAnswers);
  const clock = systemClock();
  feed = new Feed(clock, () => progressView(session.progress()));
  const site = makeSite({
    ...{ session, feed, clock, version: '0.0.0', tokens: plan.tokens ?? [] },
    ...{ names: plan.names ?? [], isOpen: plan.isClosed !== true, more: plan.more ?? [] },
    requestsPerSecond: plan.requestsPerSecond ?? 10_000,
    onBug: (error) => bugs.push(error),
  });
  const listener = await listenWeb(site, { bind: '127.0.0.1', port: 0 });
  const run = session.run();
  close = once(async () => {
    session.abort();
    await run;
    await listener.close();
    await session.close();
  });
  const at = `http://127.0.0.1:${listener.port}`;
  const ask = await askerOf(at);
  return {
    ...{ at, port: listener.port, dir, session, feed, bugs, ask, close: () => close() },
    post: (path, body, headers = {}) => {
      const json = { 'content-type': 'application/json', ...headers };
      return ask(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
    },
    quiet: (pages = 1) => quiet(session, pages),
  };
}

export function onRing(session: CrawlSession, ringAnswers: RingAnswers | undefined): CrawlSession {
  if (ringAnswers === undefined) return session;
  const progress = () => ({ ...session.progress(), isOnRing: true });
  return { ...session, ringAnswers, progress };
}

function settingsFor(web: TestWeb | undefined, flags: readonly string[]) {
  const network = ['--allow-private', ...(web?.flags ?? [])];
  const pace = ['--rate', 'max', '--workers', '0', '--keep-fresh'];
  const resolved = resolveSettings({ argv: [...network, ...pace, ...flags] });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  return resolved.settings;
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

async function quiet(session: CrawlSession, pages: number): Promise<void> {
  for (;;) {
    const { totals, openVisits } = session.progress();
    if (totals.waiting === 0 && openVisits === 0 && totals.fetched >= pages) return;
    await new Promise(setImmediate);
  }
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: { readonly Problem: object } };
}

interface Operation {
  readonly responses: Record<string, { readonly content: Record<string, { schema: object }> }>;
}

/** A client whose every answer is held against the document of the service. */
async function askerOf(at: string): Promise<TestService['ask']> {
  const got = await fetch(`${at}/openapi.json`, { headers: { host: new URL(at).host } });
  const document = got.status === 200 ? ((await got.json()) as Document) : undefined;
  const problem = document?.components.schemas.Problem ?? {};
  return async (path, init) => {
    const response = await fetch(`${at}${path}`, init);
    const text = await response.text();
    const media = (response.headers.get('content-type') ?? '').split(';')[0] as string;
    const json = /json$/.test(media) && text !== '' ? JSON.parse(text) : undefined;
    const { status, headers } = response;
    const shape = document && operationFor(document, path, init?.method ?? 'GET');
    if (media === 'application/problem+json') check(problem, json, `${status} ${path}`);
    else if (shape !== undefined) {
      const answer = shape.responses[status];
      assert.ok(answer, `${path}: ${status} is in the document`);
      const declared = answer.content[media]?.schema;
      if (json !== undefined) check(declared as object, json, `${status} ${path}`);
    }
    return { status, headers, text, json };
  };
}

function operationFor(document: Document, path: string, method: string): Operation | undefined {
  const parts = (path.split('?')[0] as string).split('/');
  const fits = (pattern: string) => {
    const wanted = pattern.split('/');
    const isSame = (word: string, i: number) => word.startsWith('{') || word === parts[i];
    return wanted.length === parts.length && wanted.every(isSame);
  };
  const found = Object.keys(document.paths).filter(fits);
  const exact = found.find((pattern) => !pattern.includes('{')) ?? found[0];
  return exact === undefined ? undefined : document.paths[exact]?.[method.toLowerCase()];
}

function check(schema: object, value: unknown, where: string): void {
  assert.ok(schema, `${where}: has a schema`);
  const [isFit, errors] = Compile(closed(schema) as object).Errors(value);
  assert.ok(isFit, `${where}: ${JSON.stringify(errors?.slice(0, 5))}`);
}

/** A field that the document does not name is a mistake of one of the two. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.entries(schema).map(([name, value]) => [name, closed(value)]);
  const made = Object.fromEntries(inner) as Record<string, unknown>;
  const isOpen = made.type === 'object' && made.additionalProperties === undefined;
  const hasFields = Object.keys((made.properties ?? {}) as object).length > 0;
  return isOpen && hasFields ? { ...made, additionalProperties: false } : made;
}
