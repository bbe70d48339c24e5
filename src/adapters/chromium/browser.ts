/**
 * One browser process: started with a pipe for its commands, so that it ends when this process
 * does, however that ends; watched, so that a page that eats memory is ended alone.
 */
import type { Browser, CDPSession } from 'playwright-core';
import type { Clock } from '../../ports/clock.ts';
import { type Driven, findDriven, type Places } from './find.ts';
import { FLAGS } from './flags.ts';
import { residentBytes } from './memory.ts';

const WATCH_MS = 250;
const START_MS = 20_000;

export class Chromium {
  readonly browser: Browser;
  readonly #session: CDPSession;
  readonly #memoryMax: number;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  /** Pages so far, and pages in it now. */
  pages = 0;
  open = 0;

  private constructor(browser: Browser, session: CDPSession, memoryMax: number, clock: Clock) {
    this.browser = browser;
    this.#session = session;
    this.#memoryMax = memoryMax;
    this.#clock = clock;
    browser.on('disconnected', () => this.#ended.abort());
    void this.#watch().catch(() => undefined);
  }

  static async start(places: Places, memoryMax: number, clock: Clock): Promise<Chromium> {
    const browser = await launch(await findDriven(places));
    return new Chromium(browser, await browser.newBrowserCDPSession(), memoryMax, clock);
  }

  get isAlive(): boolean {
    return this.browser.isConnected();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.browser.close().catch(() => undefined);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      if (this.open > 0) await this.#look();
      await this.#clock.sleepUntil(this.#clock.now() + WATCH_MS, signal);
    }
  }

  /** Ends the processes of pages that take more than their share; the page says that it crashed. */
  async #look(): Promise<void> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    for (const { type, id } of processInfo) {
      if (type !== 'renderer' || (await residentBytes(id)) <= this.#memoryMax) continue;
      process.kill(id, 'SIGKILL');
    }
  }
}

/** In its sandbox where the system lets it; some containers do not. */
async function launch({ driver, executablePath }: Driven): Promise<Browser> {
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const options = { executablePath, args: [...FLAGS], timeout: START_MS, ...signals };
  try {
    return await driver.launch({ ...options, chromiumSandbox: true });
  } catch {
    return driver.launch({ ...options, chromiumSandbox: false });
  }
}
