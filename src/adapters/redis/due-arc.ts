/**
 * What is due in one arc that is ours: what has yet to be told to Redis, and what it said last.
 * One question at a time, so that a change that failed is not told after a newer one.
 */
import { randomUUID } from 'node:crypto';
import type { DueChange, DueRange, LostArc } from '../../ports/due-index.ts';
import type { Due } from '../../ports/shard-store.ts';
import { URL_KEY_BYTES } from '../../record/index.ts';
import type { RedisConnection, Word } from './connection.ts';
import { FILL, SYNC } from './due-script.ts';

/** Undefined where another has it. */
export type ArcAnswer = { readonly loss: string; readonly isWhole: boolean; readonly rows: Due[] };

/** A script is alone in the server while it runs: a millisecond or two. */
export const CHANGES_PER_SCRIPT = 1_000;
/** While the server is away: beyond this the arc is filled again from the store. */
const PENDING_MAX = 4_096;
const NO_ROWS: DueRange = { from: 0, until: 0, limit: 0 };
const AS_IT_IS = 4;

export class DueArc {
  readonly arc: number;
  readonly #connection: RedisConnection;
  readonly epoch: number;
  readonly #owner = randomUUID();
  readonly #keys: readonly string[];
  #pending = new Map<string, DueChange>();
  #mode: 'take' | 'torn' | '';
  #seq = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** `isTorn`: something may have changed in it before it was known here. */
  constructor(
    { arc, epoch, isTorn }: { arc: number; epoch: number; isTorn: boolean },
    connection: RedisConnection,
    prefix: string,
  ) {
    this.arc = arc;
    this.epoch = epoch;
    this.#mode = isTorn ? 'torn' : 'take';
    this.#connection = connection;
    this.#keys = keysOf(arc, prefix);
  }

  get pending(): number {
    return this.#pending.size;
  }

  note(change: DueChange): void {
    const name = change.key.toString('latin1');
    // In the order of what came last: a change is told with its own time's tier.
    const { tier = this.#pending.get(name)?.tier } = change;
    this.#pending.set(name, tier === undefined ? change : { ...change, tier });
    if (this.#pending.size <= PENDING_MAX) return;
    this.#pending.clear();
    this.#mode = 'torn';
  }

  /** Tells what has changed, then asks. */
  ask(range: DueRange = NO_ROWS, isLast = false): Promise<ArcAnswer | undefined> {
    return this.#alone(async () => {
      while (this.#pending.size > CHANGES_PER_SCRIPT || (isLast && this.#mode !== '')) {
        if ((await this.#sync(NO_ROWS, false)) === undefined) return undefined;
      }
      return this.#sync(range, isLast);
    });
  }

  fill({ loss }: LostArc, rows: readonly Due[], isLast: boolean): Promise<boolean> {
    return this.#alone(async () => {
      for (let at = 0; at === 0 || at < rows.length; at += CHANGES_PER_SCRIPT) {
        const some = rows.slice(at, at + CHANGES_PER_SCRIPT);
        const seals = isLast && at + CHANGES_PER_SCRIPT >= rows.length ? '1' : '0';
        const words = [this.#owner, loss ?? '', seals, membersOf(some), instantsOf(some)];
        if ((await this.#connection.run(FILL, this.#keys, words)) !== 1) return false;
      }
      return true;
    });
  }

  async #sync(range: DueRange, isLast: boolean): Promise<ArcAnswer | undefined> {
    const changes = [...this.#pending].slice(0, CHANGES_PER_SCRIPT);
    const mode = this.#mode;
    for (const [name] of changes) this.#pending.delete(name);
    this.#mode = '';
    try {
      const told = changes.map(([, change]) => change);
      const words = this.#wordsOf(told, isLast ? 'left' : mode, range);
      return answerIn(await this.#connection.run(SYNC, this.#keys, words, true));
    } catch (error) {
      this.#pending = new Map([...changes, ...this.#pending]);
      this.#mode = this.#mode || mode;
      throw error;
    }
  }

  #wordsOf(changes: readonly DueChange[], mode: string, { from, until, limit }: DueRange): Word[] {
    const tiers = changes.map(({ at, tier = AS_IT_IS }) => (at > 0 ? tier : 0)).join('');
    if (changes.length > 0) this.#seq++;
    return [
      ...[this.#owner, `${this.#seq}`, `${this.epoch}`, mode, randomUUID()],
      ...[membersOf(changes), tiers, instantsOf(changes), `${from}`, `${until}`, `${limit}`],
    ];
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

/** Its state and the sets of its tiers, together on one server of a cluster. */
export function keysOf(arc: number, prefix: string): string[] {
  return ['state', 1, 2, 3].map((what) => `${prefix}due:{${arc}}:${what}`);
}

function membersOf(rows: readonly { readonly key: Buffer }[]): Buffer {
  return Buffer.concat(rows.map(({ key }) => key));
}

function instantsOf(rows: readonly { readonly at: number }[]): string {
  return rows.map(({ at }) => at).join(' ');
}

function answerIn(reply: unknown): ArcAnswer | undefined {
  const [isOthers, loss, whole, members, instants] = reply as [number, ...Buffer[]];
  if (isOthers === 1) return undefined;
  const at = instants?.length ? instants.toString('latin1').split(' ') : [];
  const rows = at.map((text, nth) => {
    const key = (members as Buffer).subarray(nth * URL_KEY_BYTES, (nth + 1) * URL_KEY_BYTES);
    return { at: Number(text), key };
  });
  return { loss: `${loss}`, isWhole: `${whole}` === '1', rows };
}
