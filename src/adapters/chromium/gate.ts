/**
 * The gate: everything that a page asks for passes here, and nowhere else.
 *
 *   its own document        the body that was fetched, once     a navigation, a popup   refused
 *   images, fonts, media    refused                             anything but a GET      refused
 *   scripts, data, frames   `ask`: robots, turns, addresses     stylesheets             empty, unless
 *                                                                a picture is to be taken
 */
import type { Page, Request, Route } from 'playwright-core';
import type { Clock } from '../../ports/clock.ts';
import type { RenderJob, WishAnswer, WishKind } from '../../ports/renderer.ts';

const UNWANTED = new Set([
  'image',
  'font',
  'media',
  'texttrack',
  'ping',
  'cspviolationreport',
  'prefetch',
  'eventsource',
  'manifest',
]);
const KINDS: Readonly<Record<string, WishKind>> = {
  script: 'script',
  stylesheet: 'stylesheet',
  document: 'frame',
};
/** Of the document's own fields: what changes how it is read, and nothing that acts. */
const KEPT = ['content-type', 'content-language', 'content-security-policy'];
/** Of an answer's fields: those that the body as it is now would belie. */
const DROPPED = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'set-cookie',
  'alt-svc',
  'strict-transport-security',
  'link',
  'refresh',
]);

export class Gate {
  readonly #job: RenderJob;
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  #page: Page | undefined;
  #isServed = false;
  #bytes = 0;
  requests = 0;
  /** Wishes on their way; the page's own time stands still meanwhile. */
  open = 0;
  /** When the last answer was given. */
  lastAt: number;

  constructor(job: RenderJob, signal: AbortSignal, clock: Clock) {
    this.#job = job;
    this.#signal = signal;
    this.#clock = clock;
    this.lastAt = clock.now();
  }

  serves(page: Page): void {
    this.#page = page;
  }

  /** Never rejects: a page that is gone in the meantime needs no answer. */
  async pass(route: Route, request: Request): Promise<void> {
    try {
      await this.#pass(route, request);
    } catch {
      await route.abort().catch(() => undefined);
    }
  }

  async #pass(route: Route, request: Request): Promise<void> {
    if (request.isNavigationRequest() && this.#isOfPage(request)) {
      if (this.#isServed) return route.abort('aborted');
      this.#isServed = true;
      return route.fulfill(documentOf(this.#job));
    }
    const type = request.resourceType();
    const isPlain = request.method() === 'GET' && /^https?:/i.test(request.url());
    if (UNWANTED.has(type) || !isPlain || isAhead(request) || this.#isStray(request)) {
      return route.abort('blockedbyclient');
    }
    if (type === 'stylesheet' && !this.#job.screenshot) return route.fulfill(NO_STYLE);
    const { limits } = this.#job;
    if (this.requests >= limits.requests || this.#bytes >= limits.bytes) {
      return route.abort('blockedbyclient');
    }
    const answer = await this.#ask(request.url(), KINDS[type] ?? 'data');
    if (answer.kind === 'refused') return route.abort('blockedbyclient');
    const { status, headers, body } = answer;
    return route.fulfill({ status, headers: fieldsOf(headers), body: Buffer.from(body) });
  }

  async #ask(url: string, kind: WishKind): Promise<WishAnswer> {
    this.requests++;
    this.open++;
    try {
      const answer = await this.#job.ask({ url, kind, signal: this.#signal });
      if (answer.kind === 'answered') this.#bytes += answer.body.length;
      return answer;
    } finally {
      this.open--;
      this.lastAt = this.#clock.now();
    }
  }

  #isOfPage(request: Request): boolean {
    return request.frame() === this.#page?.mainFrame();
  }

  /** Of a window that the page has opened. A worker has no frame, and is the page's own. */
  #isStray(request: Request): boolean {
    try {
      return request.frame().page() !== this.#page;
    } catch {
      return request.isNavigationRequest();
    }
  }
}

/** For a page that somebody may want next. */
function isAhead(request: Request): boolean {
  const headers = request.headers();
  return /prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`);
}

const NO_STYLE = { status: 200, contentType: 'text/css', body: '' } as const;

function documentOf({ status, headers, body }: RenderJob) {
  const kept = KEPT.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return { status, headers: Object.fromEntries(kept), body: Buffer.from(body) };
}

function fieldsOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !DROPPED.has(name)));
}
