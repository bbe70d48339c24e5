/** What erasure (erase.ts) and retention (retain.ts) both do: read every record, remove bodies. */
import type { CrawlError } from '../base/errors.ts';
import { deniedReason, type Rule } from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { Body } from '../ports/blob-store.ts';
import type { Records, ScannedUrl } from '../ports/records.ts';
import type { KeyRange } from '../ports/shard-store.ts';
import {
  FLAGS,
  type HostKey,
  type Rendering,
  URL_KEY_BYTES,
  type UrlKey,
  urlKeyOf,
} from '../record/index.ts';
import { parseUrlHash } from '../url/index.ts';
import type { EraseDesk, ErasePorts } from './erase.ts';

export type Fits = (url: string) => boolean;

export const ROWS_PER_LOOK = 1_000;
const BODIES_AT_ONCE = 64;
/** Bodies that are kept in hand until it is sure that nobody needs them. */
const IN_HAND_BYTES = 64 << 20;
/** Of a URL's key: the place of its host, whatever the port. */
const HOST_BYTES = 8;

/** In key order, from behind a key on. */
export async function* recordsFrom(records: Records, from?: UrlKey): AsyncIterable<ScannedUrl> {
  for (let after = from; ; ) {
    const rows = await records.scan(after, ROWS_PER_LOOK);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}

/** Those of a part of the circle. */
async function* recordsIn(records: Records, { from, to }: KeyRange): AsyncIterable<ScannedUrl> {
  const before = Buffer.alloc(URL_KEY_BYTES, 0xff);
  before[0] = from - 1;
  for await (const row of recordsFrom(records, from === 0 ? undefined : before)) {
    if ((row.key[0] as number) > to) return;
    yield row;
  }
}

/** Of several parts: those that follow on one another are read at one go. */
export async function* recordsOfAll(
  records: Records,
  ranges: readonly KeyRange[],
): AsyncIterable<ScannedUrl> {
  const runs: KeyRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
    const last = runs.at(-1);
    if (last !== undefined && range.from === last.to + 1) {
      runs[runs.length - 1] = { from: last.from, to: range.to };
    } else runs.push(range);
  }
  for (const run of runs) yield* recordsIn(records, run);
}

export function isIn(ranges: readonly KeyRange[], key: Uint8Array): boolean {
  const first = key[0] as number;
  return ranges.some(({ from, to }) => first >= from && first <= to);
}

export async function* recordsOfHost(records: Records, host: HostKey): AsyncIterable<ScannedUrl> {
  const first = Buffer.alloc(URL_KEY_BYTES);
  first.set(host.subarray(0, HOST_BYTES));
  for await (const row of recordsFrom(records, first)) {
    if (row.key.compare(first, 0, HOST_BYTES, 0, HOST_BYTES) !== 0) return;
    yield row;
  }
}

/** Which URLs are stored in a region now; of an erasure that was cut off, also those it had done. */
export async function fitterOfRegion(records: Records, rule: Rule): Promise<Fits> {
  const [names, done] = [new Set<string>(), deniedReason(rule)];
  for await (const { key, record } of recordsFrom(records)) {
    const isDone = (record.flags & FLAGS.erased) !== 0 && record.reason === done;
    if (isDone || record.region === rule.value) names.add(key.toString('latin1'));
  }
  return (url) => names.has(urlKeyOf(url).toString('latin1'));
}

/**
 * In hex: every body that a record refers to. Of a page that was rendered there are more than it
 * names itself: as it was sent, which the pages of an app share, and its picture.
 */
export async function bodiesOf({ key, record }: ScannedUrl, records: Records): Promise<string[]> {
  const { contentHash, flags } = record;
  const own = contentHash.length === 0 ? [] : [Buffer.from(contentHash).toString('hex')];
  if ((flags & FLAGS.rendered) === 0) return own;
  return [...own, ...renderedBodies((await records.trace(key))?.rendering)];
}

/** In hex: the bodies of a page besides the one that its record names. */
export function renderedBodies(rendering: Rendering | undefined): string[] {
  const { sent, screenshot } = rendering ?? {};
  return [sent, screenshot].filter((name) => name !== undefined && name !== '') as string[];
}

/** In hex: the bodies that a fetch has brought. */
export function hashesIn({ contentHash, otherHashes = [] }: FetchEvent): string[] {
  const named = contentHash === undefined ? otherHashes : [contentHash, ...otherHashes];
  return named.flatMap((name) => {
    const hash = parseUrlHash(name);
    return hash === undefined ? [] : [Buffer.from(hash).toString('hex')];
  });
}

/** By their hex. Who needs one is asked while nothing is settled, right before it goes. */
export async function removeBodies(
  { blobs }: ErasePorts,
  desk: EraseDesk,
  names: readonly string[],
  isNeeded: (name: string) => boolean,
): Promise<number> {
  let removed = 0;
  for (let i = 0; i < names.length; i += BODIES_AT_ONCE) {
    removed += await desk.alone(() => {
      const lone = names.slice(i, i + BODIES_AT_ONCE).filter((name) => !isNeeded(name));
      return blobs.remove(lone.map((name) => Buffer.from(name, 'hex')));
    });
  }
  return removed;
}

/**
 * The same where other nodes settle pages meanwhile. One of them may find a body there, and commit
 * the page that names it after we have looked: so whoever settles while an erasure is pending puts
 * its bodies once more after the commit (settle.ts), and we look once more after the removal, and
 * put back what is named by then. Whichever comes last has seen the other.
 */
export async function removeAmongOthers(
  { blobs }: ErasePorts,
  names: readonly string[],
  isNeeded: (name: string) => boolean,
  namedByOthers: (names: ReadonlySet<string>) => Promise<ReadonlySet<string>>,
): Promise<number> {
  const left = names.filter((name) => !isNeeded(name)).values();
  let removed = 0;
  for (let isOver = false; !isOver; ) {
    const inHand = new Map<string, Body>();
    let bytes = 0;
    isOver = true;
    for (const name of left) {
      const body = await bodyOf(blobs, name);
      inHand.set(name, body);
      bytes += body.bytes.length;
      isOver = bytes < IN_HAND_BYTES;
      if (!isOver) break;
    }
    if (inHand.size === 0) break;
    removed += await blobs.remove([...inHand.values()].map(({ hash }) => hash));
    const named = await namedByOthers(new Set(inHand.keys()));
    const back = [...named].map((name) => inHand.get(name) as Body);
    await blobs.put(back.filter((body) => body.bytes.length > 0));
    removed -= back.length;
  }
  return removed;
}

/** Without bytes where there are none, or none that could be put back. */
async function bodyOf(blobs: ErasePorts['blobs'], name: string): Promise<Body> {
  const hash = Buffer.from(name, 'hex');
  const bytes = await blobs.get(hash).catch((error: unknown) => {
    if ((error as CrawlError).code === 'E_STORE_DAMAGED') return undefined;
    throw error;
  });
  return { hash, bytes: bytes ?? Buffer.alloc(0) };
}
