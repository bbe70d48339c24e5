/**
 * A group of nodes that share an arc, in a test's hand: messages are delivered when the test says
 * so, time passes when it says so, and each node keeps its rows in a map.
 */
import type { Instant } from '../base/instant.ts';
import { type Charter, type Entry, isBefore, type NodeId, type Stamp } from './arc-log.ts';
import type { ArcEffect, ArcEvent, ArcMessage } from './arc-messages.ts';
import { type ArcRules, type ArcState, isActing, RING_RULES } from './arc-state.ts';
import { foundArc, joinArc, stepArc } from './arc-step.ts';

const BUCKETS = 2;
type Rows = Map<string, Stamp>;

interface Letter {
  readonly from: NodeId;
  readonly to: NodeId;
  readonly message: ArcMessage;
}

export class ArcGroup {
  now: Instant = 1_000_000;
  wanted: readonly NodeId[];
  readonly states = new Map<NodeId, ArcState>();
  readonly rows = new Map<NodeId, Rows>();
  /** Nodes that hear and say nothing. */
  readonly away = new Set<NodeId>();
  readonly leaving = new Set<NodeId>();
  readonly letters: Letter[] = [];
  /** What nodes were told to do, beside messages and rows, with the instant. */
  readonly told: { readonly at: Instant; readonly node: NodeId; readonly effect: ArcEffect }[] = [];
  readonly rules: ArcRules;

  constructor(names: readonly string[], rules: Partial<ArcRules> = {}) {
    this.rules = { ...RING_RULES, ...rules };
    this.wanted = names.map(node);
    const charter: Charter = { at: { epoch: 1, index: 0 }, seats: this.wanted };
    for (const id of this.wanted) {
      this.states.set(id, foundArc(id, this.rules, charter, this.now));
      this.rows.set(id, new Map());
    }
  }

  /** Time passes in ticks of a second; everything is delivered at once. */
  pass(seconds: number): void {
    for (let n = 0; n < seconds; n++) {
      this.now += 1_000;
      for (const id of [...this.states.keys()]) {
        const isLeaving = this.leaving.has(id);
        this.event(id, { kind: 'tick', wanted: this.wanted, chance: 0.5, isLeaving });
        this.deliver();
      }
    }
  }

  deliver(): void {
    for (let letter = this.letters.shift(); letter !== undefined; letter = this.letters.shift()) {
      const { from, to, message } = letter;
      if (this.away.has(from) || this.away.has(to)) continue;
      this.hear(from, to, message);
    }
  }

  hear(from: NodeId, to: NodeId, message: ArcMessage): void {
    if (!this.states.has(to)) {
      this.states.set(to, joinArc(to, this.rules, this.now));
      this.rows.set(to, new Map());
    }
    if (message.kind !== 'sums') {
      this.event(to, { kind: 'message', from, message });
      return;
    }
    const { kind: _, sums, ...rest } = message;
    const mine = this.sums(to);
    const differing = sums.flatMap((sum, bucket) => (sum === mine[bucket] ? [] : [bucket]));
    const { at, remade } = this.state(to);
    const of = sums.length;
    this.event(to, { kind: 'compared', from, differing, of, at, remade, ...rest });
  }

  write(id: NodeId, keys: readonly string[], token: number, isAwaited = true): void {
    this.event(id, { kind: 'write', bodies: keys, isAwaited, token });
  }

  event(id: NodeId, event: ArcEvent): void {
    if (this.away.has(id) && event.kind !== 'write') return;
    const [state, effects] = stepArc(this.state(id), event, this.now);
    this.states.set(id, state);
    for (const effect of effects) this.#do(id, effect);
  }

  #do(id: NodeId, effect: ArcEffect): void {
    const rows = this.rows.get(id) as Rows;
    if (effect.kind === 'send') this.letters.push({ from: id, ...effect });
    else if (effect.kind === 'apply') apply(rows, effect.epoch, effect.entries);
    else if (effect.kind === 'replace') replace(rows, effect);
    else if (effect.kind === 'sum') {
      const anchor = this.state(id).at.index;
      this.event(id, { ...effect, kind: 'summed', anchor, sums: this.sums(id) });
    } else if (effect.kind === 'sendRows') {
      const found = [...rows].filter(([key]) => bucketOf(key) === effect.bucket);
      const { to, ...rest } = effect;
      this.letters.push({ from: id, to, message: { ...rest, kind: 'rows', rows: found } });
    } else {
      if (effect.kind === 'drop') rows.clear();
      this.told.push({ at: this.now, node: id, effect });
    }
  }

  sums(id: NodeId): number[] {
    const sums = Array<number>(BUCKETS).fill(0);
    for (const [key, { epoch, index }] of this.rows.get(id) as Rows) {
      const bucket = bucketOf(key);
      sums[bucket] = (sums[bucket] as number) + key.charCodeAt(0) * 1e6 + epoch * 1e3 + index;
    }
    return sums;
  }

  state(id: NodeId): ArcState {
    return this.states.get(id) as ArcState;
  }

  keys(id: NodeId): string[] {
    return [...(this.rows.get(id)?.keys() ?? [])].sort();
  }

  owners(): NodeId[] {
    return [...this.states].flatMap(([id, state]) => (isActing(state, this.now) ? [id] : []));
  }

  toldOf<K extends ArcEffect['kind']>(kind: K) {
    const isIt = (effect: ArcEffect): effect is ArcEffect & { kind: K } => effect.kind === kind;
    return this.told.flatMap(({ at, node, effect }) =>
      isIt(effect) ? [{ at, node, effect }] : [],
    );
  }
}

/** A node by its name: its place does not matter to a group. */
export function node(name: string): NodeId {
  return name as NodeId;
}

function apply(rows: Rows, epoch: number, entries: readonly Entry[]): void {
  for (const { index, body } of entries) {
    if (body !== undefined) rows.set(body as string, { epoch, index });
  }
}

function replace(rows: Rows, effect: ArcEffect & { readonly kind: 'replace' }): void {
  for (const [key, stamp] of [...rows]) {
    if (bucketOf(key) === effect.bucket && !isBefore(effect.upTo, stamp)) rows.delete(key);
  }
  for (const [key, stamp] of effect.rows as [string, Stamp][]) rows.set(key, stamp);
}

function bucketOf(key: string): number {
  return key.charCodeAt(0) % BUCKETS;
}
