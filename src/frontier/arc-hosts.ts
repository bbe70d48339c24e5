/**
 * Arcs that come and go while a crawl runs (K1, P5): their hosts into memory, and out of it.
 *
 *   restore(host)   from the store; after a takeover it waits out one whole pause
 *   tookOver()      and so does every host that is met for the first time
 *   close(arc)      nothing of it is handed out any more; what is out may still come back
 *   forget(arc)     nothing is left of it: a lease, refill or errand that comes back finds
 *                   its host 'gone', and does nothing
 *
 * Arcs move seldom, so nothing is kept by arc: whoever leaves looks at every host.
 */
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import { blankHost, type HostRecord, type Waiting } from '../record/index.ts';
import { hostOf, overlap } from '../url/index.ts';
import type { Attention } from './attention.ts';
import { type Errand, Host } from './host.ts';
import type { Leases } from './leases.ts';
import type { Politeness } from './policy.ts';
import { restAddress, restHost } from './rest.ts';
import type { Turns } from './turns.ts';

/** What the frontier has of its hosts. */
export interface HostsAround {
  readonly policy: Politeness;
  readonly hosts: Map<string, Host>;
  readonly wanted: Set<Host>;
  readonly turns: Turns;
  readonly leases: Leases;
  readonly attention: Attention;
}

export class ArcHosts {
  readonly #around: HostsAround;
  /** Until then somebody asked who did not live to write down whom. */
  #strangersAskedAt: Instant = Number.NEGATIVE_INFINITY;

  constructor(around: HostsAround) {
    this.#around = around;
  }

  /**
   * After an unclean end, or when another node had it, nobody knows which requests were on their
   * way: then it waits out one whole pause from now (P5).
   */
  restore(record: HostRecord, now: Instant, clean: boolean): void {
    const { policy, hosts, turns } = this.#around;
    const { addressDelayMs } = policy;
    if (!clean) this.tookOver(now);
    const host = new Host(record, turns.join(record.address), true);
    hosts.set(record.host, host);
    if (!clean) restHost(host, now, policy);
    else if (now - record.lastFetchAt < addressDelayMs + MINUTE_MS) restAddress(host, now, policy);
    turns.offer(host);
  }

  /**
   * Others asked for these arcs until now: perhaps a host of which the store has no row, because
   * a robots.txt led there. So an address or a host that is met from now on waits, too.
   */
  tookOver(now: Instant): void {
    const { policy, turns } = this.#around;
    turns.restAddresses(now + policy.addressDelayMs);
    this.#strangersAskedAt = Math.max(this.#strangersAskedAt, now);
  }

  /** A host that the store did not tell of. */
  met(name: string): Host {
    const { policy, hosts, turns } = this.#around;
    const host = new Host(blankHost(name), turns.join(''), false);
    restHost(host, this.#strangersAskedAt, policy);
    hosts.set(name, host);
    return host;
  }

  /** URLs that the store may have taken in without a word: their hosts read them from it. */
  reread(urls: readonly Waiting[], now: Instant): void {
    for (const name of new Set(urls.map(({ url }) => hostOf(url)))) {
      const host = this.#around.hosts.get(name);
      host?.forgetWindow();
      if (host === undefined) this.restore(blankHost(name), now, false);
      else this.#around.turns.offer(host);
    }
  }

  /** Turns to be committed at a clean end, their addresses' too: no visit may have written them (P5). */
  *resting(now: Instant, arc?: number): Iterable<HostRecord> {
    const askedSince = now - this.#around.policy.addressDelayMs;
    for (const host of this.#around.hosts.values()) {
      const isMeant = arc === undefined || overlap(host.arc, arc);
      const isResting = host.turnAt > now || host.lastFetchAt > askedSince;
      if (isResting && isMeant) yield host.toRecord();
    }
  }

  close(arc: number): void {
    for (const host of this.#of(arc)) {
      host.presence = 'going';
      this.#around.turns.offer(host);
    }
  }

  /** Leases of the arc that somebody is at work with; a page in a browser is not waited for. */
  underWay(arc: number): number {
    let count = 0;
    for (const lease of this.#around.leases.attached()) if (overlap(lease.host.arc, arc)) count++;
    return count;
  }

  forget(arc: number): void {
    const { leases, hosts, attention } = this.#around;
    for (const host of [...this.#of(arc)]) this.#drop(host);
    for (const lease of leases.endGone()) if (lease.kind === 'robots') this.#free(lease.errand);
    for (const host of hosts.values()) {
      if (!host.errands.some(isForNobody)) continue;
      host.errands = host.errands.filter((errand) => !isForNobody(errand));
      this.#around.turns.offer(host);
    }
    attention.forgetGone();
  }

  #drop(host: Host): void {
    const { hosts, wanted, turns } = this.#around;
    host.presence = 'gone';
    hosts.delete(host.host);
    wanted.delete(host);
    turns.part(host);
    for (const errand of host.errands) this.#free(errand);
  }

  /** Who waits for a robots.txt on a host that is gone asks for its own once more. */
  #free({ for: waiting }: Errand): void {
    waiting.isAwaitingRobots = false;
    this.#around.turns.offer(waiting);
  }

  *#of(arc: number): Iterable<Host> {
    for (const host of this.#around.hosts.values()) if (overlap(host.arc, arc)) yield host;
  }
}

function isForNobody(errand: Errand): boolean {
  return errand.for.presence === 'gone';
}
