/**
 * New ratings for hosts of a crawl that goes on (Q2, F8), and the quiet that it takes to move
 * their waiting URLs to other places.
 *
 *   hold ──→ nothing of the host is handed out ──→ moved in the store, batch by batch ──→ release
 *
 * A URL that is leased will be settled at the place it was leased from, so a host is held until
 * none of its URLs is away. Its window is forgotten at the end: the store knows the new order.
 * Nothing of this is written; after a crash the hosts are simply not held.
 */
import { HOST_FLAGS, type HostRecord } from '../record/index.ts';
import type { Host } from './host.ts';
import type { Turns } from './turns.ts';

export type HostRating = Pick<HostRecord, 'authority' | 'quality' | 'inDomains' | 'flags'>;

export class Ratings {
  readonly #hosts: ReadonlyMap<string, Host>;
  readonly #turns: Turns;

  constructor(hosts: ReadonlyMap<string, Host>, turns: Turns) {
    this.#hosts = hosts;
    this.#turns = turns;
  }

  /** What is known of a host and its pages; it is nobody's but the frontier's to change. */
  of(name: string): Readonly<Host> | undefined {
    return this.#hosts.get(name);
  }

  all(): Iterable<Readonly<Host>> {
    return this.#hosts.values();
  }

  /** True when none of the host's URLs is away; ask again until it is. */
  hold(name: string): boolean {
    const host = this.#hosts.get(name);
    if (host === undefined) return true;
    host.isHeld = true;
    this.#turns.offer(host);
    return !host.isAway;
  }

  release(name: string): void {
    const host = this.#hosts.get(name);
    if (host?.isHeld !== true) return;
    host.isHeld = false;
    host.forgetWindow();
    this.#turns.offer(host);
  }

  /** An operator looked at it: it is asked again, whatever the last rating said. */
  free(name: string): void {
    const host = this.#hosts.get(name);
    if (host === undefined) return;
    host.flags &= ~HOST_FLAGS.denied;
    this.#turns.offer(host);
  }

  /** The host's record with its new rating, to be committed. Of its flags only `denied` is ours. */
  rate(name: string, rating: HostRating): HostRecord | undefined {
    const host = this.#hosts.get(name);
    if (host === undefined) return undefined;
    host.authority = rating.authority;
    host.quality = rating.quality;
    host.inDomains = rating.inDomains;
    host.flags = (host.flags & ~HOST_FLAGS.denied) | (rating.flags & HOST_FLAGS.denied);
    this.#turns.offer(host);
    return host.toRecord();
  }
}
