/**
 * Questions over all hosts: the first of them in some order, and those with something wrong.
 *
 * Hosts lie in the order of their keys, so any other order is a walk past all of them that keeps
 * the best few: memory for what is shown, time for what is known, one walk at a time.
 */
import { WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { HOST_FLAGS, type HostKey, type HostRecord, hostKeyOf } from '../record/index.ts';
import type { HostNotes, TrapNote } from './answers.ts';
import { notesOf } from './ask-notes.ts';
import type { AnswerSources } from './ask-sources.ts';
import type { Slice } from './serve-lookups.ts';

export const HOST_ORDERS = {
  host: ({ host }: HostRecord) => host,
  fetched: ({ fetched }: HostRecord) => fetched,
  failed: ({ failed }: HostRecord) => failed,
  bytes: ({ bytes }: HostRecord) => bytes,
  latency: ({ latencyMs }: HostRecord) => latencyMs,
  backoff: ({ backoff }: HostRecord) => backoff,
  errors: ({ errors }: HostRecord) => errors,
  last_fetch_at: ({ lastFetchAt }: HostRecord) => lastFetchAt,
  turn_at: ({ turnAt }: HostRecord) => turnAt,
  quality: ({ quality }: HostRecord) => quality,
  class: ({ hostClass }: HostRecord) => hostClass,
  flags: ({ flags }: HostRecord) => flags,
} as const satisfies Record<string, (host: HostRecord) => string | number>;

export type HostOrder = keyof typeof HOST_ORDERS;

export interface HostsWanted {
  readonly order: HostOrder;
  readonly isDescending: boolean;
  /** Part of a name; empty for all. */
  readonly search: string;
  readonly limit: number;
  /** What the last slice ended with. */
  readonly after?: HostPlace;
}

export interface HostPlace {
  readonly value: string | number;
  readonly host: string;
}

export interface OrderedHosts {
  readonly rows: readonly HostRecord[];
  /** Hosts that fit the search, shown or not. */
  readonly count: number;
  readonly next: HostPlace | undefined;
}

export async function orderedHosts(
  { store }: Pick<AnswerSources, 'store'>,
  wanted: HostsWanted,
): Promise<OrderedHosts> {
  const { search, limit, after } = wanted;
  const order = comparing(wanted);
  const best = new Best(limit + 1, order);
  let count = 0;
  for await (const chunk of store.hosts(WHOLE_CIRCLE)) {
    for (const record of chunk) {
      if (!record.host.includes(search)) continue;
      count++;
      const place = placeOf(record, wanted);
      if (after === undefined || order(place, after) > 0) best.add({ ...place, record });
    }
  }
  const found = best.sorted();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  const next = hasMore ? { value: last.value, host: last.host } : undefined;
  return { rows: rows.map(({ record }) => record), count, next };
}

type Comparing = (a: HostPlace, b: HostPlace) => number;

function placeOf(record: HostRecord, { order }: HostsWanted): HostPlace {
  return { value: HOST_ORDERS[order](record), host: record.host };
}

/** Hosts of one value are in the order of their names, so that no two are in the same place. */
function comparing({ isDescending }: HostsWanted): Comparing {
  const way = isDescending ? -1 : 1;
  return (a, b) => {
    if (a.value !== b.value) return a.value < b.value ? -way : way;
    return a.host === b.host ? 0 : a.host < b.host ? -1 : 1;
  };
}

type Ranked = HostPlace & { readonly record: HostRecord };

/** The first few of many, in room for twice as many. */
class Best {
  readonly #limit: number;
  readonly #order: Comparing;
  #rows: Ranked[] = [];
  #worst: Ranked | undefined;

  constructor(limit: number, order: Comparing) {
    this.#limit = limit;
    this.#order = order;
  }

  add(row: Ranked): void {
    if (this.#worst !== undefined && this.#order(row, this.#worst) > 0) return;
    this.#rows.push(row);
    if (this.#rows.length < 2 * this.#limit) return;
    this.#rows = this.sorted();
    this.#worst = this.#rows.at(-1);
  }

  sorted(): Ranked[] {
    return this.#rows.sort(this.#order).slice(0, this.#limit);
  }
}

/** A host with something wrong, and what was noticed there. */
export interface FlaggedHost {
  readonly record: HostRecord;
  readonly traps: readonly TrapNote[];
  readonly soft404?: HostNotes['soft404'];
  readonly farm?: HostNotes['farm'];
}

const WRONG = HOST_FLAGS.trap | HOST_FLAGS.soft_404 | HOST_FLAGS.content_farm | HOST_FLAGS.denied;
/** Hosts that one slice may look at. */
const HOSTS_PER_SLICE = 100_000;

export async function flaggedHosts(
  { store }: Pick<AnswerSources, 'store'>,
  after: HostKey | undefined,
  limit: number,
): Promise<Slice<FlaggedHost>> {
  const rows: FlaggedHost[] = [];
  let looked = 0;
  let isPast = after === undefined;
  const range = { from: after?.[0] ?? WHOLE_CIRCLE.from, to: WHOLE_CIRCLE.to };
  for await (const chunk of store.hosts(range)) {
    for (const record of chunk) {
      isPast ||= hostKeyOf(record.host).compare(after as HostKey) > 0;
      if (!isPast) continue;
      if ((record.flags & WRONG) !== 0) rows.push(await noticedAt({ store }, record));
      const isEnd = rows.length === limit || ++looked === HOSTS_PER_SLICE;
      if (isEnd) return { rows, next: hostKeyOf(record.host) };
    }
  }
  return { rows, next: undefined };
}

async function noticedAt(
  { store }: Pick<AnswerSources, 'store'>,
  record: HostRecord,
): Promise<FlaggedHost> {
  const stored = await store.host(hostKeyOf(record.host));
  const notes = notesOf(stored?.sketch ?? new Uint8Array(0));
  const { soft404, farm } = notes.about(`http://${record.host}/`);
  return {
    ...{ record, traps: notes.traps },
    ...(soft404 !== undefined && { soft404 }),
    ...(farm !== undefined && { farm }),
  };
}
