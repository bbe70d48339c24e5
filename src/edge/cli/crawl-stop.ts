/**
 * Ctrl-C, counted (L2).
 *
 *   once     nothing more is taken; what is under way is finished and saved
 *   twice    what is under way is broken off; its URLs stay queued, so nothing is lost
 *   thrice   the process does not even wait for that
 *
 * npm, npx and our own launcher pass on a Ctrl-C that the terminal has sent to everybody, so what
 * comes twice at once counts once. A signal that comes while the folder is still being opened counts as soon as it is open.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from './log.ts';
import type { StopSignal, World } from './world.ts';

/** No person presses twice this fast. */
const ECHO_MS = 50;

/** A crawl, or whatever else is finished or broken off. */
export interface Stoppable {
  drain(): void;
  abort(): void;
  progress(): { readonly openVisits: number };
}

export class Stopping {
  readonly #log: Log;
  readonly #clock: Clock;
  #heardAt = Number.NEGATIVE_INFINITY;
  readonly #unhook: () => void;
  readonly #first: string | undefined;
  #session: Stoppable | undefined;
  #count = 0;
  #signal: StopSignal | undefined;
  #force: (forced: 'forced') => void = () => {};
  #hearFirst: () => void = () => {};
  /** Resolves at the first signal. */
  readonly heard: Promise<void>;
  /** Resolves when the person will not wait any longer. */
  readonly forced: Promise<'forced'>;

  /** `first`: what is said at the first signal, where nothing is under way here. */
  constructor(world: World, log: Log, first?: string) {
    this.#log = log;
    this.#first = first;
    this.#clock = world.clock;
    this.forced = new Promise((resolve) => {
      this.#force = resolve;
    });
    this.heard = new Promise((resolve) => {
      this.#hearFirst = resolve;
    });
    this.#unhook = world.onSignal((signal) => this.#hear(signal));
  }

  /** The first signal that was heard. */
  get signal(): StopSignal | undefined {
    return this.#signal;
  }

  attach(session: Stoppable): void {
    this.#session = session;
    if (this.#count > 0) this.#apply(session);
  }

  release(): void {
    this.#unhook();
  }

  #hear(signal: StopSignal): void {
    const now = this.#clock.now();
    if (now - this.#heardAt < ECHO_MS) return;
    this.#heardAt = now;
    this.#count++;
    this.#signal ??= signal;
    this.#hearFirst();
    this.#say(signal);
    if (this.#session !== undefined) this.#apply(this.#session);
    if (this.#count > 2) this.#force('forced');
  }

  #apply(session: Stoppable): void {
    if (this.#count === 1) session.drain();
    else session.abort();
  }

  #say(signal: StopSignal): void {
    const open = this.#session?.progress().openVisits ?? 0;
    const message = [
      '',
      this.#first ??
        `Stopping: ${open === 1 ? '1 request' : `${open} requests`} under way will be finished` +
          ' and saved. Ctrl-C again stops at once; nothing is lost either way.',
      'Stopping at once: what was under way stays in the queue.',
      'Leaving without waiting: what was saved stays saved.',
    ][Math.min(this.#count, 3)] as string;
    this.#log.say('warn', 'stopping', message, { signal, times: this.#count });
  }
}
