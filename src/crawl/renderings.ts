/**
 * Pages that browsers elsewhere render (K3, J2): to the crawl it is the `Renderer`, as any other;
 * to a renderer it is the desk at which it leases pages, asks for what they need, and hands in
 * what became of them.
 *
 *   render.ts ─ render(job) ─▶ outwork.ts ─▶ lease ─▶ a browser elsewhere ─▶ bring ─▶ settled
 *                  └── job.ask ◀───────── ask ────────────┘
 *
 * The browser connects to nobody, here as there. Whatever its page asks for comes back to the
 * owner of the page and goes through `job.ask`: turns, robots, denials and address checks are kept
 * by the same lines as for a browser of its own (P1–P5, Y1). As long as no renderer is there, pages
 * are kept as they were sent.
 */
import { SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type {
  FoundBrowser,
  Renderer,
  RendererStats,
  RenderJob,
  RenderOutcome,
  WishAnswer,
  WishKind,
} from '../ports/renderer.ts';
import { Outwork } from './outwork.ts';

/** A renderer that was not heard of for so long is not waited for. */
const PATIENCE_MS = 30 * SECOND_MS;

export class Renderings implements Renderer {
  readonly work: Outwork<RenderJob, RenderOutcome>;
  readonly #asked = new WeakMap<AbortSignal, number>();

  constructor(ports: { readonly clock: Clock; readonly random: Random }) {
    this.work = new Outwork(ports, {
      ...{ bytesOf: ({ body }) => body.length, patienceMs: PATIENCE_MS },
      givenUp: (_, renderers) =>
        renderers === 0
          ? failed('no-browser', NOBODY)
          : failed('crashed', `${renderers} renderers took it, and none brought it back`),
    });
  }

  async find(): Promise<FoundBrowser> {
    const isForNow = true;
    if (this.work.wasHeard(PATIENCE_MS)) return { kind: 'found', what: 'elsewhere', isForNow };
    const fix = 'Start one: orb serve --roles render --frontier http://THIS-NODE:7070';
    return { kind: 'missing', problem: NOBODY, fix, isForNow };
  }

  render(job: RenderJob, signal?: AbortSignal): Promise<RenderOutcome> {
    return new Promise((resolve) => {
      const end = (outcome: RenderOutcome) => {
        signal?.removeEventListener('abort', breakOff);
        resolve(outcome);
      };
      const breakOff = () => {
        this.work.withdraw(job);
        end(failed('aborted', 'the crawl ended first'));
      };
      if (signal?.aborted) return breakOff();
      signal?.addEventListener('abort', breakOff);
      this.work.do(job).then(end, breakOff);
    });
  }

  /** Undefined when the page is not that renderer's, or not any more. */
  ask(renderer: string, id: string, url: string, kind: WishKind): Promise<WishAnswer> | undefined {
    const piece = this.work.leased(renderer, id);
    if (piece === undefined) return undefined;
    const { job, signal } = piece;
    const asked = (this.#asked.get(signal) ?? 0) + 1;
    this.#asked.set(signal, asked);
    if (asked > job.limits.requests) return Promise.resolve(refused('too many requests'));
    if (!URL.canParse(url)) return Promise.resolve(refused('no address'));
    return job.ask({ url, kind, signal });
  }

  bring(renderer: string, id: string, outcome: RenderOutcome): 'taken' | 'lost' {
    return this.work.bring(renderer, id, outcome);
  }

  /** A renderer that is missed is one that died. */
  stats(): RendererStats {
    return { open: this.work.out, starts: 0, deaths: this.work.returned };
  }

  async close(): Promise<void> {
    this.work.stop(new Error('closed'));
  }
}

const NOBODY = 'no renderer asks for pages';

function failed(reason: 'no-browser' | 'crashed' | 'aborted', detail: string): RenderOutcome {
  return { kind: 'failed', reason, detail, ms: 0 };
}

function refused(reason: string): WishAnswer {
  return { kind: 'refused', reason };
}
