/**
 * Which pages of a batch repeat a page that is stored already (C1, C2)?
 *
 *   fingerprints → ../ports/near-index → is the original what the index says? → ../ports/shard-store
 *
 * The index lags behind the store where a process died between the two, so an original counts
 * only if its record still has that text; if not, the index is told to forget it. So a page is
 * never left out of the store for the sake of one that is not there.
 *
 * A page of the same bytes is an alias of its original, as ever (C1), and not a near-duplicate.
 */
import { chooseOriginals, halvesOf, isNear, sameBytes, WORDS_MIN } from '../content/index.ts';
import type { Fingerprint, NearIndex } from '../ports/near-index.ts';
import type { ShardStore } from '../ports/shard-store.ts';
import type { UrlKey, UrlRecord } from '../record/index.ts';
import type { Ending } from './ending.ts';

/** What a page repeats. At most one of the two is set. */
export interface Copy {
  /** It has the bytes of a page that is stored. */
  readonly isExact: boolean;
  /** The page whose words it nearly has. */
  readonly nearTo: UrlKey | undefined;
  /** That page was under way when it was found: it may never have come to be. */
  readonly wasUnderWay?: boolean;
}

/** A batch before this one that is not committed yet: its originals are in no index. */
export interface UnderWay {
  readonly endings: readonly Ending[];
  readonly copies: Copies;
}

export interface Copies {
  /** One for each ending. */
  readonly of: readonly Copy[];
  /** For the index, once the endings are committed. */
  readonly added: readonly Fingerprint[];
  readonly removed: readonly Fingerprint[];
}

export const NO_COPY: Copy = { isExact: false, nearTo: undefined };
export const NO_COPIES: Copies = { of: [], added: [], removed: [] };

export async function findCopies(
  endings: readonly Ending[],
  near: NearIndex,
  store: ShardStore,
  before?: UnderWay,
): Promise<Copies> {
  const asked = endings.flatMap((ending, nth) => {
    const fingerprint = fingerprintOf(ending);
    return fingerprint === undefined ? [] : [{ nth, fingerprint }];
  });
  const of = endings.map(() => NO_COPY);
  const removed = endings.flatMap(outdated);
  if (asked.length === 0) return { of, added: [], removed };
  const pages = asked.map(({ fingerprint }) => fingerprint);
  const found = alsoAmong(before?.copies.added ?? [], pages, await near.find(pages));
  const records = await recordsOf(found, [...endings, ...(before?.endings ?? [])], store);
  const added: Fingerprint[] = [];
  asked.forEach(({ nth, fingerprint }, i) => {
    const original = found[i];
    const record = original && records.get(nameOf(original.key));
    if (original !== undefined && record !== undefined && hasText(record, fingerprint)) {
      const copy = copyOf(endings[nth] as Ending, original.key, record);
      const wasUnderWay = before?.copies.added.includes(original);
      of[nth] = wasUnderWay ? { ...copy, wasUnderWay } : copy;
    } else {
      if (original !== undefined) removed.push(original);
      added.push(fingerprint);
    }
  });
  return { of, added, removed };
}

/**
 * Originals of the batch before, for pages that the index found none for. A page whose original
 * is one of this batch, which has turned out to be a copy, stands for itself.
 */
function alsoAmong(
  originals: readonly Fingerprint[],
  pages: readonly Fingerprint[],
  found: readonly (Fingerprint | undefined)[],
): readonly (Fingerprint | undefined)[] {
  if (originals.length === 0) return found;
  const open = pages.filter((_, i) => found[i] === undefined);
  const chosen = chooseOriginals([...originals, ...open], () => []).slice(originals.length);
  const more = new Map(open.map((page, i) => [page, chosen[i]]));
  return pages.map((page, i) => {
    const original = found[i];
    if (original === undefined) return more.get(page);
    return more.get(original) === undefined ? original : undefined;
  });
}

/** Copies of a page that was under way and has not come to be: they are kept for themselves. */
export async function orphansIn(
  copies: readonly (Copy & { readonly ending: Ending })[],
  store: ShardStore,
): Promise<readonly number[]> {
  const unsure = copies.flatMap(({ ending, nearTo, wasUnderWay }, nth) => {
    const fingerprint = wasUnderWay ? fingerprintOf(ending) : undefined;
    return nearTo && fingerprint ? [{ nth, nearTo, fingerprint }] : [];
  });
  if (unsure.length === 0) return [];
  const records = await store.urls(unsure.map(({ nearTo }) => nearTo));
  const isThere = (i: number, fingerprint: Fingerprint) => {
    const record = records[i];
    return record !== undefined && hasText(record, fingerprint);
  };
  return unsure.flatMap(({ nth, fingerprint }, i) => (isThere(i, fingerprint) ? [] : nth));
}

/** Undefined where there is nothing to compare: no new body, or too few words. */
export function fingerprintOf({ settled, print }: Ending): Fingerprint | undefined {
  if (settled === undefined || print === undefined || print.words < WORDS_MIN) return undefined;
  const { simhash } = settled.record;
  return simhash === 0n ? undefined : { key: settled.waiting.key, simhash, pairs: print.pairs };
}

/** What the page was before, if it is something else now. */
function outdated({ settled, before }: Ending): Fingerprint[] {
  if (settled === undefined || before === undefined || before.simhash === 0n) return [];
  if (settled.record.simhash === before.simhash) return [];
  return [{ key: settled.waiting.key, simhash: before.simhash, pairs: 0n }];
}

/** The records of the originals; those of this batch are not in the store yet. */
async function recordsOf(
  found: readonly (Fingerprint | undefined)[],
  endings: readonly Ending[],
  store: ShardStore,
): Promise<Map<string, UrlRecord>> {
  const wanted = new Map(found.flatMap((f) => (f ? [[nameOf(f.key), f.key] as const] : [])));
  const records = new Map<string, UrlRecord>();
  if (wanted.size === 0) return records;
  for (const { settled } of endings) {
    if (settled === undefined) continue;
    const name = nameOf(settled.waiting.key);
    if (wanted.delete(name)) records.set(name, settled.record);
  }
  const stored = await store.urls([...wanted.values()]);
  [...wanted.keys()].forEach((name, i) => {
    const record = stored[i];
    if (record !== undefined) records.set(name, record);
  });
  return records;
}

/** A page that is gone is nobody's original: what is still there takes its place. */
function hasText(record: UrlRecord, { simhash }: Fingerprint): boolean {
  const isThere = record.state !== 'dead' && record.state !== 'failed';
  const isKept = record.contentHash.length > 0;
  return isThere && isKept && isNear(halvesOf(record.simhash), halvesOf(simhash));
}

function copyOf({ settled }: Ending, original: UrlKey, record: UrlRecord): Copy {
  const isExact =
    settled !== undefined && sameBytes(settled.record.contentHash, record.contentHash);
  return { isExact, nearTo: isExact ? undefined : original };
}

function nameOf(key: UrlKey): string {
  return key.toString('latin1');
}
