/**
 * What endings that are written together come to: which bodies are those of other pages, which
 * host records hold, and what changes in the counts. Nothing here waits.
 */
import { sameBytes } from '../content/index.ts';
import type { Lease } from '../frontier/index.ts';
import type { Settled, Totals } from '../ports/shard-store.ts';
import { FLAGS, type HostRecord, NO_BYTES, type UrlRecord } from '../record/index.ts';
import { type Copy, NO_COPY } from './copies.ts';
import type { Ending } from './ending.ts';

/** What an ending repeats. */
export interface Found extends Copy {
  /** Its body was not there before. */
  readonly isWritten: boolean;
}

export interface Noticed extends Found {
  readonly ending: Ending;
}

export const NOTHING_FOUND: Found = { ...NO_COPY, isWritten: false };

type Lists = {
  [Name in keyof Ending as NonNullable<Ending[Name]> extends readonly unknown[]
    ? Name
    : never]-?: NonNullable<Ending[Name]>[number & keyof NonNullable<Ending[Name]>];
};

/** What endings have in one of their lists; nearly always nothing, so nothing is made for it. */
export function allOf<Name extends keyof Lists>(
  endings: readonly Ending[],
  name: Name,
): Lists[Name][] {
  const all: Lists[Name][] = [];
  for (const ending of endings) {
    const some = ending[name] as readonly Lists[Name][] | undefined;
    if (some !== undefined) for (const one of some) all.push(one);
  }
  return all;
}

/** The same of what each has one of at most. */
export function eachOf<Name extends 'settled' | 'robots' | 'event'>(
  endings: readonly Ending[],
  name: Name,
): NonNullable<Ending[Name]>[] {
  const all: NonNullable<Ending[Name]>[] = [];
  for (const ending of endings) {
    const one = ending[name];
    if (one !== undefined) all.push(one);
  }
  return all;
}

/** Several visits of one host in a commit: its last record is the one that holds. */
export function lastOfEach(endings: readonly Ending[]): Iterable<HostRecord> {
  const hosts = new Map<string, HostRecord>();
  for (const ending of endings) {
    const { host, resting } = ending;
    if (resting !== undefined) for (const record of resting) hosts.set(record.host, record);
    if (host !== undefined) hosts.set(host.host, withFlags(host, ending.lease));
  }
  return hosts.values();
}

/** A page of this batch may have said something about the host since the record was made. */
function withFlags(record: HostRecord, lease: Lease | undefined): HostRecord {
  if (lease === undefined || lease.host.flags === record.flags) return record;
  const { flags, quality } = lease.host;
  return { ...record, flags, quality };
}

/**
 * What is known of each ending once its copies are looked for: the place to learn from about
 * the host (soft 404s, farms, traps), before the commit that its sketch is part of.
 */
export function notice(
  endings: readonly Ending[],
  copies: readonly Copy[],
  written: readonly boolean[],
): Found[] {
  let bodies = 0;
  return endings.map((ending, nth) => {
    const copy = copies[nth] as Copy;
    if (copy.nearTo !== undefined) return { ...copy, isWritten: false };
    return foundOf(ending, copy, ending.body !== undefined && written[bodies++] === true);
  });
}

export function foundOf(ending: Ending, copy: Copy, isWritten: boolean): Found {
  const wasThere = ending.body !== undefined && !isWritten;
  const isAlias = isUnchanged(ending) ? wasAlias(ending) : wasThere;
  return { isExact: copy.isExact || isAlias, nearTo: undefined, isWritten };
}

/** Its body is there because it brought it the last time. */
function isUnchanged({ before, settled }: Ending): boolean {
  return (
    before !== undefined && sameBytes(before.contentHash, settled?.record.contentHash ?? NO_BYTES)
  );
}

/** A body that has not changed is still that of another page. */
function wasAlias({ before }: Ending): boolean {
  return before !== undefined && (before.flags & FLAGS.alias) !== 0;
}

/** Marks the records whose body is that of another page, or nearly so (C1, C2). */
export function settledOf(noticed: Noticed): Settled | undefined {
  const { isExact, nearTo } = noticed;
  const settled = taggedOf(noticed);
  if (settled === undefined || (!isExact && nearTo === undefined)) return settled;
  const { record } = settled;
  const flags = record.flags | (isExact ? FLAGS.alias : FLAGS.near_duplicate);
  return { ...settled, record: { ...record, flags, original: nearTo ?? record.original } };
}

/** What nearly repeats another is not stored; what was let go of and is back is stored anew (G2). */
function taggedOf({ ending, nearTo, isWritten }: Noticed): Settled | undefined {
  const { settled, region: now = '' } = ending;
  const was = settled?.record.region ?? '';
  const region = nearTo !== undefined ? '' : isWritten ? now : was;
  return settled === undefined || region === was
    ? settled
    : { ...settled, record: { ...settled.record, region } };
}

export function changeOf(endings: readonly Ending[]): Partial<Totals> {
  const sum: Record<string, number> = {};
  for (const { change } of endings as readonly { readonly change: Record<string, number> }[]) {
    for (const name in change) sum[name] = (sum[name] ?? 0) + (change[name] as number);
  }
  return sum as Partial<Totals>;
}

const COUNTED = {
  alias: 'copies',
  near_duplicate: 'nearDuplicates',
  soft_404: 'soft404s',
} as const;

/** Pages that got one of the flags that are counted, less those that lost it. */
export function flagChange(
  endings: readonly Ending[],
  settled: readonly Settled[],
): Partial<Totals> {
  const sum = { copies: 0, nearDuplicates: 0, soft404s: 0 };
  for (const flag of Object.keys(COUNTED) as (keyof typeof COUNTED)[]) {
    const has = ({ flags }: UrlRecord) => ((flags & FLAGS[flag]) !== 0 ? 1 : 0);
    for (const { record } of settled) sum[COUNTED[flag]] += has(record);
    for (const { before, settled } of endings) {
      if (before !== undefined && settled !== undefined) sum[COUNTED[flag]] -= has(before);
    }
  }
  return sum;
}
