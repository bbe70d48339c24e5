/**
 * The `RemoteCrawl` port over the API of a node: POST /crawl/seeds and GET /jobs/ID, with the names
 * of docs/api.md.
 */
import { CrawlError } from '../../base/errors.ts';
import type { RemoteCrawl, RemoteJob } from '../../ports/remote-crawl.ts';

export interface RemotePlace {
  /** Where the node serves its API. */
  readonly url: string;
  readonly token?: string | undefined;
}

/** Seeds are answered when they are kept by all who must: that may take as long as a new owner. */
const ANSWER_MS = 60_000;
const DETAIL_LENGTH = 300;

export function openRemoteCrawl(place: RemotePlace): RemoteCrawl {
  return {
    async begin({ urls, depth, scope, pagesMax, hoursMax }, key) {
      const limits = {
        ...(pagesMax !== undefined && { pages: pagesMax }),
        ...(hoursMax !== undefined && { hours: hoursMax }),
      };
      const body = {
        ...{ urls, ...(depth !== undefined && { crawl_depth: depth }), ...(scope && { scope }) },
        ...(Object.keys(limits).length > 0 && { limits }),
      };
      const said = await ask(place, 'crawl/seeds', { body, key });
      const { job_id, queued_urls, known_urls, refused } = said as SeedsView;
      return { id: job_id, queued: queued_urls, known: known_urls, refused };
    },
    async job(id) {
      const { state, ended_by = '', counts } = (await ask(place, `jobs/${id}`)) as JobView;
      const { named, waiting, held, fetched, failed, skipped, bytes } = counts;
      const sums = { named, waiting: waiting + held, fetched, failed, skipped, bytes };
      return { state, endedBy: ended_by, ...sums };
    },
  };
}

interface SeedsView {
  readonly job_id: string;
  readonly queued_urls: number;
  readonly known_urls: number;
  readonly refused: readonly { readonly url: string; readonly reason: string }[];
}

interface JobView {
  readonly state: RemoteJob['state'];
  readonly ended_by?: string;
  readonly counts: Readonly<Record<string, number>> & {
    readonly [name in
      | 'named'
      | 'waiting'
      | 'held'
      | 'fetched'
      | 'failed'
      | 'skipped'
      | 'bytes']: number;
  };
}

interface Posted {
  readonly body: object;
  readonly key: string;
}

async function ask({ url, token }: RemotePlace, path: string, posted?: Posted): Promise<unknown> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(posted && { 'content-type': 'application/json', 'idempotency-key': posted.key }),
  };
  const response = await fetch(new URL(path, url), {
    ...{ headers, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) },
    ...(posted && { method: 'POST', body: JSON.stringify(posted.body) }),
  }).catch((error: Error) => {
    throw unreachable(url, error);
  });
  const text = await response.text().catch((error: Error) => {
    throw unreachable(url, error);
  });
  if (!response.ok) throw refusal(url, response.status, text);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(url, response.status, text);
  }
}

function unreachable(url: string, error: Error): CrawlError {
  // Its own words are 'fetch failed'.
  const { message } = error.cause instanceof Error ? error.cause : error;
  const hint = 'Is a node running there? Another node of the ring will do as well.';
  return new CrawlError('E_RING_DOWN', `No node answers at ${url} (${message}).`, hint, error);
}

function refusal(url: string, status: number, text: string): CrawlError {
  const said = text.slice(0, DETAIL_LENGTH);
  const hint =
    status === 401 || status === 403
      ? 'Give a token with the role operate: ORB_RING_API_TOKEN.'
      : 'Give the address of the API of a node, as it said it when it started.';
  return new CrawlError('E_RING_REFUSED', `${url} answers ${status}: ${said}`, hint);
}
