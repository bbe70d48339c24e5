/**
 * The watcher of the world: notes when each host and address was asked and how it answered,
 * and complains when one is asked too soon, too often, or twice at once (P1-P5, F7).
 *
 * It knows the least pause that is owed; a frontier may wait longer.
 */
import assert from 'node:assert/strict';
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { Politeness } from './policy.ts';
import type { Answer } from './world-servers.testkit.ts';

interface Seen {
  notBefore: Instant;
  lastSentAt: Instant;
  crawlDelayMs: number;
  open: number;
  well: number;
  byDay: Map<number, number>;
}

const dayOf = (now: Instant) => Math.floor(now / DAY_MS);

export class Watcher {
  readonly #policy: Politeness;
  readonly #hosts = new Map<string, Seen>();
  readonly #addressTurn = new Map<string, Instant>();
  readonly #addressOpen = new Set<string>();

  constructor(policy: Politeness) {
    this.#policy = policy;
  }

  #seen(host: string): Seen {
    let seen = this.#hosts.get(host);
    if (seen === undefined) {
      seen = { notBefore: 0, lastSentAt: 0, crawlDelayMs: 0, open: 0, well: 0, byDay: new Map() };
      this.#hosts.set(host, seen);
    }
    return seen;
  }

  wellOf(host: string): number {
    return this.#seen(host).well;
  }

  /** A page of it was taken; `take` follows. */
  takePage(host: string, now: Instant): void {
    const { well, open, byDay } = this.#seen(host);
    const { pagesPerHostMax, fetchesPerDayMax } = this.#policy;
    if (pagesPerHostMax > 0) assert.ok(well + open < pagesPerHostMax, `${host}: pages per host`);
    assert.ok((byDay.get(dayOf(now)) ?? 0) + open < fetchesPerDayMax, `${host}: fetches a day`);
  }

  take(host: string, now: Instant): void {
    const seen = this.#seen(host);
    assert.ok(seen.open < this.#policy.lanes, `${host} has no other request open`);
    assert.ok(now >= seen.notBefore, `${host} is asked ${seen.notBefore - now} ms early`);
    seen.open++;
  }

  send(host: string, address: string, now: Instant): void {
    this.#seen(host).lastSentAt = now;
    if (this.#policy.addressDelayMs === 0) return;
    assert.ok(!this.#addressOpen.has(address), `${address} has no other request open`);
    assert.ok(now >= (this.#addressTurn.get(address) ?? 0), `${address} is asked early`);
    this.#addressOpen.add(address);
  }

  answer(host: string, address: string, answer: Answer, retryAt: Instant, now: Instant): void {
    this.#addressOpen.delete(address);
    if (answer === 'refused') return;
    const seen = this.#seen(host);
    const pause = this.#pause(host, seen.crawlDelayMs) * (answer === 'busy' ? 2 : 1);
    seen.notBefore = Math.max(seen.notBefore, now + pause, retryAt);
    const { addressDelayMs, delayMsByHost } = this.#policy;
    const turn = now + Math.min(addressDelayMs, delayMsByHost.get(host) ?? addressDelayMs);
    this.#addressTurn.set(address, Math.max(this.#addressTurn.get(address) ?? 0, turn));
  }

  /** The pause that the host's own words ask for counts from its last answer on. */
  learnDelay(host: string, crawlDelayMs: number): void {
    const seen = this.#seen(host);
    const grown = this.#pause(host, crawlDelayMs) - this.#pause(host, seen.crawlDelayMs);
    seen.crawlDelayMs = crawlDelayMs;
    if (seen.notBefore > 0) seen.notBefore += Math.max(0, grown);
  }

  count(host: string, now: Instant, isWell: boolean): void {
    const seen = this.#seen(host);
    seen.byDay.set(dayOf(now), (seen.byDay.get(dayOf(now)) ?? 0) + 1);
    if (isWell) seen.well++;
  }

  /** The request is over, or was never sent. */
  end(host: string): void {
    this.#seen(host).open--;
  }

  /** The process died: of these hosts it is only known when they were asked. */
  forgetOpen(asked: readonly string[]): void {
    for (const host of asked) {
      const seen = this.#seen(host);
      const pause = this.#pause(host, seen.crawlDelayMs);
      seen.notBefore = Math.max(seen.notBefore, seen.lastSentAt + pause);
    }
    for (const seen of this.#hosts.values()) seen.open = 0;
    this.#addressOpen.clear();
  }

  #pause(host: string, crawlDelayMs: number): number {
    const { delayMs, delayMsByHost } = this.#policy;
    if (delayMs === 0) return 0;
    return delayMsByHost.get(host) ?? (crawlDelayMs > 0 ? crawlDelayMs : delayMs);
  }
}
