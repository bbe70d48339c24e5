/** What erasure (erase.ts) and retention (retain.ts) both do: read every record, remove bodies. */
import { deniedReason, type Rule } from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { Records, ScannedUrl } from '../ports/records.ts';
import { FLAGS, type Rendering, type UrlKey, urlKeyOf } from '../record/index.ts';
import { parseUrlHash } from '../url/index.ts';
import type { EraseDesk, ErasePorts } from './erase.ts';

export type Fits = (url: string) => boolean;

export const ROWS_PER_LOOK = 1_000;
const BODIES_AT_ONCE = 64;

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
