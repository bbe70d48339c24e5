/**
 * Rendering (J1, J2): pages that show little without their scripts wait here for a browser, the
 * best first, and are settled when it has been with them.
 *
 *   visit.ts ── wants? ──→ defer ──→ queue ── room, share ──→ ../ports/renderer ──→ digest ──→ settle
 *                            │                                      │ asks
 *                            └ full: settled as it is               └→ render-asks.ts
 *
 * The page's lease is detached: its host is free meanwhile, and its URL waits in the store, so
 * that a crash brings it back. While other pages wait, renders take no more than their share of
 * the crawl; when nothing else is to be done, they take all of it.
 */
import { Heap, type HeapItem } from '../base/heap.ts';
import { type Digest, needsScripts } from '../content/index.ts';
import { type Answered, mediaTypeOf } from '../fetch/index.ts';
import type { Fate, PageLease } from '../frontier/index.ts';
import type { Renderer, RenderFailure, RenderLimits, RenderOutcome } from '../ports/renderer.ts';
import type { UrlRecord } from '../record/index.ts';
import type { Walk } from './context.ts';
import { RenderAsks } from './render-asks.ts';
import type { Sent } from './visit.ts';

export interface RenderRules {
  readonly when: 'auto' | 'always';
  /** Of all pages, as long as others wait. */
  readonly share: number;
  readonly pagesAtOnce: number;
  readonly screenshot: boolean;
  readonly limits: RenderLimits;
}

export interface RenderCounts {
  readonly waiting: number;
  readonly open: number;
  readonly rendered: number;
  /** To be rendered, and kept as they were sent. */
  readonly failed: number;
}

/** A page that was fetched, as far as it got before it had to wait. */
export interface Deferred {
  readonly lease: PageLease;
  readonly outcome: Answered;
  readonly fate: Fate;
  /** Of the page as it was sent. */
  readonly digest: Digest;
  readonly before: UrlRecord | undefined;
  readonly sent: Sent;
}

interface Task extends Deferred, HeapItem {}

/** Ends a page's visit, with what the browser made of it. */
export type Finish = (page: Deferred, outcome: RenderOutcome, walk: Walk) => Promise<void>;

export interface RenderHooks {
  readonly finish: Finish;
  /** There is something to take, or room again. */
  readonly wake: () => void;
  /** Told once: there is no browser, and what to do about it. */
  readonly onMissing: (problem: string, fix: string) => void;
  /** What cannot go on, with the page that it was about. */
  readonly onFailure: (error: unknown, lease: PageLease) => void;
}

const QUEUE_MAX = 10_000;
const QUEUE_BYTES_MAX = 64 << 20;

export class Renders {
  readonly asks: RenderAsks;
  readonly #renderer: Renderer;
  readonly #rules: RenderRules;
  readonly #hooks: RenderHooks;
  readonly #queue = new Heap<Task>();
  readonly #stopped = new AbortController();
  #queuedBytes = 0;
  #open = 0;
  #isMissing: boolean | undefined;
  #isTold = false;
  /** Since the start. */
  rendered = 0;
  ms = 0;
  readonly failures: Partial<Record<RenderFailure | 'queue-full', number>> = {};

