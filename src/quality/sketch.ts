/**
 * The sketch of a host: what was noticed about its URLs and pages, in bounded memory.
 *
 *   levels     families of URLs, the heaviest of each level    ← traps.ts judges them
 *   verdicts   families that are cut off, and why
 *   bodies     what its pages hold, the most frequent first    ← soft-404.ts
 *   pages, near   how much of it nearly repeats other pages    ← farm.ts
 *   loops      where redirects went in circles (Q3)
 *
 * Made for busy hosts only, written now and then: what a crash takes of it is evidence that is
 * gathered again, never a page.
 */
import type { Instant } from '../base/instant.ts';
import { hash32 } from './bits.ts';
import { type Families, LEVELS } from './families.ts';
import { Family } from './family.ts';
import { Heavy, type Weighed } from './heavy.ts';
import type { TrapKind } from './traps.ts';

const CAPACITIES = [48, 32, 8] as const;
const BODIES_KEPT = 16;
const VERDICTS_MAX = 32;
const LOOPS_MAX = 64;
const LEADS_ON_MAX = 64;
/** Counts of bodies are halved here, so that a host can recover. */
const PAGES_COUNTED = 1_000;

/** A family that is cut off. */
export interface Verdict {
  readonly level: number;
  readonly key: string;
  readonly kind: TrapKind;
  readonly reason: string;
  readonly at: Instant;
  /** Pages it had cost by then, and URLs skipped or refused since. */
  readonly fetched: number;
  skipped: number;
  /** With facets: URLs with up to this many parameters are still asked. */
  parametersMax: number;
  /** When it is looked at again, with how many pages, and how many of those done spoke for it. */
  probeAt: Instant;
  probesLeft: number;
  probesGood: number;
  probesDone: number;
}

export interface Flagging {
  since: Instant;
  reason: string;
}

export interface BodyCount extends Weighed {
  readonly key: string;
}

/** What the answer to an impossible URL was. */
export interface Probe {
  readonly at: Instant;
  /** Of the body, 0 when the host said that there is no such page. */
  readonly hash: number;
  readonly simhash: bigint;
}

export class HostSketch {
  admitted = 0;
  fetched = 0;
  readonly levels: readonly Heavy<Family>[];
  verdicts: Verdict[] = [];
  readonly bodies = new Heavy<BodyCount>(BODIES_KEPT, (key) => ({ key, weight: 0 }));
  /** Pages with a body, and those that nearly repeat another page; halved now and then. */
  pages = 0;
  near = 0;
  softBody = '';
  soft404: Flagging | undefined;
  farm: Flagging | undefined;
  probe: Probe | undefined;
  /** The probe is on its way. */
  isProbing = false;
  loops: number[] = [];
  /** Pages that named URLs of a family that is cut off: asked as probes, they speak against it. */
  readonly leadsOn = new Set<string>();
  /** The page that named its links last: it is noticed next. */
  page: { readonly url: string; readonly families: Families } | undefined;
  /** Pages noticed since it was last written. */
  unsaved = 0;
  /** Its size when it was last counted among all that are in memory. */
  weighed = 0;

  constructor() {
    this.levels = Array.from({ length: LEVELS }, (_, level) => {
      return new Heavy<Family>(CAPACITIES[level] as number, (key) => new Family(key));
    });
  }

  /** Families in it. */
  get size(): number {
    let size = 0;
    for (const level of this.levels) size += level.size;
    return size;
  }

  /** The families of a URL as far as the sketch has room for them; each gets heavier. */
  touch(families: Families, weight: number): Family[] {
    const touched: Family[] = [];
    for (let level = 0; level < LEVELS; level++) {
      const key = families[level];
      if (key !== undefined) touched.push((this.levels[level] as Heavy<Family>).touch(key, weight));
    }
    return touched;
  }

  /** The verdict that a URL falls under, with `parameters` of its own. */
  verdictOn(families: Families, parameters: number): Verdict | undefined {
    for (const verdict of this.verdicts) {
      if (verdict.key !== families[verdict.level]) continue;
      if (verdict.kind !== 'facets' || parameters > verdict.parametersMax) return verdict;
    }
    return undefined;
  }

  /** The oldest gives way: a host with so many traps has few pages that are none. */
  addVerdict(verdict: Verdict): void {
    this.verdicts.push(verdict);
    if (this.verdicts.length > VERDICTS_MAX) this.verdicts.shift();
  }

  lift(verdict: Verdict): void {
    this.verdicts = this.verdicts.filter((one) => one !== verdict);
  }

  noteLeadsOn(url: string): void {
    if (this.leadsOn.size >= LEADS_ON_MAX) this.leadsOn.clear();
    this.leadsOn.add(url);
  }

  noteLoop(url: string): void {
    const hash = hash32(url);
    if (this.loops.includes(hash)) return;
    this.loops.push(hash);
    if (this.loops.length > LOOPS_MAX) this.loops.shift();
  }

  isLoop(url: string): boolean {
    return this.loops.length > 0 && this.loops.includes(hash32(url));
  }

  notePage(bodies: readonly string[], isNear: boolean): void {
    if (this.pages >= PAGES_COUNTED) this.#halve();
    this.pages++;
    if (isNear) this.near++;
    for (const body of bodies) this.bodies.touch(body);
  }

  /** A page of the body that is behind too much is asked again: what it is now counts instead. */
  forgive(): void {
    const body = this.bodies.get(this.softBody);
    if (body === undefined || body.weight < 1 || this.pages < 1) return;
    body.weight--;
    this.pages--;
  }

  #halve(): void {
    this.pages /= 2;
    this.near /= 2;
    for (const [, body] of this.bodies.entries()) body.weight /= 2;
  }
}
