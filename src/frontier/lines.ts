/**
 * Whose turn has come, and who is near it (K4): one line for each region that hosts are in, and
 * one for hosts of which nobody knows.
 *
 *   take by `eu`   its own line first ─▶ hosts without a region, or of one that nobody is in
 *                    ─▶ of other lines, who has stood there for `takeOverMs`
 *
 * Four in five by that order, best first; one in five is whoever came first of all that may be
 * taken, wherever it stands: so every host's wait has the bound that it has without regions (F3),
 * after `takeOverMs` at the latest. Turns are not decided here, so no pause changes.
 *
 * As long as all who take say the same, or nothing, there is one line, and nothing else is looked
 * at: who is alone has everybody to ask, near or not, best first.
 */
import { Heap, type HeapItem } from '../base/heap.ts';
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import type { Group } from './group.ts';
import type { Host } from './host.ts';
import { EXPLORE_SHARE, Ready } from './ready.ts';

/** What is known of regions. */
export interface Nearness {
  /** The region that a host is probably in; empty when nobody knows. */
  readonly hintOf: (host: string, address: string) => string;
  /** How long a host waits for somebody of its region after its turn has come. */
  readonly takeOverMs: number;
}

/** Who takes, and when; an empty region is none. */
export interface Taker {
  readonly region: string;
  readonly now: Instant;
}

/** Nobody of a region asked for so long: it is not waited for. */
const HEARD_MS = MINUTE_MS;

interface Line {
  readonly region: string;
  readonly ready: Ready;
  /** By the instant since which they wait. */
  readonly waits: Heap<Wait>;
}

interface Wait extends HeapItem {
  readonly line: Line;
  readonly group: Group;
  readonly host: Host;
  readonly since: Instant;
}

export class Lines {
  readonly #random: () => number;
  readonly #near: Nearness | undefined;
  readonly #plain: Ready;
  readonly #lines = new Map<string, Line>();
  readonly #waits = new Map<Group, Wait>();
  /** Also of those who were passed over, or sent to the store for URLs: their turn is the same. */
  readonly #waitOf = new WeakMap<Host, { readonly turnAt: Instant; readonly since: Instant }>();
  readonly #heard = new Map<string, Instant>();
  /** All there was, before somebody else took. */
  #only: Taker | undefined;
  #isRegional = false;
  #arrivals = 0;

  constructor(random: () => number, near?: Nearness) {
    this.#random = random;
    this.#near = near;
    this.#plain = new Ready(random);
  }

  get size(): number {
    return this.#plain.size + this.#waits.size;
  }

  has(group: Group): boolean {
    return this.#plain.has(group);
  }

