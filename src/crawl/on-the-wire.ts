/**
 * Requests that are out: those for what is denied meanwhile are broken off (G1). A visit asks
 * the denylist right before it sends, but a connection may take seconds to come about: without
 * this a page could still be asked for after its takedown was answered.
 */
import { Numbered } from '../base/numbered.ts';
import type { Outcome } from '../fetch/index.ts';

interface Sent {
  readonly url: string;
  readonly abort: AbortController;
  readonly ended: Promise<unknown>;
}

export class OnTheWire {
  readonly #out = new Numbered<Sent>();
  #last = 0;

  /** Sends, and ends when either of the two is broken off: the run, or this request. */
  async send(
    url: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const ended = ask(abort.signal);
    const number = ++this.#last;
    this.#out.add(number, { url, abort, ended });
    try {
      return await ended;
    } finally {
      this.#out.take(number);
      signal.removeEventListener('abort', stop);
    }
  }

  /** Resolves when none of them can reach its server any more. */
  async breakOff(fits: (url: string) => boolean): Promise<void> {
    const meant = [...this.#out.values()].filter(({ url }) => fits(url));
    for (const { abort } of meant) abort.abort();
    await Promise.allSettled(meant.map(({ ended }) => ended));
  }
}
