/**
 * What a commit changes in the counts, by the arc that each URL is of.
 *
 * An arc's counts lie in its own log, beside its rows: whatever is lost with an owner is lost from
 * both, and an arc that moves takes with it what is its own. What a commit says as a sum without
 * URLs (new hosts, copies) is counted in the first arc that it touches; only sums of it tell.
 */
import type { Effects } from '../../ports/job-counts.ts';
import {
  COUNTED_AS,
  type Commit,
  NOTHING,
  type Settled,
  sumOf,
  type Totals,
} from '../../ports/shard-store.ts';
import type { UrlKey } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';

export interface CountPart {
  readonly commit: Commit;
  readonly effects: Effects;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
type Change = Record<string, number>;

interface Part {
  readonly settled: Settled[];
  readonly admitted: Mutable<Pick<Commit, 'admitted'>>['admitted'];
  readonly requeued: Mutable<Pick<Commit, 'requeued'>>['requeued'];
  readonly moved: Mutable<Pick<Commit, 'moved'>>['moved'];
  readonly effects: Mutable<Effects>;
  readonly change: Change;
}

/** `first`: where goes what belongs to no URL. */
export function partsOf(commit: Commit, effects: Effects, first: number): Map<number, CountPart> {
  const parts = new Parts();
  commit.admitted.forEach((admission, i) => {
    const part = parts.of(admission.waiting.key);
    part.admitted.push(admission);
    part.effects.fresh.push(effects.fresh[i] as boolean);
  });
  for (const settled of commit.settled) {
    const part = parts.of(settled.waiting.key);
    part.settled.push(settled);
    addTo(part.change, settledChange(settled));
  }
  for (const one of commit.requeued) {
    const part = parts.of(one.waiting.key);
    part.requeued.push(one);
    addTo(part.change, { waiting: 1, retrying: one.waiting.fails > 0 ? -1 : 0 });
  }
  for (const one of commit.moved) parts.of(one.to.key).moved.push(one);
  for (const one of effects.shelved) parts.of(one.key).effects.shelved.push(one);
  for (const one of effects.unshelved) parts.of(one.key).effects.unshelved.push(one);
  for (const one of effects.forgotten) parts.of(one.waiting.key).effects.forgotten.push(one);
  commit.erased?.forEach(({ key }, i) => {
    const erased = effects.erased[i];
    if (erased !== undefined) parts.of(key).effects.erased.push(erased);
  });
  return parts.whole(commit.change, first);
}

/** As job-counts.ts counts it, and what a visit says of itself: their sums agree. */
function settledChange({ record, isAsked = false, bytes = 0 }: Settled): Change {
  const done = { waiting: -1, asked: Number(isAsked), bytes };
  return sumOf([done, { [COUNTED_AS[record.state]]: 1 }]) as Change;
}

class Parts {
  readonly #byArc = new Map<number, Part>();

  of(key: UrlKey): Part {
    return this.at(arcOf(key));
  }

  at(arc: number): Part {
    let part = this.#byArc.get(arc);
    if (part === undefined) {
      const effects = { fresh: [], shelved: [], unshelved: [], forgotten: [], erased: [] };
      part = { settled: [], admitted: [], requeued: [], moved: [], effects, change: {} };
      this.#byArc.set(arc, part);
    }
    return part;
  }

  /** What the commit says and nobody has counted is the first arc's. */
  whole(change: Partial<Totals>, first: number): Map<number, CountPart> {
    const rest: Change = { ...change };
    for (const part of this.#byArc.values()) {
      for (const [name, value] of Object.entries(part.change)) {
        rest[name] = (rest[name] ?? 0) - value;
      }
    }
    if (Object.values(rest).some((value) => value !== 0)) addTo(this.at(first).change, rest);
    return new Map([...this.#byArc].map(([arc, part]) => [arc, partOf(part)]));
  }
}

function partOf({ settled, admitted, requeued, moved, effects, change }: Part): CountPart {
  return { commit: { ...NOTHING, settled, admitted, requeued, moved, change }, effects };
}

function addTo(sum: Change, change: Change): void {
  Object.assign(sum, sumOf([sum, change]));
}
