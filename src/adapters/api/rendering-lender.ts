/**
 * Pages to be rendered, what they ask for, and what became of them, in the words of `/render/…`
 * (K3, J2). What a page asks for is asked of the node that lent it, and of nobody else.
 */
import { type Frame, type FrameParts, readFrames } from '../../base/frames.ts';
import {
  RENDERING_VERSION,
  type RenderOutcome,
  type RenderTask,
  type Wish,
  type WishAnswer,
} from '../../ports/renderer.ts';
import type { WorkLender } from '../../ports/work-lender.ts';
import { openWorkLender, post, type WorkPlace } from './work-lender.ts';

export interface RenderingLender extends WorkLender<RenderTask, RenderOutcome> {
  ask(id: string, wish: Wish): Promise<WishAnswer>;
}

export function openRenderingLender(place: WorkPlace): RenderingLender {
  const words = { path: 'render', version: RENDERING_VERSION, more: {} };
  const lender = openWorkLender(place, { ...words, jobOf: taskIn, partsOf: outcomeParts });
  return { ...lender, ask: (id, wish) => ask(place, id, wish) };
}

/** Whatever goes wrong with it, it is refused: the page goes on without. */
async function ask(place: WorkPlace, lease: string, wish: Wish): Promise<WishAnswer> {
  const { url, kind, signal } = wish;
  const asked = JSON.stringify({ worker: place.worker, lease, url, kind });
  try {
    const bytes = await post(place, 'render/ask', 'application/json', asked, signal);
    const frames = readFrames(bytes, 1);
    const [frame] = typeof frames === 'string' ? [] : frames;
    const head = frame?.head as AnswerHead | undefined;
    if (frame === undefined || head === undefined) return refused('no answer');
    if (head.kind === 'refused') return refused(head.reason);
    return { kind: 'answered', status: head.status, headers: head.headers, body: frame.body };
  } catch (error) {
    return refused((error as Error).message);
  }
}

type AnswerHead =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    };

function refused(reason: string): WishAnswer {
  return { kind: 'refused', reason };
}

interface TaskHead {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly user_agent: string;
  readonly screenshot: boolean;
  readonly limits: Readonly<
    Record<'page_ms' | 'whole_ms' | 'requests' | 'bytes' | 'dom_bytes' | 'scrolls', number>
  >;
}

function taskIn({ head, body }: Frame): RenderTask {
  const { url, status, headers, user_agent: userAgent, screenshot, limits } = head as TaskHead;
  const { page_ms: pageMs, whole_ms: wholeMs, dom_bytes: domBytes, ...rest } = limits;
  return {
    ...{ url, status, headers, body, userAgent, screenshot },
    limits: { pageMs, wholeMs, domBytes, ...rest },
  };
}

function outcomeParts(made: RenderOutcome): FrameParts {
  if (made.kind === 'failed') return { head: made, parts: [] };
  const { kind, html, base, screenshot, isCut: is_cut, requests, ms } = made;
  const parts = [Buffer.from(html), ...(screenshot ? [screenshot] : [])];
  const html_bytes = parts[0]?.length ?? 0;
  return { head: { kind, base, is_cut, requests, ms, html_bytes }, parts };
}
