/**
 * Tells a server of yours about every fetched page (A5): follows the event log from where it was
 * left, posts what came since in signed batches, and moves its bookmark when a batch was taken.
 *
 *   log ─ after the bookmark ─▶ batch ─ hooks/ ─▶ POST ─▶ delivered: bookmark · later: wait, again
 *
 * The log is the queue: a server that never answers costs the memory of one batch, and nothing
 * is lost. At least once: a kill between the answer and the bookmark sends a batch again, with
 * the id that it had.
 */
import { ERASED_URL } from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import {
  type HookMessage,
  messageOf,
  patienceAfter,
  signedFields,
  verdictOn,
} from '../hooks/index.ts';
import type { Bookmarks } from '../ports/bookmarks.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventCursor, EventLog } from '../ports/event-log.ts';
import type { Poster } from '../ports/poster.ts';
import type { Random } from '../ports/random.ts';

export interface WebhookPorts {
  readonly events: Pick<EventLog, 'read'>;
  readonly bookmarks: Bookmarks;
  readonly poster: Poster;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Webhook {
  readonly url: string;
  readonly secret: string;
  readonly userAgent: string;
}

/** What a person should hear of. */
export type HookNews =
  | { readonly kind: 'waiting'; readonly detail: string; readonly ms: number }
  | { readonly kind: 'gone' };

const EVENTS_PER_MESSAGE = 100;
const LOOK_MS = 1_000;
const WHOLE_MS = 15_000;

export class WebhookReader {
  readonly #hook: Webhook;
  readonly #ports: WebhookPorts;
  readonly #onNews: (news: HookNews) => void;
  #cursor: EventCursor | undefined;
  #fails = 0;
  /** The last try had no answer at all: whoever ends does not wait for the next. */
  #isDeaf = false;

  constructor(hook: Webhook, ports: WebhookPorts, onNews: (news: HookNews) => void) {
    this.#hook = hook;
    this.#ports = ports;
    this.#onNews = onNews;
  }

  /**
   * Until the signal aborts, or the server says that it is gone; once `ending` has aborted, until
   * there is nothing new, or nobody there.
   */
  async run(signal: AbortSignal, ending: AbortSignal): Promise<void> {
    const { bookmarks, clock } = this.#ports;
    this.#cursor = await bookmarks.get(this.#hook.url);
    while (!signal.aborted && !(ending.aborted && this.#isDeaf)) {
      const isLast = ending.aborted;
      const state = await this.deliver(signal, ending);
      if (state === 'gone' || (state === 'idle' && isLast)) return;
      if (state === 'idle') await clock.sleepUntil(clock.now() + LOOK_MS, ending);
    }
  }

  /** The next batch. Idle: there is nothing new. */
  async deliver(
    signal?: AbortSignal,
    ending?: AbortSignal,
  ): Promise<'delivered' | 'idle' | 'waited' | 'gone'> {
    const { events, cursor } = await this.#batch();
    if (cursor === undefined) return 'idle';
    if (events.length > 0) {
      const state = await this.#post(messageOf(events, this.#ports.clock.now()), signal, ending);
      if (state !== 'delivered') return state;
    }
    this.#cursor = cursor;
    await this.#ports.bookmarks.set(this.#hook.url, cursor);
    return 'delivered';
  }

  /** Events of pages, and the place behind all that was read. */
  async #batch(): Promise<{ events: FetchEvent[]; cursor: EventCursor | undefined }> {
    const events: FetchEvent[] = [];
    let cursor: EventCursor | undefined;
    for await (const logged of this.#ports.events.read(this.#cursor)) {
      cursor = logged.cursor;
      const { kind, url } = logged.event;
      if (kind === 'page' && url !== ERASED_URL) events.push(logged.event);
      if (events.length === EVENTS_PER_MESSAGE) break;
    }
    return { events, cursor };
  }

  async #post(
    message: HookMessage,
    signal?: AbortSignal,
    ending?: AbortSignal,
  ): Promise<'delivered' | 'waited' | 'gone'> {
    const { poster, clock, random } = this.#ports;
    const { url, secret, userAgent } = this.#hook;
    const headers = {
      ...{ 'content-type': 'application/json', 'user-agent': userAgent },
      ...signedFields(message, secret, clock.now()),
    };
    const end = await poster.post({ url, headers, body: message.body, wholeMs: WHOLE_MS }, signal);
    const verdict = verdictOn(end);
    this.#isDeaf = end.kind === 'failed';
    if (verdict === 'delivered') {
      this.#fails = 0;
      return verdict;
    }
    if (verdict === 'never') {
      this.#onNews({ kind: 'gone' });
      return 'gone';
    }
    if (signal?.aborted) return 'waited';
    const ms = patienceAfter(end, ++this.#fails, clock.now(), random.next());
    const detail = end.kind === 'failed' ? end.detail : `status ${end.status}`;
    this.#onNews({ kind: 'waiting', detail, ms });
    await clock.sleepUntil(clock.now() + ms, this.#isDeaf ? ending : signal);
    return 'waited';
  }
}
