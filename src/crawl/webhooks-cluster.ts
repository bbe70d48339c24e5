/**
 * Webhooks of a cluster (A5): each node tells of the pages of its own arcs, from where its
 * predecessor had come to.
 *
 *   arcs change ─▶ the reader ends ─▶ another one begins, at the bookmarks of the arcs that are ours now
 *
 * At least once: what was posted, and not noted when an arc went to another node, is posted again by
 * that one. Of an arc that was split, whoever has its first quarter tells of all of it.
 */
import { SECOND_MS } from '../base/instant.ts';
import type { Bookmarks } from '../ports/bookmarks.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventLog } from '../ports/event-log.ts';
import { ARCS, firstBytesOf } from '../url/index.ts';
import type { Arcs } from './arcs.ts';
import { type HookNews, type Webhook, type WebhookPorts, WebhookReader } from './webhooks.ts';

export interface ClusterHookPorts extends Pick<WebhookPorts, 'poster' | 'clock' | 'random'> {
  readonly arcs: Pick<Arcs, 'isMine'>;
  /** Log and bookmarks, as far as they are about these arcs. */
  readonly logOf: (arcs: ReadonlySet<number>) => {
    readonly events: Pick<EventLog, 'read'>;
    readonly bookmarks: Bookmarks;
  };
}

const LOOK_MS = SECOND_MS;

/** Until the signal aborts, or the server says that it is gone. */
export async function runClusterHook(
  hook: Webhook,
  ports: ClusterHookPorts,
  onNews: (news: HookNews) => void,
  signal: AbortSignal,
): Promise<void> {
  const { clock, poster, random, logOf } = ports;
  let isGone = false;
  const tell = (news: HookNews) => {
    isGone ||= news.kind === 'gone';
    onNews(news);
  };
  while (!signal.aborted && !isGone) {
    const ours = ownArcs(ports);
    if (ours.size > 0) {
      const others = untilOthers(ports, ours, signal);
      const reader = new WebhookReader(hook, { ...logOf(ours), poster, clock, random }, tell);
      // A broker that is away shows elsewhere, too; here it is only waited for.
      await reader.run(others.signal, others.signal).catch(() => undefined);
      others.stop();
      await others.ended;
    }
    if (!isGone) await clock.sleepUntil(clock.now() + LOOK_MS, signal);
  }
}

function ownArcs({ arcs }: ClusterHookPorts): ReadonlySet<number> {
  const all = Array.from({ length: ARCS }, (_, arc) => arc);
  return new Set(all.filter((arc) => arcs.isMine(Uint8Array.of(firstBytesOf(arc).from))));
}

/** Aborts when the arcs are others than these. */
function untilOthers(
  ports: ClusterHookPorts,
  ours: ReadonlySet<number>,
  signal: AbortSignal,
): { readonly signal: AbortSignal; readonly ended: Promise<void>; stop(): void } {
  const over = new AbortController();
  const clock: Clock = ports.clock;
  const stop = () => over.abort();
  signal.addEventListener('abort', stop, { once: true });
  const look = async () => {
    while (!over.signal.aborted) {
      await clock.sleepUntil(clock.now() + LOOK_MS, over.signal);
      const now = ownArcs(ports);
      if (now.size !== ours.size || [...now].some((arc) => !ours.has(arc))) stop();
    }
    signal.removeEventListener('abort', stop);
  };
  return { signal: over.signal, ended: look(), stop };
}
