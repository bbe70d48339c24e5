/**
 * One commit, thought through: which rows are other ones afterwards, and what it came to. Nothing
 * is asked or written here; store and log do that, before and after.
 *
 * The order is that of the reference (../memory/shard-store.ts): forget, shelve, unshelve, settle,
 * queue again, redate, admit, hosts, move, erase. Of several changes of one row the last holds.
 */
import { DAY_MS, type Instant } from '../../base/instant.ts';
import type { Effects, Erased, Forgotten } from '../../ports/job-counts.ts';
import type { Admission, Commit, Due, Settled } from '../../ports/shard-store.ts';
import {
  encodeHost,
  encodeRobots,
  hostKeyIn,
  hostKeyOf,
  type UrlKey,
  type UrlRecord,
  type Waiting,
} from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import type { Values } from './link.ts';
import {
  type Columns,
  hashOf,
  NO_WAIT,
  placeOf,
  recordColumns,
  type UrlState,
  waitBytes,
  waitColumns,
} from './rows.ts';
import { type ChangeName, numberOf, type RowChange, URL_COLUMNS } from './statements.ts';

/** What a commit must know beforehand. */
export interface Before {
  /** Of every URL that is to be forgotten, shelved, unshelved, redated or erased, if it is there. */
  readonly states: ReadonlyMap<string, UrlState>;
  /** Of those that may be known and are named: the keys that are. */
  readonly known: ReadonlySet<string>;
}

/** A URL's row as this commit leaves it. */
interface UrlDraft {
  readonly key: UrlKey;
  isForgotten: boolean;
  columns: Columns;
}

export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

export class Draft {
  readonly #states: Map<string, UrlState>;
  readonly #known: Set<string>;
  readonly #urls = new Map<string, UrlDraft>();
  readonly #rows = new Map<string, RowChange>();

  constructor({ states, known }: Before) {
    this.#states = new Map(states);
    this.#known = new Set([...known, ...states.keys()]);
  }

  make(commit: Commit): Effects {
    const forgotten = (commit.forgotten ?? []).flatMap((waiting) => this.#forget(waiting) ?? []);
    const shelved = (commit.shelved ?? []).filter((waiting) => this.#shelve(waiting));
    const unshelved = (commit.unshelved ?? []).filter((waiting) => this.#unshelve(waiting));
    for (const settled of commit.settled) this.#settle(settled);
    for (const { due, waiting } of commit.requeued) {
      this.#notDue(due);
      this.#queue(waiting);
    }
    for (const { due, to } of commit.redated) this.#redate(due, to);
    const fresh = commit.admitted.map((admission) => this.#admit(admission));
    this.#hosts(commit);
    for (const { from, to } of commit.moved) {
      this.#dropWait(from);
      this.#queue(to);
    }
    for (const key of commit.untraced ?? []) this.#untrace(key);
    const erased = (commit.erased ?? []).map(({ key, record }) => this.#erase(key, record));
    return { fresh, shelved, unshelved, forgotten, erased };
  }

  /** Every row that is another one now. */
  changes(): RowChange[] {
    const urls = [...this.#urls.values()].flatMap(urlChanges);
    return [...urls, ...this.#rows.values()];
  }

  #forget(waiting: Waiting): Forgotten | undefined {
    const { key } = waiting;
    const state = this.#states.get(nameOf(key));
    const own = state?.waiting ?? state?.shelf;
    if (own === undefined || !isSame(own, waiting)) return undefined;
    this.#states.delete(nameOf(key));
    this.#known.delete(nameOf(key));
    this.#urls.set(nameOf(key), { key, isForgotten: true, columns: {} });
    this.#untrace(key);
    this.#dropWait(own);
    return { waiting, wasShelved: state?.shelf !== undefined };
  }

  #shelve(waiting: Waiting): boolean {
    const { waiting: own, ...rest } = this.#stateOf(waiting.key);
    if (own === undefined || !isSame(own, waiting)) return false;
    this.#dropWait(own);
    this.#write({ ...rest, shelf: own }, { is_shelved: true });
    return true;
  }

  #unshelve(waiting: Waiting): boolean {
    const { shelf, ...rest } = this.#stateOf(waiting.key);
    if (shelf === undefined || !isSame(shelf, waiting)) return false;
    this.#putWait(shelf);
    this.#write({ ...rest, waiting: shelf }, { is_shelved: false });
    return true;
  }

  #settle({ waiting, record, trace }: Settled): void {
    const { key } = waiting;
    this.#dropWait(waiting);
    const dueAt = record.nextCrawlAt > 0 ? record.nextCrawlAt : undefined;
    if (dueAt !== undefined) this.#putDue({ at: dueAt, key });
    this.#write(
      { key, record, dueAt },
      { ...recordColumns(record), ...NO_WAIT, due_at: dueAt ?? null },
    );
    if (trace !== undefined) {
      this.#put('trace', [placeOf(key), hashOf(key)], [Buffer.from(trace)]);
    }
  }

  #queue(waiting: Waiting): void {
    const { shelf: _, ...state } = this.#stateOf(waiting.key);
    this.#putWait(waiting);
    const columns = { ...waitColumns(waiting), due_at: null };
    this.#write({ ...state, waiting, dueAt: undefined }, columns);
  }

  #redate({ at, key }: Due, to: Instant): void {
    const state = this.#stateOf(key);
    const isDue = at === 0 || state.dueAt === at;
    if (state.record?.nextCrawlAt !== at || !isDue) return;
    const dueAt = to > 0 ? to : undefined;
    this.#notDue({ at, key });
    if (dueAt !== undefined) this.#putDue({ at: to, key });
    const record = { ...state.record, nextCrawlAt: to };
    this.#write({ ...state, record, dueAt }, { next_at: to, due_at: dueAt ?? null });
  }

