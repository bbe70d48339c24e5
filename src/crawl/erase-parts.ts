/** What erasure (erase.ts) and retention (retain.ts) both do: read every record, remove bodies. */
import type { FetchEvent } from '../events/index.ts';
import type { Records, ScannedUrl } from '../ports/records.ts';
import type { UrlKey } from '../record/index.ts';
import { parseUrlHash } from '../url/index.ts';
import type { EraseDesk, ErasePorts } from './erase.ts';

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
