/**
 * One page, from its document to what its scripts have made of it (J1):
 *
 *   context → document → loaded, nothing on its way → scroll while it grows → HTML (and a picture)
 *
 * Two clocks: the page's own, which stands still while it waits for an answer of ours, and one
 * for everything. A page that is at work when a clock runs out is taken as it stands; one that
 * does not even answer then has failed.
 */
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Clock } from '../../ports/clock.ts';
import type { RenderJob, RenderOutcome } from '../../ports/renderer.ts';
import { contextOptions, SILENCE } from './flags.ts';
import { Gate } from './gate.ts';
import { SCROLL, serialize } from './inside.ts';

/** Nothing on its way for this long: the page is done, for now. */
const QUIET_MS = 300;
const SCROLL_QUIET_MS = 150;
const LOOK_MS = 25;
/** For an answer from inside the page; one that loops for ever gives none. */
const INSIDE_MS = 5_000;
const CLOSE_MS = 3_000;
const OPEN_MS = 10_000;

/** It ended before its time: by itself, or with its browser. */
export class PageGone extends Error {}

export async function renderPage(
  browser: Browser,
  job: RenderJob,
  signal: AbortSignal,
  clock: Clock,
): Promise<RenderOutcome> {
  const started = clock.now();
  const over = new AbortController();
  const gate = new Gate(job, over.signal, clock);
  const gone = goneOf(browser, signal);
  let context: BrowserContext | undefined;
  try {
    const opened = Promise.race([browser.newContext(contextOptions(job)), gone.promise]);
    context = await within(OPEN_MS, opened, clock);
    const page = await Promise.race([openPage(context, gate, gone.reject), gone.promise]);
    const view = new View(page, gate, job, clock);
    return await Promise.race([view.render(), gone.promise]);
  } catch (error) {
    return failureOf(error, signal, clock.now() - started);
  } finally {
    over.abort();
    gone.forget();
    if (context !== undefined) await closing(context, browser, clock);
  }
}

async function openPage(
  context: BrowserContext,
  gate: Gate,
  gone: (why: string) => void,
): Promise<Page> {
  await context.addInitScript(SILENCE);
  await context.route(
    () => true,
    (route, request) => gate.pass(route, request),
  );
  await context.routeWebSocket(
    () => true,
    (socket) => void socket.close(),
  );
  const page = await context.newPage();
  gate.serves(page);
  context.on('page', (other) => void other.close().catch(() => undefined));
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  page.on('crash', () => gone('its process died, most likely out of memory'));
  return page;
}

class View {
  readonly #page: Page;
  readonly #gate: Gate;
  readonly #job: RenderJob;
  readonly #clock: Clock;
  readonly #started: number;
  #ownMs = 0;
  #isLoaded = false;
  #world: { readonly session: CDPSession; readonly contextId: number } | undefined;

  constructor(page: Page, gate: Gate, job: RenderJob, clock: Clock) {
    this.#page = page;
    this.#gate = gate;
    this.#job = job;
    this.#clock = clock;
    this.#started = clock.now();
    page.on('load', () => {
      this.#isLoaded = true;
    });
  }