  add(group: Group, now: Instant): void {
    const line = this.#isRegional ? this.#lineFor(group.next) : undefined;
    (line?.ready ?? this.#plain).add(group, ++this.#arrivals);
    if (line !== undefined) this.#stand(group, line, now);
  }

  /** Call when what the group would ask next may have changed. */
  moved(group: Group, now: Instant): void {
    const wait = this.#waits.get(group);
    if (wait === undefined) this.#plain.moved(group);
    else if (wait.host === group.next) wait.line.ready.moved(group);
    else {
      this.remove(group);
      this.add(group, now);
    }
  }

  remove(group: Group): void {
    const wait = this.#waits.get(group);
    (wait?.line.ready ?? this.#plain).remove(group);
    if (wait === undefined) return;
    this.#waits.delete(group);
    wait.line.waits.remove(wait);
  }

  /** Somebody there takes, so that he is waited for. */
  hear(by: Taker): void {
    const { region, now } = by;
    if (this.#isRegional) {
      if (!this.#heard.has(region)) this.#forgetSilent(now);
      this.#heard.set(region, now);
    } else if (this.#only === undefined || this.#only.region === region) this.#only = by;
    else if (this.#near !== undefined) this.#divide(this.#only, by);
  }

  #divide(one: Taker, another: Taker): void {
    this.#isRegional = true;
    for (const { region, now } of [one, another]) this.#heard.set(region, now);
    const { now } = another;
    for (const group of this.#plain.groups()) {
      this.#plain.remove(group);
      this.add(group, now);
    }
  }

  /** The group to ask next; it stays until it is removed. */
  pick(by: Taker): Group | undefined {
    if (!this.#isRegional) return this.#plain.pick();
    if (this.size > 1 && this.#random() < EXPLORE_SHARE) return this.#oldest(by);
    const own = this.#isAlone(by) ? undefined : this.#lines.get(by.region)?.ready;
    return own?.best() ?? this.#best(by) ?? this.#overdue(by);
  }

  /** The best of all that may be taken, whoever is near them. */
  best(by: Taker): Group | undefined {
    if (!this.#isRegional) return this.#plain.best();
    return better(this.#best(by), this.#overdue(by));
  }

  /** When there is somebody to take: 0 is now, undefined is never. */
  nextAt(by: Taker): Instant | undefined {
    if (this.#best(by) !== undefined) return 0;
    let next: Instant | undefined;
    for (const { region, waits } of this.#lines.values()) {
      if (waits.firstKey === undefined) continue;
      const silentAt = (this.#heard.get(region) ?? 0) + HEARD_MS;
      const at = Math.min(silentAt, waits.firstKey + this.#takeOverMs);
      next = Math.min(next ?? at, at);
    }
    return next;
  }

  #oldest(by: Taker): Group | undefined {
    let first = this.#overdue(by);
    for (const ready of this.#open(by)) first = earlier(first, ready.oldest());
    return first;
  }

  #best(by: Taker): Group | undefined {
    let best: Group | undefined;
    for (const ready of this.#open(by)) best = better(best, ready.best());
    return best;
  }

  /** Lines that he may take from, whoever stands there. */
  *#open({ region, now }: Taker): Iterable<Ready> {
    yield this.#plain;
    for (const line of this.#lines.values()) {
      if (line.region === region || !this.#isHeard(line.region, now)) yield line.ready;
    }
  }

  /** Who waits longest of those who were left to others, and has waited long enough. */
  #overdue({ region, now }: Taker): Group | undefined {
    let longest: Wait | undefined;
    for (const line of this.#lines.values()) {
      const wait = line.waits.peek();
      if (line.region === region || wait === undefined) continue;
      if (longest === undefined || wait.since < longest.since) longest = wait;
    }
    const isOver = longest !== undefined && longest.since + this.#takeOverMs <= now;
    return isOver ? longest?.group : undefined;
  }

  get #takeOverMs(): number {
    return this.#near?.takeOverMs ?? 0;
  }

  #isHeard(region: string, now: Instant): boolean {
    return now - (this.#heard.get(region) ?? Number.NEGATIVE_INFINITY) < HEARD_MS;
  }

  #isAlone({ region, now }: Taker): boolean {
    for (const other of this.#heard.keys()) {
      if (other !== region && this.#isHeard(other, now)) return false;
    }
    return true;
  }

  /** Anybody may say any name: those that are said no more are not kept. */
  #forgetSilent(now: Instant): void {
    for (const region of this.#heard.keys()) {
      if (!this.#isHeard(region, now)) this.#heard.delete(region);
    }
  }

  #lineFor(host: Host | undefined): Line | undefined {
    const region = host === undefined ? '' : this.#near?.hintOf(host.host, host.address);
    if (region === undefined || region === '') return undefined;
    let line = this.#lines.get(region);
    if (line === undefined) {
      line = { region, ready: new Ready(this.#random), waits: new Heap() };
      this.#lines.set(region, line);
    }
    return line;
  }

  #stand(group: Group, line: Line, now: Instant): void {
    const host = group.next as Host;
    const known = this.#waitOf.get(host);
    const since = known?.turnAt === host.turnAt ? known.since : now;
    if (known?.turnAt !== host.turnAt) this.#waitOf.set(host, { turnAt: host.turnAt, since });
    const wait = { heapAt: -1, line, group, host, since };
    this.#waits.set(group, wait);
    line.waits.push(wait, since);
  }
}

function better(one: Group | undefined, another: Group | undefined): Group | undefined {
  if (one === undefined || another === undefined) return one ?? another;
  return another.bestRank < one.bestRank ? another : one;
}

function earlier(one: Group | undefined, another: Group | undefined): Group | undefined {
  if (one === undefined || another === undefined) return one ?? another;
  return another.arrival < one.arrival ? another : one;
}