  /** Nothing was there before: what is not said stays unwritten. */
  #admit({ waiting }: Admission): boolean {
    const { key } = waiting;
    if (this.#known.has(nameOf(key))) return false;
    this.#putWait(waiting);
    this.#write({ key, waiting }, waitColumns(waiting));
    return true;
  }

  #hosts({ hosts, robots, sketches }: Commit): void {
    for (const host of hosts) {
      const key = hostKeyOf(host.host);
      this.#put('host', [key[0] as number, key], [host.host, encodeHost(host)]);
    }
    for (const { host, records } of robots) this.#put('robots', [host], [encodeRobots(records)]);
    for (const { host, bytes } of sketches) this.#put('sketch', [host], [Buffer.from(bytes)]);
  }

  #untrace(key: UrlKey): void {
    this.#drop('dropTrace', 'trace', [placeOf(key), hashOf(key)]);
  }

  #erase(key: UrlKey, record: UrlRecord): Erased {
    const { record: before, dueAt, waiting, shelf } = this.#stateOf(key);
    if (dueAt !== undefined) this.#notDue({ at: dueAt, key });
    this.#untrace(key);
    this.#write(
      { key, record, waiting },
      { ...recordColumns(record), due_at: null, ...(waiting === undefined && NO_WAIT) },
    );
    return { before, isWaiting: (before?.nextCrawlAt ?? 0) > 0 && dueAt === undefined, shelf };
  }

  #stateOf(key: UrlKey): UrlState {
    return this.#states.get(nameOf(key)) ?? { key };
  }

  #write(state: UrlState, columns: Columns): void {
    const { key } = state;
    const name = nameOf(key);
    this.#states.set(name, state);
    this.#known.add(name);
    const draft = this.#urls.get(name) ?? { key, isForgotten: false, columns: {} };
    this.#urls.set(name, { ...draft, columns: { ...draft.columns, ...columns } });
    this.#put('site', [arcOf(key), placeOf(key)], []);
  }

  #putWait(waiting: Waiting): void {
    this.#put('wait', waitPlace(waiting), [waiting.url, waitBytes(waiting)]);
  }

  #dropWait(waiting: Waiting): void {
    this.#drop('dropWait', 'wait', waitPlace(waiting));
  }

  #putDue({ at, key }: Due): void {
    const [arc, day] = [arcOf(key), dayOf(at)];
    this.#put('due', [arc, day, at, key], []);
    this.#put('dueDay', [arc, day], []);
  }

  #notDue({ at, key }: Due): void {
    if (at > 0) this.#drop('dropDue', 'due', [arcOf(key), dayOf(at), at, key]);
  }

  #put(name: ChangeName, key: Values, values: Values): void {
    this.#rows.set(rowName(name, key), { number: numberOf(name), values: [...key, ...values] });
  }

  #drop(name: ChangeName, of: ChangeName, key: Values): void {
    this.#rows.set(rowName(of, key), { number: numberOf(name), values: key });
  }
}

function urlChanges({ key, isForgotten, columns }: UrlDraft): RowChange[] {
  const row = [placeOf(key), hashOf(key)];
  const gone = isForgotten ? [{ number: numberOf('forgetUrl'), values: row }] : [];
  if (Object.keys(columns).length === 0) return gone;
  const values = [...row, ...URL_COLUMNS.map((column) => columns[column])];
  return [...gone, { number: numberOf('url'), values }];
}

function waitPlace(waiting: Waiting): Values {
  return [hostKeyIn(waiting.key, waiting.url), waiting.rank, hashOf(waiting.key)];
}

function rowName(table: ChangeName, key: Values): string {
  const parts = key.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : part));
  return `${table}/${parts.join('/')}`;
}

export function nameOf(key: UrlKey): string {
  return key.toString('latin1');
}

/** The same wait of the same job: it may have been forgotten and named again since. */
function isSame(a: Waiting, b: Waiting): boolean {
  return a.rank === b.rank && (a.job ?? 0) === (b.job ?? 0);
}
