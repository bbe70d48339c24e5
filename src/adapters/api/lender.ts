/**
 * The `Lender` port over the API of a node (A2): `lease_batch` and `ack` of `/frontier/all`.
 * Names and numbers as in docs/api.md.
 */
import type { Answered, Outcome } from '../../fetch/outcome.ts';
import type { Lender, LentBatch, LentRequest } from '../../ports/lender.ts';

export interface LenderPlace {
  /** Where the node serves its API. */
  readonly url: string;
  /** Of this process and no other. */
  readonly fetcher: string;
  /** Where it is (K4). */
  readonly region?: string | undefined;
  readonly token?: string | undefined;
}

/** A node that says nothing for so long is away. */
const ANSWER_MS = 60_000;

export function openLender(place: LenderPlace): Lender {
  return {
    name: place.url,
    lease: (n, seconds) => lease(place, Math.min(n, LEASES_MAX), seconds),
    ack: (lent, outcome) => ack(place, lent, outcome),
  };
}

const LEASES_MAX = 1_000;

interface LeaseView {
  readonly lease: string;
  readonly shard: number;
  readonly url: string;
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly limits: Record<string, number>;
  readonly seconds: number;
}

async function lease(place: LenderPlace, n: number, seconds: number): Promise<LentBatch> {
  const { fetcher, region } = place;
  const asked = { fetcher, n, seconds, ...(region !== undefined && { region }) };
  const { status, text } = await post(place, 'all/lease_batch', asked);
  if (status !== 200) throw refusal(status, text);
  const { leases, next_in_seconds: wait } = JSON.parse(text) as {
    readonly leases: readonly LeaseView[];
    readonly next_in_seconds: number;
  };
  return { requests: leases.map(requestOf), waitMs: 1_000 * wait };
}

function requestOf({ lease: id, shard, url, address, headers, limits, seconds }: LeaseView) {
  const {
    connect_ms = 0,
    first_byte_ms = 0,
    whole_ms = 0,
    header_bytes = 0,
    body_bytes = 0,
  } = limits;
  const times = { connectMs: connect_ms, firstByteMs: first_byte_ms, wholeMs: whole_ms };
  const sizes = { headerBytes: header_bytes, bodyBytes: body_bytes };
  return {
    id,
    shard,
    url,
    address,
    headers,
    limits: { ...times, ...sizes },
    forMs: 1_000 * seconds,
  };
}

async function ack(
  place: LenderPlace,
  lent: LentRequest,
  outcome: Outcome,
): Promise<'settled' | 'lost'> {
  const said = { fetcher: place.fetcher, lease: lent.id, results: resultsOf(outcome, lent) };
  const { status, text } = await post(place, `${lent.shard}/ack`, said);
  if (status === 200) return 'settled';
  // Not ours any more, here or anywhere; or what it brought cannot be taken, now or later.
  if (status >= 400 && status < 500 && status !== 429) return 'lost';
  throw refusal(status, text);
}

function resultsOf(outcome: Outcome, { limits }: LentRequest): object {
  if (outcome.kind === 'refused')
    return { kind: 'refused', detail: outcome.detail.slice(0, 1_000) };
  if (outcome.kind === 'answered') return answerOf(outcome, limits.bodyBytes);
  const { reason, detail, startedAt, endedAt } = outcome;
  if (reason === 'aborted') return { kind: 'returned' };
  return { kind: 'failed', reason, detail: detail.slice(0, 1_000), whole_ms: endedAt - startedAt };
}

/** A body may be longer than its limit by one chunk of the line. */
function answerOf(answered: Answered, bodyBytesMax: number): object {
  const { status, headers, remoteAddress, httpVersion, timing, truncated } = answered;
  const body = Buffer.from(answered.body.subarray(0, bodyBytesMax)).toString('base64');
  return {
    ...{ kind: 'answered', status, headers, body, ...(truncated && { truncated }) },
    ...{ remote_address: remoteAddress, http_version: httpVersion },
    ...(timing.connectMs !== undefined && { connect_ms: timing.connectMs }),
    ...{ first_byte_ms: timing.firstByteMs, whole_ms: timing.wholeMs },
  };
}

async function post({ url, token }: LenderPlace, path: string, body: object) {
  const response = await fetch(new URL(`frontier/${path}`, url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: Error) => {
    // Its own words are 'fetch failed'.
    const { message } = error.cause instanceof Error ? error.cause : error;
    throw new Error(`it cannot be reached (${message})`, { cause: error });
  });
  return { status: response.status, text: await response.text() };
}

const DETAIL_LENGTH = 300;

function refusal(status: number, text: string): Error {
  return new Error(`it answers ${status}, ${text.slice(0, DETAIL_LENGTH)}`);
}
