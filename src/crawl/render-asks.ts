/**
 * What a page asks for while it is rendered (J2, Y1): each wish is a request like any other of
 * the crawl, and so is every redirect on its way.
 *
 *   wish → cache? → denied? → robots known? ─ no → robots.txt first, at that host's turn
 *                                 │
 *                                 └→ allowed? → errand → its host's turn → address → request
 *                                                            visit-render.ts
 */
import { decodeBody, type Outcome, redirectOf } from '../fetch/index.ts';
import type { Errand } from '../frontier/index.ts';
import type { Wish, WishAnswer } from '../ports/renderer.ts';
import { hostKeyOf } from '../record/index.ts';
import { canonicalize, hostOf } from '../url/index.ts';
import type { Walk } from './context.ts';
import { refusedByDenial } from './deny.ts';
import { isShared, RenderCache } from './render-cache.ts';

const REDIRECTS_MAX = 5;

/** Something for which somebody waits: a robots.txt to be read, or an answer. */
interface Waiter {
  readonly url: string;
  readonly resolve: () => void;
}

export class RenderAsks {
  readonly #cache = new RenderCache();
  #shared = new AbortController();
  readonly #sent = new WeakSet<Errand>();
  readonly #onSent: () => void;
  readonly #answers = new Map<Errand, (outcome: Outcome) => void>();
  readonly #forRobots = new Set<Waiter>();

  /** `onSent`: there is something to be taken from the frontier. */
  constructor(onSent: () => void) {
    this.#onSent = onSent;
  }

  /** No page is in the browser: nobody waits for anything, and nothing more is sent for. */
  rest(): void {
    this.#shared.abort();
    this.#shared = new AbortController();
  }

  /** Was this errand sent from here? Then it is no probe, also when nobody waits any more. */
  isOurs(errand: Errand): boolean {
    return this.#sent.has(errand);
  }

  /** Who waits for the outcome of an errand. */
  waiterOf(errand: Errand): ((outcome: Outcome) => void) | undefined {
    return this.#answers.get(errand);
  }

  /** A robots.txt was read: whoever waited for it looks again. */
  robotsRead(): void {
    for (const { resolve } of [...this.#forRobots]) resolve();
  }

  ask(wish: Wish, walk: Walk): Promise<WishAnswer> {
    const { clock } = walk.ports;
    const { kind } = wish;
    const [url = ''] = wish.url.split('#', 1);
    // Code is for all pages of a site: it is not lost when the page that asked for it ends.
    const signal = isShared(kind) ? this.#shared.signal : wish.signal;
    return this.#cache.get(
      url,
      kind,
      () => clock.now(),
      () => this.#follow(url, walk, signal),
    );
  }

  async #follow(first: string, walk: Walk, signal: AbortSignal): Promise<WishAnswer> {
    let url = first;
    for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
      const outcome = await this.#one(url, walk, signal);
      if (outcome.kind !== 'answered') return refused(outcome.detail);
      const redirect = redirectOf(outcome, url);
      if (redirect === undefined) return answered(outcome, walk.rules.decodedBytesMax);
      if (redirect.to === undefined) return refused('a redirect to nowhere');
      url = redirect.to;
    }
    return refused('too many redirects');
  }

  async #one(url: string, walk: Walk, signal: AbortSignal): Promise<Outcome> {
    const denied = refusedByDenial(canonicalize(url) ?? url, walk) ?? refusedByOwner(url, walk);
    if (denied !== undefined) return denied;
    const forbidden = await this.#robots(url, walk, signal);
    if (forbidden !== '') return { kind: 'refused', address: '', detail: forbidden };
    const errand = walk.frontier.errands.send(url);
    this.#sent.add(errand);
    const outcome = this.#outcomeOf(errand, walk, signal);
    this.#onSent();
    return outcome;
  }

  /** Why robots.txt forbids it; empty when it does not. */
  async #robots(url: string, walk: Walk, signal: AbortSignal): Promise<string> {
    const { errands } = walk.frontier;
    for (;;) {
      if (signal.aborted) return 'the page has ended';
      const said = errands.robotsSay(url, walk.ports.clock.now());
      if (said !== 'unknown') return said.forbidden;
      const errand = errands.readRobots(url);
      const read = this.#robotsOf(url, signal);
      this.#onSent();
      await read;
      if (signal.aborted && errand !== undefined) errands.recall(errand);
    }
  }

  #robotsOf(url: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#forRobots.delete(waiter);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const waiter = { url, resolve: end };
      this.#forRobots.add(waiter);
      signal.addEventListener('abort', end);
    });
  }

  #outcomeOf(errand: Errand, walk: Walk, signal: AbortSignal): Promise<Outcome> {
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        this.#answers.delete(errand);
        signal.removeEventListener('abort', left);
        resolve(outcome);
      };
      const left = () => {
        walk.frontier.errands.recall(errand);
        end({ kind: 'refused', address: '', detail: 'the page has ended' });
      };
      this.#answers.set(errand, end);
      signal.addEventListener('abort', left);
      if (signal.aborted) left();
    });
  }
}

/** Nobody asks a host of another node, not for a script either (P5, K1). */
function refusedByOwner(url: string, { arcs }: Walk): Outcome | undefined {
  if (arcs === undefined || arcs.isMine(hostKeyOf(hostOf(url)))) return undefined;
  return { kind: 'refused', address: '', detail: 'its host is asked by another node' };
}

function refused(reason: string): WishAnswer {
  return { kind: 'refused', reason };
}

function answered(outcome: Outcome & { kind: 'answered' }, bytesMax: number): WishAnswer {
  const { status, headers, body } = outcome;
  const decoded = decodeBody(body, headers['content-encoding'] ?? '', bytesMax);
  return { kind: 'answered', status, headers, body: decoded.body };
}
