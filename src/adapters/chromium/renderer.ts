/**
 * The renderer port over one Chromium: started at the first page, a context a page, replaced
 * after so many pages or when it has died. A page whose browser died under it is tried once more.
 */

import type { Clock } from '../../ports/clock.ts';
import type {
  FoundBrowser,
  Renderer,
  RendererStats,
  RenderJob,
  RenderOutcome,
} from '../../ports/renderer.ts';
import { Chromium } from './browser.ts';
import { findBrowser, type Places } from './find.ts';
import { BROWSER_DIED, renderPage } from './page.ts';

export interface ChromiumOptions extends Places {
  readonly clock: Clock;
  /** Pages at a time. */
  readonly pages: number;
  /** Pages after which a browser is replaced. */
  readonly pagesPerBrowser: number;
  /** Of one page's process. */
  readonly memoryMax: number;
}

export function openChromium(options: ChromiumOptions): Renderer {
  return new ChromiumRenderer(options);
}

class ChromiumRenderer implements Renderer {
  readonly #options: ChromiumOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #retired = new Set<Chromium>();
  readonly #closing = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #current: Promise<Chromium> | undefined;
  #open = 0;
  #starts = 0;
  #deaths = 0;

  constructor(options: ChromiumOptions) {
    this.#options = options;
  }

  find(): Promise<FoundBrowser> {
    return findBrowser(this.#options);
  }

  stats(): RendererStats {
    return { open: this.#open, starts: this.#starts, deaths: this.#deaths };
  }

  async render(job: RenderJob, signal?: AbortSignal): Promise<RenderOutcome> {
    const both =
      signal === undefined ? this.#ended.signal : AbortSignal.any([signal, this.#ended.signal]);
    await this.#room();
    try {
      const first = await this.#try(job, both);
      const isUnlucky = first.kind === 'failed' && first.detail === BROWSER_DIED;
      return isUnlucky && !both.aborted ? await this.#try(job, both) : first;
    } finally {
      this.#open--;
      this.#waiting.shift()?.();
    }
  }

  async close(): Promise<void> {
    this.#ended.abort();
    const last = await this.#current?.catch(() => undefined);
    await Promise.all([last, ...this.#retired].map((chromium) => chromium?.close()));
    await Promise.all(this.#closing);
  }

  async #room(): Promise<void> {
    while (this.#open >= this.#options.pages) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open++;
  }

  async #try(job: RenderJob, signal: AbortSignal): Promise<RenderOutcome> {
    if (signal.aborted) return { kind: 'failed', reason: 'aborted', detail: 'stopped', ms: 0 };
    let chromium: Chromium;
    try {
      chromium = await this.#enter();
    } catch (error) {
      const detail = (error as Error).message.split('\n')[0] ?? '';
      return { kind: 'failed', reason: 'no-browser', detail, ms: 0 };
    }
    try {
      return await renderPage(chromium.browser, job, signal, this.#options.clock);
    } finally {
      chromium.open--;
      this.#endIfLeft(chromium);
    }
  }

  /** The browser for the next page; a new one after so many pages, or when the last has died. */
  async #enter(): Promise<Chromium> {
    for (;;) {
      this.#current ??= this.#start();
      const mine = this.#current;
      const chromium = await mine;
      if (chromium.isAlive && chromium.pages < this.#options.pagesPerBrowser) {
        chromium.pages++;
        chromium.open++;
        return chromium;
      }
      if (this.#current !== mine) continue;
      this.#current = undefined;
      if (!chromium.isAlive) this.#deaths++;
      this.#retired.add(chromium);
      this.#endIfLeft(chromium);
    }
  }

  #start(): Promise<Chromium> {
    const { memoryMax, clock } = this.#options;
    const starting = Chromium.start(this.#options, memoryMax, clock);
    starting.then(
      () => this.#starts++,
      () => {
        if (this.#current === starting) this.#current = undefined;
      },
    );
    return starting;
  }

  /** A browser that is to be replaced goes when its last page has. */
  #endIfLeft(chromium: Chromium): void {
    if (chromium.open > 0 || !this.#retired.delete(chromium)) return;
    const closing = chromium.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}
