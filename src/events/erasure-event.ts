/**
 * That a page was erased (G2), told in a topic that cannot forget: readers who kept something of
 * the URL let go of it. No request was made for it; it has the form of all messages there.
 */
import type { FetchEvent } from './fetch-event.ts';

export interface ErasedPage {
  readonly url: string;
  readonly host: string;
  readonly urlHash: string;
  readonly at: number;
}

export function erasureEvent({ url, host, urlHash, at }: ErasedPage): FetchEvent {
  const times = { startedAt: at, answeredAt: at, endedAt: at, delayMs: 0 };
  const nothing = { address: '', status: 0, bytes: 0 };
  return {
    v: 1,
    id: `erasure-${urlHash}`,
    kind: 'erased',
    url,
    host,
    urlHash,
    ...times,
    ...nothing,
  };
}
