/**
 * The `ReadingLender` port over the API of a node (K3, A2): `lease_batch` and `ack` of `/parse`.
 * Pages and digests travel as frames (../../base/frames.ts); docs/api.md names their heads.
 */
import { FRAMES_MEDIA, type Frame, readFrames, writeFrames } from '../../base/frames.ts';
import { digestParts, type RawPage, READING_VERSION } from '../../content/index.ts';
import type { BroughtEnd, LentPage, Reading, ReadingLender } from '../../ports/reading-lender.ts';

export interface ReadingPlace {
  /** Where the node serves its API. */
  readonly url: string;
  /** Of this process and no other. */
  readonly parser: string;
  /** Media types that its plugins read. */
  readonly types: readonly string[];
  readonly token?: string | undefined;
}

/** A node that says nothing for so long is away. */
const ANSWER_MS = 60_000;
const LEASES_MAX = 200;
const DETAIL_LENGTH = 300;

export function openReadingLender(place: ReadingPlace): ReadingLender {
  return {
    name: place.url,
    lease: (n, seconds) => lease(place, Math.min(n, LEASES_MAX), seconds),
    bring: (readings) => bring(place, readings),
  };
}

async function lease(
  place: ReadingPlace,
  n: number,
  seconds: number,
): Promise<readonly LentPage[]> {
  const { parser, types } = place;
  const asked = { parser, n, seconds, version: READING_VERSION, types };
  const { status, bytes } = await post(place, 'lease_batch', {
    media: 'application/json',
    body: JSON.stringify(asked),
  });
  if (status !== 200) throw refusal(status, bytes);
  const frames = readFrames(bytes, LEASES_MAX);
  if (typeof frames === 'string') throw new Error(`what it answers ${frames}`);
  return frames.map(pageOf);
}

interface PageHead {
  readonly lease: string;
  readonly seconds: number;
  readonly url: string;
  readonly kind: RawPage['kind'];
  readonly headers: Record<string, string>;
  readonly decoded_bytes_max: number;
  readonly agent: string;
  readonly links_max?: number;
  readonly markdown?: RawPage['markdown'];
}

function pageOf({ head, body }: Frame): LentPage {
  const {
    lease: id,
    seconds,
    url,
    kind,
    headers,
    agent,
    links_max,
    markdown,
    ...rest
  } = head as PageHead;
  const page = {
    ...{ url, kind, body, headers, decodedBytesMax: rest.decoded_bytes_max, agent },
    ...(links_max !== undefined && { linksMax: links_max }),
    ...(markdown && { markdown }),
  };
  return { id, page, forMs: 1_000 * seconds };
}

async function bring(
  place: ReadingPlace,
  readings: readonly Reading[],
): Promise<readonly BroughtEnd[]> {
  const frames = readings.map(({ id, encoding, digest }) => {
    if (digest === undefined) return { head: { lease: id }, parts: [] };
    const { head, parts } = digestParts(digest, encoding);
    return { head: { lease: id, digest: head }, parts };
  });
  const path = `ack?parser=${encodeURIComponent(place.parser)}&version=${READING_VERSION}`;
  const { status, bytes } = await post(place, path, {
    media: FRAMES_MEDIA,
    body: writeFrames(frames),
  });
  if (status !== 200) throw refusal(status, bytes);
  const { pages } = JSON.parse(bytes.toString()) as { pages: readonly { state: BroughtEnd }[] };
  return pages.map(({ state }) => state);
}

interface Posted {
  readonly media: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

async function post({ url, token }: ReadingPlace, path: string, { media, body }: Posted) {
  const response = await fetch(new URL(`parse/${path}`, url), {
    method: 'POST',
    headers: {
      'content-type': media,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...{ body, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) },
  }).catch((error: Error) => {
    // Its own words are 'fetch failed'.
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Error(`it cannot be reached (${message})`, { cause: error });
  });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

function refusal(status: number, bytes: Buffer): Error {
  return new Error(`it answers ${status}, ${bytes.toString().slice(0, DETAIL_LENGTH)}`);
}