  async render(): Promise<RenderOutcome> {
    const { limits, screenshot } = this.#job;
    await this.#page.goto(this.#job.url, { waitUntil: 'commit', timeout: limits.pageMs });
    let isCut = !(await this.#quiet(QUIET_MS));
    let before = '';
    for (let nth = 0; nth < limits.scrolls && !isCut; nth++) {
      const now = String(await this.#inside(SCROLL));
      if (now === before) break;
      before = now;
      isCut = !(await this.#quiet(SCROLL_QUIET_MS));
    }
    const found = (await this.#inside(serialize(limits.domBytes))) as Found;
    const ms = this.#clock.now() - this.#started;
    if (found.html === undefined) {
      const detail = `the page has grown to ${found.tooLarge}`;
      return { kind: 'failed', reason: 'too-large', detail, ms };
    }
    const { html, base = this.#job.url } = found;
    const picture = screenshot ? await this.#picture() : undefined;
    return {
      kind: 'rendered',
      html,
      base,
      screenshot: picture,
      isCut,
      requests: this.#gate.requests,
      ms,
    };
  }

  /** False when a clock ran out first. */
  async #quiet(quietMs: number): Promise<boolean> {
    const { pageMs, wholeMs } = this.#job.limits;
    let last = this.#clock.now();
    const from = last;
    for (;;) {
      await this.#clock.sleepUntil(last + LOOK_MS);
      const now = this.#clock.now();
      if (this.#gate.open === 0) this.#ownMs += now - last;
      last = now;
      const since = now - Math.max(from, this.#gate.lastAt);
      if (this.#isLoaded && this.#gate.open === 0 && since >= quietMs) return true;
      if (this.#ownMs >= pageMs || now - this.#started >= wholeMs) return false;
    }
  }

  async #picture(): Promise<Uint8Array | undefined> {
    return this.#page.screenshot({ timeout: INSIDE_MS }).catch(() => undefined);
  }

  async #inside(expression: string): Promise<unknown> {
    this.#world ??= await within(INSIDE_MS, worldOf(this.#page), this.#clock);
    const { session, contextId } = this.#world;
    const asked = session.send('Runtime.evaluate', { expression, contextId, returnByValue: true });
    return (await within(INSIDE_MS, asked, this.#clock)).result.value;
  }
}

interface Found {
  readonly html?: string;
  readonly base?: string;
  readonly tooLarge?: string;
}

async function worldOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const frameId = frameTree.frame.id;
  const made = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'orb' });
  return { session, contextId: made.executionContextId };
}

/** A promise that only ever rejects: when the browser dies, the page does, or nobody waits. */
function goneOf(browser: Browser, signal: AbortSignal) {
  let reject: (why: string) => void = () => undefined;
  const promise = new Promise<never>((_, fail) => {
    reject = (why) => fail(new PageGone(why));
  });
  promise.catch(() => undefined);
  const died = () => reject(BROWSER_DIED);
  const left = () => reject('nobody waits for it any more');
  browser.on('disconnected', died);
  signal.addEventListener('abort', left);
  if (!browser.isConnected()) died();
  if (signal.aborted) left();
  const forget = () => {
    browser.off('disconnected', died);
    signal.removeEventListener('abort', left);
  };
  return { promise, forget, reject: (why: string) => reject(why) };
}

export const BROWSER_DIED = 'the browser died';

class Late extends Error {}

async function within<T>(ms: number, work: Promise<T>, clock: Clock): Promise<T> {
  const ended = new AbortController();
  const late = clock.sleepUntil(clock.now() + ms, ended.signal).then(() => {
    throw new Late(`no answer in ${ms} ms`);
  });
  for (const one of [work, late]) one.catch(() => undefined);
  return Promise.race([work, late]).finally(() => ended.abort());
}

function failureOf(error: unknown, signal: AbortSignal, ms: number): RenderOutcome {
  const detail = (error as Error).message.split('\n')[0] ?? '';
  if (signal.aborted) return { kind: 'failed', reason: 'aborted', detail, ms };
  if (error instanceof PageGone) return { kind: 'failed', reason: 'crashed', detail, ms };
  const isLate = error instanceof Late || /Timeout/.test(detail);
  if (isLate) {
    return { kind: 'failed', reason: 'timeout', detail: 'its scripts did not come to an end', ms };
  }
  return { kind: 'failed', reason: 'crashed', detail, ms };
}

/** A context that cannot be closed takes its browser along: nothing may be left running. */
async function closing(context: BrowserContext, browser: Browser, clock: Clock): Promise<void> {
  if (!browser.isConnected()) return;
  const end = () => browser.close().catch(() => undefined);
  await within(CLOSE_MS, context.close(), clock).catch(end);
}
