/**
 * So many requests a second for each client address: a bucket that fills at that rate and
 * holds two seconds' worth. IPv6 clients have a whole /64 each, and so it is counted.
 */
import { type Instant, SECOND_MS } from '../../base/instant.ts';

interface Bucket {
  tokens: number;
  at: Instant;
}

/** Clients remembered; beyond it those that were quiet longest are forgotten. */
const CLIENTS_MAX = 10_000;
const BURST_SECONDS = 2;

export class RateLimit {
  readonly #perSecond: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** 0 when the request may pass; else the seconds until one may. */
  take(address: string, now: Instant): number {
    const client = clientOf(address);
    const full = this.#perSecond * BURST_SECONDS;
    const last = this.#buckets.get(client) ?? { tokens: full, at: now };
    const gained = (Math.max(0, now - last.at) / SECOND_MS) * this.#perSecond;
    const tokens = Math.min(full, last.tokens + gained);
    const isLetIn = tokens >= 1;
    this.#remember(client, { tokens: isLetIn ? tokens - 1 : tokens, at: now });
    return isLetIn ? 0 : Math.max(1, Math.ceil((1 - tokens) / this.#perSecond));
  }

  #remember(client: string, bucket: Bucket): void {
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size <= CLIENTS_MAX) return;
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest);
      break;
    }
  }
}

function clientOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  return address.split(':').slice(0, 4).join(':');
}
