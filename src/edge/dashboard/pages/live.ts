/**
 * How the crawl goes, second by second, for whichever page is open: over `/events`, and by
 * asking `/crawl/stats` where no stream can be had. Goes on while other pages are looked at, so
 * that the curve has no gap in it.
 */
import type { Page, Progress, Stats } from './api-types.ts';
import { type ApiProblem, ask, call, problemFrom } from './ask.ts';
import { sleep } from './browser.ts';
import { EventReader, type StreamEvent } from './event-stream.ts';
import { added, type Sample } from './samples.ts';

export type LinkState = 'connecting' | 'live' | 'polling' | 'refused' | 'lost';

export interface Live {
  readonly link: LinkState;
  readonly progress?: Progress;
  readonly samples: readonly Sample[];
  /** The last pages of which we heard, newest first. */
  readonly latest: readonly Page[];
  readonly problem?: ApiProblem;
}

const LATEST_MAX = 12;
const POLL_MS = 2_000;

export class LiveFeed {
  #now: Live = { link: 'connecting', samples: [], latest: [] };
  #stop = new AbortController();
  readonly #hearers = new Set<(live: Live) => void>();

  get current(): Live {
    return this.#now;
  }

  hear(hearer: (live: Live) => void): () => void {
    this.#hearers.add(hearer);
    return () => this.#hearers.delete(hearer);
  }

  /** Anew, when the token has changed. */
  restart(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#set({ link: 'connecting' });
    void this.start();
  }

  async start(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isRefused = await this.#listen(signal);
      if (isRefused || signal.aborted) return;
      await this.#poll(signal);
      await sleep(POLL_MS, signal);
    }
  }

  /** Until the stream ends; true when it is no use to try again with this token. */
  async #listen(signal: AbortSignal): Promise<boolean> {
    try {
      const { body } = await call('/events', { signal });
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const [decoder, events] = [new TextDecoder(), new EventReader()];
      for (;;) {
        const { done, value } = await reader.read();
        if (done || signal.aborted) return false;
        for (const event of events.read(decoder.decode(value, { stream: true }))) this.#take(event);
      }
    } catch (error) {
      const problem = problemFrom(error);
      const isRefused = problem.status === 401 || problem.status === 403;
      if (isRefused && !signal.aborted) this.#set({ link: 'refused', problem });
      return isRefused;
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    try {
      const { run } = await ask<Stats>('/crawl/stats', signal);
      this.#progress(run, 'polling');
    } catch (error) {
      if (!signal.aborted) this.#set({ link: 'lost', problem: problemFrom(error) });
    }
  }

  #take({ event, data }: StreamEvent): void {
    if (event === 'progress') this.#progress(JSON.parse(data) as Progress, 'live');
    if (event !== 'page') return;
    const latest = [JSON.parse(data) as Page, ...this.#now.latest].slice(0, LATEST_MAX);
    this.#set({ latest });
  }

  #progress(progress: Progress, link: LinkState): void {
    this.#set({ link, progress, samples: added(this.#now.samples, progress) });
  }

  #set(change: Partial<Live>): void {
    this.#now = { ...this.#now, ...change };
    for (const hearer of this.#hearers) hearer(this.#now);
  }
}
