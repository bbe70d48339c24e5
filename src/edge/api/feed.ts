/**
 * What happens, told to everybody who listens (A5): progress once a second, and some of the
 * pages of that second. One loop for all of them, which rests while nobody listens.
 */
import { SECOND_MS } from '../../base/instant.ts';
import type { PageAnswer } from '../../crawl/answers.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WebSink } from '../../ports/web-server.ts';
import { pageView } from './page-view.ts';

export const STREAMS_MAX = 64;
const PAGES_PER_TICK = 10;

export class Feed {
  readonly #clock: Clock;
  readonly #progress: () => object;
  readonly #sinks = new Set<WebSink>();
  #pages: PageAnswer[] = [];
  #seen = 0;
  #id = 0;
  #rest: AbortController | undefined;

  constructor(clock: Clock, progress: () => object) {
    this.#clock = clock;
    this.#progress = progress;
  }

  get isFull(): boolean {
    return this.#sinks.size >= STREAMS_MAX;
  }

  get listeners(): number {
    return this.#sinks.size;
  }

  /** Answers with what to do when the listener has gone. */
  join(sink: WebSink): () => void {
    this.#sinks.add(sink);
    sink.write('retry: 3000\n\n');
    this.#tell(sink, 'progress', this.#progress());
    if (this.#rest === undefined) void this.#run();
    return () => this.#leave(sink);
  }

  /** Some pages of each second, whichever they are: a fast crawl has thousands. */
  notePage(page: PageAnswer): void {
    if (this.#sinks.size === 0) return;
    if (this.#pages.length < PAGES_PER_TICK) this.#pages.push(page);
    else this.#pages[this.#seen % PAGES_PER_TICK] = page;
    this.#seen++;
  }

  close(): void {
    for (const sink of [...this.#sinks]) {
      sink.end();
      this.#leave(sink);
    }
  }

  #leave(sink: WebSink): void {
    this.#sinks.delete(sink);
    if (this.#sinks.size === 0) this.#rest?.abort();
  }

  async #run(): Promise<void> {
    const rest = new AbortController();
    this.#rest = rest;
    for (;;) {
      await this.#clock.sleepUntil(this.#clock.now() + SECOND_MS, rest.signal);
      if (rest.signal.aborted) break;
      this.#tick();
    }
    this.#pages = [];
    this.#rest = undefined;
    if (this.#sinks.size > 0) void this.#run();
  }

  #tick(): void {
    const pages = this.#pages.map(pageView);
    this.#pages = [];
    const progress = this.#progress();
    for (const sink of [...this.#sinks]) {
      this.#tell(sink, 'progress', progress);
      for (const page of pages) this.#tell(sink, 'page', page);
    }
  }

  /** JSON has no line ends in it, so no crawled text can begin an event of its own (Y3). */
  #tell(sink: WebSink, event: string, value: object): void {
    const text = `id: ${++this.#id}\nevent: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
    if (!sink.write(text)) this.#leave(sink);
  }
}
