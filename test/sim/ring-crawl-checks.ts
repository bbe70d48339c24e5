/**
 * What must hold on a ring, looked at from above, where nobody inside can look:
 *
 *   early      no host is asked before its turn, by anyone, ever (P5)
 *   rivals     nobody else may act for an arc while one does; no epoch has two owners (D5)
 *   forgotten  an owner knows every page whose mention was acknowledged (D4)
 *   coverage   every page that can be reached is settled
 */
import type { NodeId } from '../../src/ring/arc-log.ts';
import type { RingWeb } from './ring-crawl-web.ts';

/** Clocks are wrong by 50 millionths, and so is a pause. */
const CLOCK_SLACK = 1e-3;

export class Checks {
  readonly fetches = new Map<number, number>();
  readonly settled = new Set<number>();
  early = 0;
  rivals = 0;
  forgotten = 0;
  takeovers = 0;
  refused = 0;
  helped = 0;
  readonly acceptMs: number[] = [];
  readonly settleMs: number[] = [];
  readonly notes: string[] = [];
  readonly #web: RingWeb;
  readonly #arrivedAt = new Map<number, number>();
  readonly #acknowledged = new Map<number, Set<number>>();
  readonly #owners = new Map<string, NodeId>();

  constructor(web: RingWeb) {
    this.#web = web;
  }

  /** A request arrives at a host at this instant of true time. */
  arrives(page: number, at: number): void {
    const host = this.#web.hostOf(page);
    const before = this.#arrivedAt.get(host);
    const pauseMs = this.#web.pauseMs(host) * (1 - CLOCK_SLACK);
    if (before !== undefined && at - before < pauseMs) {
      this.early++;
      this.#note(`host ${host} asked ${Math.round(at - before)} ms after the last time`, at);
    }
    this.#arrivedAt.set(host, Math.max(at, before ?? 0));
    this.fetches.set(page, (this.fetches.get(page) ?? 0) + 1);
  }

  owns(arc: number, epoch: number, node: NodeId, isKnown: (page: number) => boolean, at: number) {
    const key = `${arc}/${epoch}`;
    const before = this.#owners.get(key);
    if (before !== undefined && before !== node) {
      this.rivals++;
      this.#note(`arc ${arc} has two owners in epoch ${epoch}`, at);
    }
    this.#owners.set(key, node);
    this.takeovers++;
    for (const page of this.#acknowledged.get(arc) ?? []) {
      if (isKnown(page)) continue;
      this.forgotten++;
      this.#note(`arc ${arc}: page ${page} was acknowledged and is forgotten`, at);
    }
  }

  acts(arc: number, rivals: readonly NodeId[], at: number): void {
    if (rivals.length === 0) return;
    this.rivals++;
    this.#note(`arc ${arc}: another may act at the same instant`, at);
  }

  acknowledged(arc: number, pages: readonly number[]): void {
    const known = this.#acknowledged.get(arc) ?? new Set();
    for (const page of pages) known.add(page);
    this.#acknowledged.set(arc, known);
  }

  get isWrong(): boolean {
    return this.early + this.rivals + this.forgotten > 0;
  }

  get coverage(): number {
    return this.settled.size / this.#web.pages;
  }

  get duplicates(): number {
    let sum = 0;
    for (const times of this.fetches.values()) sum += times - 1;
    return sum;
  }

  #note(text: string, at: number): void {
    if (this.notes.length < 20) this.notes.push(`${(at / 1_000).toFixed(1)} s: ${text}`);
  }
}
