/**
 * Errands: requests that are no page of the queue, such as the scripts of a page that is rendered
 * (J2). They wait for the turn of their host like any other, before its pages.
 *
 * An errand goes nowhere before the host's robots.txt has been read: whoever sends one asks
 * `robotsSay` first, and where that is 'unknown', `readRobots` sends for it.
 */
import { type Instant, MINUTE_MS } from '../base/instant.ts';
import { originOf } from '../url/index.ts';
import type { Errand, Host } from './host.ts';
import type { Politeness } from './policy.ts';
import { robotsVerdict } from './robots-verdict.ts';
import type { Turns } from './turns.ts';

/** A page does not wait longer for the turn of a host … */
const TURN_MS_MAX = MINUTE_MS;
/** … nor for one that did not answer this long ago; the crawl itself is more patient. */
const DOWN_MS = 10 * MINUTE_MS;

export class Errands {
  readonly #policy: Politeness;
  readonly #turns: Turns;
  readonly #hostFor: (url: string) => Host;

  constructor(policy: Politeness, turns: Turns, hostFor: (url: string) => Host) {
    this.#policy = policy;
    this.#turns = turns;
    this.#hostFor = hostFor;
  }

  /** 'unknown' as long as no robots.txt of that origin is at hand; otherwise why not, or ''. */
  robotsSay(url: string, now: Instant): 'unknown' | { readonly forbidden: string } {
    const host = this.#hostFor(url);
    const origin = originOf(url);
    if (host.isDenied) return { forbidden: 'its host is held back' };
    if (host.turnAt > now + TURN_MS_MAX) return { forbidden: 'its host is not asked for a while' };
    const robots = host.robotsFor(origin, now);
    if (robots === undefined) {
      const last = host.lastRobots(origin);
      const isDown = last?.status === 0 && last.fetchedAt > now - DOWN_MS;
      return isDown ? { forbidden: `robots.txt could not be read: ${last.problem}` } : 'unknown';
    }
    return { forbidden: robotsVerdict(robots, this.#policy.agent, url)?.reason ?? '' };
  }

  /** Sends for a robots.txt; undefined when somebody is on the way already. */
  readRobots(url: string): Errand | undefined {
    const host = this.#hostFor(url);
    const origin = originOf(url);
    const isUnderWay = host.errands.some((one) => one.origin === origin && !one.isProbe);
    if (isUnderWay || host.isAwaitingRobots) return undefined;
    const errand = { url: `${origin}/robots.txt`, origin, for: host, hops: 0 };
    this.#add(host, errand);
    return errand;
  }

  /** The errand that will come back with a lease; who sent it knows it again by its identity. */
  send(url: string): Errand {
    const host = this.#hostFor(url);
    const errand = { url, origin: originOf(url), for: host, hops: 0, isProbe: true };
    this.#add(host, errand);
    return errand;
  }

  /** A robots.txt that redirects: its target waits for the turn of the host it is on (H2). */
  forward(errand: Errand, url: string): void {
    const target = this.#hostFor(url);
    errand.for.isAwaitingRobots = target !== errand.for;
    this.#add(target, { ...errand, url, hops: errand.hops + 1 });
    this.#turns.offer(errand.for);
  }

  /** Nobody waits for it any more. */
  recall(errand: Errand): void {
    const host = this.#hostFor(errand.url);
    host.errands = host.errands.filter((one) => one !== errand);
    this.#turns.offer(host);
  }

  #add(host: Host, errand: Errand): void {
    host.errands = [...host.errands, errand];
    this.#turns.offer(host);
  }
}
