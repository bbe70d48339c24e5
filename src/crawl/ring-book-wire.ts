/**
 * The book of a ring's jobs as bytes: questions to the owner of arc 0, its answers, and its rows.
 *
 *   e id(4)                             {"by": the question that opened it, "entry": …}
 *   s job(4) instant(6) question(14)    some of its seeds, one a line, in the order in which they came
 *
 * A seed's row is named by its question, and an entry says which one opened it: whoever hears a
 * question again, also another owner, does it once. Everything is read as what somebody sent.
 */
import type { Instant } from '../base/instant.ts';
import type { JobEntry } from '../ports/job-book.ts';
import { HEAD_BYTES } from './ring-caller.ts';

/** With what is around it, two fit into an answer. */
export const ENTRY_BYTES_MAX = 18 * 1024;
export const SEEDS_BYTES_MAX = 16 * 1024;
const JOB_MAX = 2 ** 32 - 1;
const ENTRY = 0x65;
const SEEDS = 0x73;
const PRIORITIES: ReadonlySet<unknown> = new Set(['high', 'normal', 'low']);
const SCOPES: ReadonlySet<unknown> = new Set(['host', 'domain', 'any']);
const AMOUNTS = ['id', 'createdAt', 'seeds'] as const;
const MAYBE_AMOUNTS = [
  ...(['depth', 'ttlHours', 'pagesMax', 'until', 'pausedAt', 'endedAt'] as const),
];
const ENDS: ReadonlySet<unknown> = new Set([undefined, 'page_limit', 'time_limit', 'cancelled']);

export type BookQuestion =
  | { readonly kind: 'all'; readonly after?: number | undefined }
  | { readonly kind: 'open' | 'put'; readonly entry: JobEntry }
  | { readonly kind: 'add'; readonly job: number; readonly at: Instant; readonly urls: string }
  | { readonly kind: 'seeds'; readonly job: number; readonly after?: string | undefined };

export type BookAnswer =
  /** `after` says where to ask on. */
  | { readonly entries: readonly JobEntry[]; readonly after?: number | undefined }
  | { readonly urls: readonly string[]; readonly after?: string | undefined }
  | { readonly isNew: boolean }
  | { readonly isFull: true };

export function bytesOf(said: BookQuestion | BookAnswer): Buffer {
  return Buffer.from(JSON.stringify(said));
}

export function questionFrom(bytes: Uint8Array): BookQuestion | undefined {
  const given = parsed(bytes);
  if (given === undefined) return undefined;
  const { kind, after, entry, job, at, urls } = given;
  if (kind === 'all' && (after === undefined || isJob(after))) return { kind, after };
  if (kind === 'open' || kind === 'put') return isEntry(entry) ? { kind, entry } : undefined;
  if (!isJob(job)) return undefined;
  if (kind === 'add' && isAmount(at) && typeof urls === 'string') {
    return urls.length <= SEEDS_BYTES_MAX ? { kind, job, at, urls } : undefined;
  }
  const isKey = after === undefined || (typeof after === 'string' && /^[\da-f]{2,80}$/.test(after));
  return kind === 'seeds' && isKey ? { kind, job, after } : undefined;
}

export function answerFrom(bytes: Uint8Array): BookAnswer | undefined {
  const given = parsed(bytes);
  if (given === undefined) return undefined;
  const { entries, urls, isNew, isFull, after } = given;
  if (typeof isNew === 'boolean') return { isNew };
  if (isFull === true) return { isFull };
  if (Array.isArray(entries) && (after === undefined || isJob(after))) {
    return entries.every(isEntry) ? { entries, after } : undefined;
  }
  const isList = Array.isArray(urls) && urls.every((url) => typeof url === 'string');
  if (!isList || (after !== undefined && typeof after !== 'string')) return undefined;
  return { urls, after };
}

// ---- rows ---------------------------------------------------------------------------------

export function entryKey(id: number): Buffer {
  const key = Buffer.from([ENTRY, 0, 0, 0, 0]);
  key.writeUInt32BE(id, 1);
  return key;
}

export function idIn(key: Uint8Array): number {
  return Buffer.from(key).readUInt32BE(1);
}

export function isEntryKey(key: Uint8Array): boolean {
  return key[0] === ENTRY;
}

/** Before all of them. */
export const ENTRIES = Buffer.from([ENTRY]);

/** Before all that a job has. */
export function seedsFrom(job: number): Buffer {
  const key = Buffer.from([SEEDS, 0, 0, 0, 0]);
  key.writeUInt32BE(job, 1);
  return key;
}

export function seedsKey(job: number, at: Instant, head: string): Buffer {
  const key = Buffer.alloc(11 + HEAD_BYTES);
  seedsFrom(job).copy(key);
  key.writeUIntBE(Math.min(2 ** 48 - 1, Math.floor(at)), 5, 6);
  key.write(head, 11, 'hex');
  return key;
}

export interface EntryRow {
  readonly by: string;
  readonly entry: JobEntry;
}

export function entryFrom(value: Uint8Array): EntryRow | undefined {
  const { by, entry } = parsed(value) ?? {};
  return typeof by === 'string' && isEntry(entry) ? { by, entry } : undefined;
}

/** Of a call with many refused URLs fewer are shown. */
export function fitted(entry: JobEntry): JobEntry {
  const { receipt } = entry;
  let fits = entry;
  for (let shown = receipt?.refused.length ?? 0; receipt && shown > 0; ) {
    if (Buffer.byteLength(JSON.stringify(fits)) <= ENTRY_BYTES_MAX) break;
    shown >>= 1;
    fits = { ...entry, receipt: { ...receipt, refused: receipt.refused.slice(0, shown) } };
  }
  return fits;
}

function parsed(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isObject(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(given: unknown): given is JobEntry {
  if (!isObject(given) || !isJob(given.id) || typeof given.name !== 'string') return false;
  if (!AMOUNTS.every((name) => isAmount(given[name]))) return false;
  if (!MAYBE_AMOUNTS.every((name) => given[name] === undefined || isAmount(given[name]))) {
    return false;
  }
  const { priority, scope, endedBy, call, receipt, identity } = given;
  if (!PRIORITIES.has(priority) || !SCOPES.has(scope) || !ENDS.has(endedBy)) return false;
  return isMaybe(call, isCall) && isMaybe(receipt, isReceipt) && isMaybe(identity, isObject);
}

function isMaybe(given: unknown, is: (given: unknown) => boolean): boolean {
  return given === undefined || is(given);
}

function isCall(given: unknown): boolean {
  return isObject(given) && typeof given.name === 'string' && typeof given.digest === 'string';
}

function isReceipt(given: unknown): boolean {
  if (!isObject(given) || !Array.isArray(given.refused)) return false;
  return ['queued', 'known', 'refusedCount', 'startAt'].every((name) => isAmount(given[name]));
}

function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isAmount(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given) && given >= 0;
}

function isJob(given: unknown): given is number {
  return Number.isInteger(given) && isAmount(given) && given <= JOB_MAX;
}
