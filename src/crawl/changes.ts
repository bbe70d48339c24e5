/**
 * A report of changes (B7), streamed: since an instant, or from one crawl to another.
 *
 *   records ──→ one at a time (../recrawl/change.ts) ──→ moves: a text that is gone here and new
 *   or pairs                                             there ──→ rows
 *
 * Both crawls come in the order of their keys, so they are compared like two zips. Memory holds
 * the pages that are gone, up to a bound; beyond it they are told as gone and as new.
 */
import type { Instant } from '../base/instant.ts';
import { type UrlRecord, urlKeyOf } from '../record/index.ts';
import { type Change, changeBetween, changeSince } from '../recrawl/index.ts';

/** Pages that are gone and may have moved: about 100 bytes each. */
const GONE_MAX = 200_000;

type Listing<T> = () => AsyncIterable<T>;

export function changesSince(pages: Listing<UrlRecord>, since: Instant): AsyncIterable<Change> {
  return withMoves(() => eachSince(pages(), since));
}

export function changesBetween(
  before: Listing<UrlRecord>,
  after: Listing<UrlRecord>,
): AsyncIterable<Change> {
  return withMoves(() => eachBetween(before(), after()));
}

async function* eachSince(pages: AsyncIterable<UrlRecord>, since: Instant): AsyncIterable<Change> {
  for await (const record of pages) {
    const change = changeSince(record, since);
    if (change !== undefined) yield change;
  }
}

async function* eachBetween(
  before: AsyncIterable<UrlRecord>,
  after: AsyncIterable<UrlRecord>,
): AsyncIterable<Change> {
  const left = new Reader(before);
  const right = new Reader(after);
  for (let [was, is] = [await left.next(), await right.next()]; was ?? is; ) {
    const order = orderOf(was, is);
    const change = changeBetween(order <= 0 ? was : undefined, order >= 0 ? is : undefined);
    if (change !== undefined) yield change;
    if (order <= 0) was = await left.next();
    if (order >= 0) is = await right.next();
  }
}

class Reader {
  readonly #rows: AsyncIterator<UrlRecord>;

  constructor(rows: AsyncIterable<UrlRecord>) {
    this.#rows = rows[Symbol.asyncIterator]();
  }

  async next(): Promise<UrlRecord | undefined> {
    const { done, value } = await this.#rows.next();
    return done === true ? undefined : value;
  }
}

function orderOf(a: UrlRecord | undefined, b: UrlRecord | undefined): number {
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return urlKeyOf(a.url).compare(urlKeyOf(b.url));
}

/** Reads the list again where pages are gone: first for their texts, then for where those are. */
async function* withMoves(list: Listing<Change>): AsyncIterable<Change> {
  const gone = new Map<string, string>();
  for await (const { change, url, contentHash } of list()) {
    if (gone.size >= GONE_MAX) break;
    if (change === 'gone' && contentHash.length > 0) gone.set(textOf(contentHash), url);
  }
  const movedTo = gone.size === 0 ? new Map<string, string>() : await findMoved(list(), gone);
  const arrived = new Set(movedTo.values());
  for await (const row of list()) {
    const to = row.change === 'gone' ? movedTo.get(row.url) : undefined;
    if (to !== undefined) yield { ...row, change: 'moved', to };
    else if (row.change !== 'new' || !arrived.has(row.url)) yield row;
  }
}

async function findMoved(
  list: AsyncIterable<Change>,
  gone: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const movedTo = new Map<string, string>();
  for await (const { change, url, contentHash } of list) {
    const from = change === 'new' ? gone.get(textOf(contentHash)) : undefined;
    if (from !== undefined && !movedTo.has(from)) movedTo.set(from, url);
  }
  return movedTo;
}

function textOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('latin1');
}
