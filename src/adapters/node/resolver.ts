/**
 * The `Resolver` port: names to allowed addresses, from memory whenever possible (N1, N2).
 *
 * A name is asked for once, whoever waits, and its answer kept for five minutes whatever its own
 * time to live: a crawler asks a host for hours, and 99 of 100 questions must cost nothing. A
 * hit returns the very promise that the first asker got. What is kept is bounded; the name
 * that was put in first goes first.
 *
 * Not here: how to ask (resolver-ask.ts); which addresses are allowed (`../../fetch/address.ts`).
 */
import type { Instant } from '../../base/instant.ts';
import { type AddressRules, addressVerdict, hostVerdict } from '../../fetch/address.ts';
import { parseIp } from '../../fetch/ip.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Resolution, Resolver } from '../../ports/resolver.ts';
import { type Addresses, type Ask, type AskOptions, dnsAsk } from './resolver-ask.ts';

export interface ResolverOptions extends AskOptions {
  readonly clock: Clock;
  readonly addresses: AddressRules;
  readonly keepMs?: number;
  readonly keepFailedMs?: number;
  readonly entriesMax?: number;
  /** How names are asked for; DNS unless told otherwise. */
  readonly ask?: Ask;
}

interface Entry {
  readonly answer: Promise<Resolution>;
  /** Infinity while the question is open. */
  expiresAt: Instant;
  failures: number;
}

/** Connections that may fail in a row before the address is doubted. */
const FAILURES_MAX = 3;

export function openResolver(options: ResolverOptions): Resolver {
  return new CachingResolver(options);
}

class CachingResolver implements Resolver {
  readonly #clock: Clock;
  readonly #rules: AddressRules;
  readonly #keepMs: number;
  readonly #keepFailedMs: number;
  readonly #entriesMax: number;
  readonly #ask: Ask;
  readonly #entries = new Map<string, Entry>();
  #asked = 0;
  #hits = 0;

  constructor(options: ResolverOptions) {
    this.#clock = options.clock;
    this.#rules = options.addresses;
    this.#keepMs = options.keepMs ?? 300_000;
    this.#keepFailedMs = options.keepFailedMs ?? 30_000;
    this.#entriesMax = options.entriesMax ?? 100_000;
    this.#ask = options.ask ?? dnsAsk(options);
  }

  resolve(hostname: string, signal?: AbortSignal): Promise<Resolution> {
    this.#asked++;
    const known = this.#entries.get(hostname);
    if (known !== undefined && known.expiresAt > this.#clock.now()) {
      this.#hits++;
      return signal === undefined || known.expiresAt !== Number.POSITIVE_INFINITY
        ? known.answer
        : untilAborted(known.answer, signal);
    }
    const answer = this.#remember(hostname);
    return signal === undefined ? answer : untilAborted(answer, signal);
  }

  report(hostname: string, connected: boolean): void {
    const entry = this.#entries.get(hostname);
    if (entry === undefined) return;
    entry.failures = connected ? 0 : entry.failures + 1;
    if (entry.failures >= FAILURES_MAX) this.#entries.delete(hostname);
  }

  stats(): { asked: number; hits: number } {
    return { asked: this.#asked, hits: this.#hits };
  }

  #remember(hostname: string): Promise<Resolution> {
    this.#entries.delete(hostname);
    if (this.#entries.size >= this.#entriesMax) this.#forgetOldest();
    const answer = this.#find(hostname);
    const entry: Entry = { answer, expiresAt: Number.POSITIVE_INFINITY, failures: 0 };
    this.#entries.set(hostname, entry);
    answer.then(({ kind }) => {
      const keepMs = kind === 'failed' ? this.#keepFailedMs : this.#keepMs;
      entry.expiresAt = this.#clock.now() + keepMs;
    });
    return answer;
  }

  async #find(hostname: string): Promise<Resolution> {
    const host = hostVerdict(hostname, this.#rules);
    if (!host.allowed) return { kind: 'refused', address: hostname, detail: host.why };
    const literal = literalOf(hostname);
    if (literal !== undefined) return this.#choose([literal]);
    try {
      const found: Addresses = await this.#ask(hostname);
      return found.kind === 'failed' ? found : this.#choose(found.addresses);
    } catch (error) {
      return { kind: 'failed', detail: `${hostname}: ${(error as Error).message}` };
    }
  }

  /** The first address that may be asked; IPv4 comes first in the list. */
  #choose(addresses: readonly string[]): Resolution {
    let refused: Resolution = { kind: 'failed', detail: 'no address' };
    for (const address of addresses) {
      const verdict = addressVerdict(address, this.#rules);
      if (verdict.allowed) {
        return { kind: 'address', address, family: address.includes(':') ? 6 : 4 };
      }
      if (refused.kind === 'failed') refused = { kind: 'refused', address, detail: verdict.why };
    }
    return refused;
  }

  #forgetOldest(): void {
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}

/** The address itself when the host is one: `127.0.0.1`, `[::1]`. */
function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return parseIp(bare) === undefined ? undefined : bare;
}

/** The question goes on for others; only this asker stops waiting. */
function untilAborted(answer: Promise<Resolution>, signal: AbortSignal): Promise<Resolution> {
  const stopped: Resolution = { kind: 'failed', detail: 'stopped by the caller' };
  if (signal.aborted) return Promise.resolve(stopped);
  return new Promise((resolve) => {
    const stop = () => resolve(stopped);
    signal.addEventListener('abort', stop, { once: true });
    answer.then((resolution) => {
      signal.removeEventListener('abort', stop);
      resolve(resolution);
    });
  });
}