  constructor(renderer: Renderer, rules: RenderRules, hooks: RenderHooks) {
    this.#renderer = renderer;
    this.#rules = rules;
    this.#hooks = hooks;
    this.asks = new RenderAsks(hooks.wake);
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get open(): number {
    return this.#open;
  }

  /** Nothing waits, and no browser is at work. */
  get isIdle(): boolean {
    return this.#open === 0 && this.#queue.size === 0;
  }

  /** Of this run. */
  counts(): RenderCounts {
    const failed = Object.values(this.failures).reduce((sum, one) => sum + one, 0);
    return { waiting: this.waiting, open: this.#open, rendered: this.rendered, failed };
  }

  stats() {
    return this.#renderer.stats();
  }

  wants(lease: PageLease, outcome: Answered, digest: Digest): boolean {
    if (lease.waiting.kind !== 'page' || digest.bodyBytes === 0) return false;
    if (outcome.truncated !== undefined || this.#stopped.signal.aborted) return false;
    const contentType = mediaTypeOf(outcome.headers['content-type']);
    if (this.#rules.when === 'always')
      return /^(?:text\/html|application\/xhtml)/.test(contentType);
    const { body, words, named: links } = digest;
    return needsScripts({ body, contentType, words, links });
  }

  /** The page waits for a browser from here on; its host is free for others. */
  async defer(page: Deferred, walk: Walk): Promise<void> {
    if (await this.#lacksBrowser()) {
      return this.#finish(page, failed('no-browser', 'there is no Chromium'), walk);
    }
    const bytes = page.digest.body.length;
    if (this.#queue.size >= QUEUE_MAX || this.#queuedBytes + bytes > QUEUE_BYTES_MAX) {
      count(this.failures, 'queue-full');
      return this.#hooks.finish(
        page,
        failed('aborted', 'too many pages wait to be rendered'),
        walk,
      );
    }
    this.#queuedBytes += bytes;
    this.#queue.push({ ...page, heapAt: -1 }, page.lease.waiting.rank);
    this.#hooks.wake();
  }

  /** Lets pages into the browser, as far as there is room and their share allows. */
  pump(walk: Walk, isFree: boolean): void {
    while (!this.#stopped.signal.aborted && this.#open < this.#rules.pagesAtOnce) {
      if (!isFree && this.#rules.when !== 'always' && !this.#hasShare(walk)) return;
      const task = this.#queue.pop();
      if (task === undefined) return;
      this.#queuedBytes -= task.digest.body.length;
      this.#open++;
      this.#render(task, walk)
        .catch((error: unknown) => this.#hooks.onFailure(error, task.lease))
        .finally(() => {
          this.#open--;
          if (this.#open === 0) this.asks.rest();
          this.#hooks.wake();
        });
    }
  }

  /** What is in the browser is broken off; all that waits stays queued in the store. */
  stop(): void {
    this.#stopped.abort();
    this.asks.rest();
    while (this.#queue.pop() !== undefined);
    this.#queuedBytes = 0;
  }

  #hasShare({ settling }: Walk): boolean {
    return this.rendered + this.#open < this.#rules.share * settling.totals.asked;
  }

  async #render(page: Task, walk: Walk): Promise<void> {
    const { outcome, digest, lease } = page;
    const { limits, screenshot } = this.#rules;
    const job = {
      ...{ url: lease.url, status: outcome.status, headers: outcome.headers, body: digest.body },
      userAgent: walk.rules.headersOf(lease.url)['user-agent'] ?? '',
      ...{ limits, screenshot },
      ask: (wish: Parameters<RenderAsks['ask']>[0]) => this.asks.ask(wish, walk),
    };
    const made = await this.#renderer.render(job, this.#stopped.signal);
    if (this.#stopped.signal.aborted) return;
    return this.#finish(page, made, walk);
  }

  #finish(page: Deferred, made: RenderOutcome, walk: Walk): Promise<void> {
    this.ms += made.ms;
    if (made.kind === 'rendered') this.rendered++;
    else count(this.failures, made.reason);
    return this.#hooks.finish(page, made, walk);
  }

  async #lacksBrowser(): Promise<boolean> {
    if (this.#isMissing !== undefined) return this.#isMissing;
    const found = await this.#renderer.find();
    const isMissing = found.kind === 'missing';
    if (isMissing && !this.#isTold) this.#hooks.onMissing(found.problem, found.fix);
    if (isMissing) this.#isTold = true;
    if (found.isForNow !== true) this.#isMissing = isMissing;
    return isMissing;
  }
}

function failed(reason: RenderFailure, detail: string): RenderOutcome {
  return { kind: 'failed', reason, detail, ms: 0 };
}

function count(counts: Partial<Record<string, number>>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
