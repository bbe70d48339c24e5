/**
 * What is due in the arcs of nodes that live in one process: a simulation, or a test. One server,
 * to which each node connects; it can be flushed, and be away.
 */
import {
  type DueAnswer,
  type DueChange,
  type DueIndex,
  type DueRange,
  earliestOf,
  type LostArc,
} from '../../ports/due-index.ts';
import type { Due } from '../../ports/shard-store.ts';
import { covers, overlap } from '../../url/index.ts';

interface ArcSet {
  owner: string;
  /** Of the tenure that it was last changed in. */
  epoch: number;
  loss: string;
  isWhole: boolean;
  wasLeft: boolean;
  readonly rows: Map<string, Due>;
}

export class MemoryDueServer {
  readonly arcs = new Map<number, ArcSet>();
  isAway = false;
  #losses = 0;

  connect(owner: string): DueIndex {
    return new MemoryDueIndex(this, owner);
  }

  flush(): void {
    this.arcs.clear();
  }

  /** As it was left by another, or empty and lost. */
  taken(arc: number, owner: string, epoch: number): ArcSet {
    const before = this.arcs.get(arc);
    const isKept = before?.wasLeft === true && before.isWhole && before.epoch === epoch - 1;
    const own = { owner, epoch, wasLeft: false };
    const blank = { loss: `${++this.#losses}`, isWhole: false, rows: new Map() };
    const set = isKept ? Object.assign(before, own) : { ...own, ...blank };
    this.arcs.set(arc, set);
    return set;
  }
}

/** Nobody knows: no tenure comes right before or after it. */
const NO_EPOCH = -1;

/** What a node has yet to tell of an arc. */
interface Held {
  readonly epoch: number;
  set: ArcSet | undefined;
  readonly pending: Map<string, DueChange>;
}

class MemoryDueIndex implements DueIndex {
  readonly #server: MemoryDueServer;
  readonly #owner: string;
  readonly #held = new Map<number, Held>();

  constructor(server: MemoryDueServer, owner: string) {
    this.#server = server;
    this.#owner = owner;
  }

  take(arc: number, epoch: number): void {
    for (const other of this.#held.keys()) if (overlap(other, arc)) this.#held.delete(other);
    this.#held.set(arc, { epoch, set: undefined, pending: new Map() });
  }

  async due({ from, until, limit }: DueRange, arcs: readonly number[]): Promise<DueAnswer> {
    if (this.#server.isAway)
      return { rows: [], lost: arcs.map((arc) => ({ arc, loss: undefined })) };
    const found: Due[][] = [];
    const lost: LostArc[] = [];
    for (const arc of arcs) {
      const set = this.#told(arc);
      if (set?.isWhole !== true) lost.push({ arc, loss: set?.loss });
      else found.push([...set.rows.values()].filter(({ at }) => at >= from && at <= until));
    }
    for (const rows of found) rows.sort((a, b) => a.at - b.at);
    return { rows: earliestOf(found, limit), lost };
  }

  note(changes: readonly DueChange[]): void {
    for (const change of changes) {
      for (const [arc, { pending }] of this.#held) {
        if (covers(arc, change.key)) pending.set(nameOf(change.key), change);
      }
    }
  }

  async leave(arc: number): Promise<void> {
    const set = this.#held.has(arc) && !this.#server.isAway ? this.#told(arc) : undefined;
    if (set !== undefined) set.wasLeft = true;
    this.#held.delete(arc);
  }

  async fill({ arc, loss }: LostArc, rows: readonly Due[], isLast: boolean): Promise<boolean> {
    const set = this.#server.arcs.get(arc);
    if (this.#server.isAway || set?.owner !== this.#owner || set.loss !== loss) return false;
    for (const row of rows) {
      if (!set.rows.has(nameOf(row.key))) set.rows.set(nameOf(row.key), row);
    }
    set.isWhole ||= isLast;
    return true;
  }

  async close(): Promise<void> {}

  /** The arc in the server, once that knows what was noted here; undefined: it is another's. */
  #told(arc: number): ArcSet | undefined {
    if (!this.#held.has(arc)) this.take(arc, NO_EPOCH);
    const held = this.#held.get(arc) as Held;
    const there = this.#server.arcs.get(arc);
    if (held.set !== undefined && there !== undefined && there.owner !== this.#owner) {
      this.#held.delete(arc);
      return undefined;
    }
    const isTaken = there !== undefined && there === held.set;
    const set = isTaken ? there : this.#server.taken(arc, this.#owner, held.epoch);
    held.set = set;
    for (const { key, at } of held.pending.values()) {
      if (at > 0) set.rows.set(nameOf(key), { at, key });
      else set.rows.delete(nameOf(key));
    }
    held.pending.clear();
    return set;
  }
}

function nameOf(key: Buffer): string {
  return key.toString('latin1');
}
