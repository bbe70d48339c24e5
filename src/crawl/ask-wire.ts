/**
 * Answers, put through a wire: what one process asks, another answers with the same words.
 *
 *   asker: answersOver(call) ── {method, params} ──▶ answerRequest(answers, request) :answerer
 *                            ◀── row, row, row … ──
 *
 * The wire carries text; bytes, bigints and the numbers that JSON lacks go in an object with
 * one `$` key. Crawled text cannot imitate one, because it is only ever a string in there.
 * Not here: the socket (../adapters/node/socket.ts).
 */
import { CrawlError } from '../base/errors.ts';
import type {
  Answers,
  AuditQuery,
  BodyForm,
  ChangesQuery,
  HostsQuery,
  LinksQuery,
  PagesQuery,
  SteerQuery,
} from './answers.ts';
import type { RecrawlQuery } from './ask-recrawl.ts';
import { complyOver, complyRows } from './comply-wire.ts';
import type { RankQuery } from './rank.ts';

export interface WireRequest {
  readonly method: string;
  readonly params: unknown;
}

/** Sends a request, answers with its rows; the caller may stop before the end. */
export type WireCall = (request: string) => AsyncIterable<string>;

/** A body travels in pieces, so that no line is long. */
const BODY_PIECE_BYTES = 48 * 1024;

/** The rows that a request is answered with, as text without line ends. */
export async function* answerRequest(answers: Answers, request: string): AsyncIterable<string> {
  const { method, params } = readRequest(request);
  for await (const row of rowsOf(answers, method, params)) yield writeWire(row);
}

function rowsOf(answers: Answers, method: string, params: unknown): AsyncIterable<unknown> {
  switch (method) {
    case 'status':
      return once(() => answers.status());
    case 'pages':
      return answers.pages(objectOf(params) as PagesQuery);
    case 'links':
      return answers.links(objectOf(params) as LinksQuery);
    case 'why':
      return once(() => answers.why(String(params)));
    case 'audit':
      return once(() => answers.audit(objectOf(params) as AuditQuery));
    case 'recrawl':
      return once(() => answers.recrawl(recrawlQuery(params)));
    case 'changes':
      return answers.changes(objectOf(params) as ChangesQuery);
    case 'rank':
      return once(() => answers.rank(objectOf(params) as RankQuery));
    case 'body':
      return pieces(bodyFor(answers, objectOf(params)));
    case 'captures':
      return answers.captures(objectOf(params) as PagesQuery);
    case 'hosts':
      return answers.hosts(objectOf(params) as HostsQuery);
    case 'jobs':
      return once(() => answers.jobs());
    case 'steerJob':
      return once(() => answers.steerJob(steerQuery(params)));
    default:
      return complyRows(answers, method, params) ?? refuse(`no answer to '${method.slice(0, 40)}'`);
  }
}

export function answersOver(call: WireCall): Answers {
  const rows = (method: string, params: unknown) => readRows(call(writeWire({ method, params })));
  const one = async (method: string, params: unknown) => {
    for await (const row of rows(method, params)) return row;
    throw new CrawlError('E_STORE_DOWN', `The crawl gave no answer.`, 'Ask again.');
  };
  return {
    status: () => one('status', {}) as ReturnType<Answers['status']>,
    pages: (query) => rows('pages', query) as ReturnType<Answers['pages']>,
    links: (query) => rows('links', query) as ReturnType<Answers['links']>,
    why: (url) => one('why', url) as ReturnType<Answers['why']>,
    audit: (query) => one('audit', query ?? {}) as ReturnType<Answers['audit']>,
    rank: (query) => one('rank', query) as ReturnType<Answers['rank']>,
    recrawl: (query) => one('recrawl', query) as ReturnType<Answers['recrawl']>,
    changes: (query) => rows('changes', query) as ReturnType<Answers['changes']>,
    async body(url, form) {
      const parts: Uint8Array[] = [];
      for await (const part of rows('body', { url, form })) parts.push(part as Uint8Array);
      return parts.length === 0 ? undefined : Buffer.concat(parts);
    },
    captures: (query) => rows('captures', query) as ReturnType<Answers['captures']>,
    hosts: (query) => rows('hosts', query) as ReturnType<Answers['hosts']>,
    jobs: () => one('jobs', {}) as ReturnType<Answers['jobs']>,
    steerJob: (query) => one('steerJob', query) as ReturnType<Answers['steerJob']>,
    ...complyOver(one, rows),
  };
}

/** It changes something: what comes from the wire is looked at. */
function steerQuery(params: unknown): SteerQuery {
  const { id, act } = objectOf(params) as Partial<SteerQuery>;
  const isAct = act === 'pause' || act === 'resume' || act === 'cancel';
  if (!isAct || !Number.isInteger(id)) throw new RangeError('no word on a job');
  return { id: id as number, act };
}

async function* readRows(lines: AsyncIterable<string>): AsyncIterable<unknown> {
  for await (const line of lines) yield readWire(line);
}

async function* once(ask: () => Promise<unknown>): AsyncIterable<unknown> {
  yield await ask();
}

function bodyFor(answers: Answers, { url, form }: { url?: unknown; form?: unknown }) {
  const known = FORMS.find((one) => one === form);
  return answers.body(String(url), known);
}

const FORMS: readonly BodyForm[] = ['read', 'sent', 'screenshot'];

async function* pieces(body: Promise<Uint8Array | undefined>): AsyncIterable<Uint8Array> {
  const bytes = await body;
  if (bytes === undefined) return;
  if (bytes.length === 0) yield bytes;
  for (let at = 0; at < bytes.length; at += BODY_PIECE_BYTES) {
    yield bytes.subarray(at, at + BODY_PIECE_BYTES);
  }
}

function refuse(what: string): never {
  const hint = 'Ask with the same version of orb that runs the crawl.';
  throw new CrawlError('E_USAGE', `The running crawl has ${what}.`, hint);
}

function readRequest(text: string): WireRequest {
  try {
    const request = objectOf(readWire(text)) as Partial<WireRequest>;
    if (typeof request.method === 'string') {
      return { method: request.method, params: request.params };
    }
  } catch {
    // Refused below, as any other line that is no request.
  }
  return refuse('no answer to what was sent');
}

/** What comes through a wire is looked at: this one writes. */
function recrawlQuery(params: unknown): RecrawlQuery {
  const { what, all } = objectOf(params) as Partial<RecrawlQuery>;
  return { what: Array.isArray(what) ? what.map(String) : [], all: all === true };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

export function writeWire(value: unknown): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, key, seen: unknown) {
    const raw = this[key];
    if (raw instanceof Uint8Array) return { $bytes: Buffer.from(raw).toString('base64') };
    if (typeof raw === 'bigint') return { $big: raw.toString() };
    if (typeof raw === 'number' && !Number.isFinite(raw)) return { $number: String(raw) };
    return seen;
  });
}

export function readWire(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { $bytes, $big, $number } = value as Record<string, unknown>;
    if (typeof $bytes === 'string') return Buffer.from($bytes, 'base64');
    if (typeof $big === 'string') return BigInt($big);
    return typeof $number === 'string' ? Number($number) : value;
  });
}
