/**
 * Budgets per registrable domain: attention is earned by links from other domains.
 *
 *   budget = base + per domain that links here × (domains known to the last `orb rank`, or met since)
 *
 * A domain that has taken in more URLs than that is over budget: what it names then is parked,
 * with the priority of the last, not dropped. Parked URLs wait in their host's order, gain with
 * age as all do, and are asked when nothing better is left: a crawl with nothing else to do reads
 * them all. Who links to a domain is counted once it is large.
 */
import { Bits, hash32 } from './bits.ts';

export interface DomainPolicy {
  /** URLs that any domain may have. */
  readonly base: number;
  /** And for each other domain that links to it. */
  readonly perDomain: number;
}

export const DOMAINS: DomainPolicy = { base: 10_000, perDomain: 1_000 };

/** The priority of a parked URL: below all others, above nothing. */
export const PARKED_PRIORITY = 0;

const LINKING_BITS = 512;
/** Linking domains are counted from this share of the base on: most never get there. */
const COUNT_FROM = 0.25;

export class DomainShare {
  readonly name: string;
  taken = 0;
  /** As rated by the last `orb rank`: the most that one of its hosts has. */
  rated = 0;
  #linking: Bits | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** Large enough that it matters who links to it. */
  isCounting(policy: DomainPolicy): boolean {
    return policy.base > 0 && this.taken >= COUNT_FROM * policy.base;
  }

  /** Another domain, met while the crawl runs. */
  noteLink(from: string, policy: DomainPolicy): void {
    if (from === this.name || !this.isCounting(policy)) return;
    this.#linking ??= new Bits(LINKING_BITS);
    this.#linking.add(hash32(from));
  }

  get linking(): number {
    return Math.max(this.rated, this.#linking?.count ?? 0);
  }

  /** `part` is what is left of the budget of a farm. */
  isOver(policy: DomainPolicy, part: number): boolean {
    if (policy.base === 0) return false;
    return this.taken >= part * (policy.base + policy.perDomain * this.linking);
  }
}
