/**
 * The `WorkLender` port over the API of a node (K3, A2): `lease_batch`, `ack` and `keep`, with what
 * is lent and brought as frames (../../base/frames.ts). Which words stand in their heads is each
 * kind's own: reading-lender.ts for pages to be read.
 */
import {
  FRAMES_MEDIA,
  type Frame,
  type FrameParts,
  readFrames,
  writeFrames,
} from '../../base/frames.ts';
import type { BroughtEnd, Done, Lent, WorkLender } from '../../ports/work-lender.ts';

export interface WorkPlace {
  /** Where the node serves its API. */
  readonly url: string;
  /** Of this process and no other. */
  readonly worker: string;
  readonly token?: string | undefined;
}

export interface WorkWords<Job, Made> {
  readonly path: string;
  readonly version: number;
  /** Beside who asks, and for how many. */
  readonly more: object;
  jobOf(frame: Frame): Job;
  partsOf(made: Made, job: Job): FrameParts;
}

/** A node that says nothing for so long is away. */
const ANSWER_MS = 60_000;
const LEASES_MAX = 200;
const DETAIL_LENGTH = 300;
const JSON_MEDIA = 'application/json';

export function openWorkLender<Job, Made>(
  place: WorkPlace,
  words: WorkWords<Job, Made>,
): WorkLender<Job, Made> {
  const at = (name: string) => `${words.path}/${name}`;
  const { worker } = place;
  const { version, more } = words;
  return {
    name: place.url,
    async lease(n, seconds) {
      const asked = { worker, n: Math.min(n, LEASES_MAX), seconds, version, ...more };
      const bytes = await post(place, at('lease_batch'), JSON_MEDIA, JSON.stringify(asked));
      const frames = readFrames(bytes, LEASES_MAX);
      if (typeof frames === 'string') throw new Error(`what it answers ${frames}`);
      return frames.map((frame) => lentIn(frame, words));
    },
    async bring(done) {
      const message = writeFrames(done.map((one) => broughtOf(one, words)));
      const path = `${at('ack')}?worker=${encodeURIComponent(worker)}&version=${version}`;
      const bytes = await post(place, path, FRAMES_MEDIA, message);
      const { pages } = JSON.parse(bytes.toString()) as { pages: readonly { state: BroughtEnd }[] };
      return pages.map(({ state }) => state);
    },
    async keep(leases) {
      await post(place, at('keep'), JSON_MEDIA, JSON.stringify({ worker, leases }));
    },
  };
}

function lentIn<Job>(frame: Frame, { jobOf }: WorkWords<Job, never>): Lent<Job> {
  const { lease: id } = frame.head as { readonly lease: string };
  return { id, job: jobOf(frame) };
}

function broughtOf<Job, Made>(
  { id: lease, job, made }: Done<Job, Made>,
  { partsOf }: WorkWords<Job, Made>,
): FrameParts {
  if (made === undefined) return { head: { lease }, parts: [] };
  const { head, parts } = partsOf(made, job);
  return { head: { lease, made: head }, parts };
}

/** Rejects with what a node says that does not answer 200. */
export async function post(
  { url, token }: WorkPlace,
  path: string,
  media: string,
  body: string | Uint8Array<ArrayBuffer>,
  signal: AbortSignal = AbortSignal.timeout(ANSWER_MS),
): Promise<Buffer> {
  const response = await fetch(new URL(path, url), {
    ...{ method: 'POST', body, redirect: 'error', signal },
    headers: {
      'content-type': media,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  }).catch((error: Error) => {
    // Its own words are 'fetch failed'.
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Error(`it cannot be reached (${message})`, { cause: error });
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status === 200) return bytes;
  throw new Error(`it answers ${response.status}, ${bytes.toString().slice(0, DETAIL_LENGTH)}`);
}
