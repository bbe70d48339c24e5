/**
 * Politeness: the earliest instant at which a host may be asked again (P1–P3, P5).
 *
 * A host is never "busy" or "free", it is ready at an instant. The pause counts from the
 * first byte of the answer: the server has the request by then, so two requests can never
 * reach it closer together than the pause, whatever the network does in between.
 *
 * Not here: who holds the host now (frontier.ts); what it forbids (../robots/).
 */
import { assert } from '../base/assert.ts';
import { DAY_MS, type Instant } from '../base/instant.ts';
import type { Outcome } from '../fetch/outcome.ts';
import type { Fate, Sign } from './judge.ts';
import type { Politeness } from './policy.ts';

/** The part of a host's state that decides its turn. */
export interface Manners {
  turnAt: Instant;
  lastFetchAt: Instant;
  crawlDelayMs: number;
  backoff: number;
  latencyMs: number;
  errors: number;
  errorsSince: Instant;
  downs: number;
}

export interface Exchange {
  readonly startedAt: Instant;
  /** First byte, or the failure. */
  readonly answeredAt: Instant;
  readonly endedAt: Instant;
  readonly sign: Sign;
  readonly retryAfterMs: number;
}

/** When it was asked, when it answered, and how it took it; undefined when nothing was sent. */
export function exchangeOf(
  outcome: Outcome,
  fate: Pick<Fate, 'sign' | 'retryAfterMs'>,
): Exchange | undefined {
  if (outcome.kind === 'refused') return undefined;
  const { sign, retryAfterMs } = fate;
  if (outcome.kind === 'failed') {
    const { startedAt, endedAt } = outcome;
    return { startedAt, answeredAt: endedAt, endedAt, sign, retryAfterMs };
  }
  const { startedAt, firstByteMs, wholeMs } = outcome.timing;
  const answeredAt = startedAt + firstByteMs;
  return { startedAt, answeredAt, endedAt: startedAt + wholeMs, sign, retryAfterMs };
}

const BACKOFF_MAX = 256;
const BACKOFF_DECAY = 0.75;
const LATENCY_WEIGHT = 0.3;
const LATENCY_MS_FIRST = 1_000;
const LATENCY_GROWTH = 4;

/** The pause that this host is owed now. */
export function delayMsOf(host: string, manners: Manners, policy: Politeness): number {
  const agreed = policy.delayMsByHost.get(host);
  const usual = agreed ?? (manners.crawlDelayMs > 0 ? manners.crawlDelayMs : policy.delayMs);
  if (policy.delayMs === 0 && agreed === undefined) return 0;
  const backed = usual * manners.backoff;
  const slow = Math.min(policy.slowFactor * manners.latencyMs, policy.delayMsMax);
  return Math.max(usual, Math.min(backed, policy.delayMsMax), agreed === undefined ? slow : 0);
}

/** The pause that its address is owed: an agreed rate is agreed with whoever runs the address. */
export function addressDelayMsOf(host: string, policy: Politeness): number {
  return Math.min(policy.addressDelayMs, policy.delayMsByHost.get(host) ?? policy.addressDelayMs);
}

/** Takes in what the host made of a request, and sets its next turn. */
export function noteExchange(
  host: string,
  manners: Manners,
  exchange: Exchange,
  policy: Politeness,
): void {
  const { answeredAt, endedAt, startedAt, sign } = exchange;
  manners.lastFetchAt = startedAt;
  // One stall, be it ours, says little; a host that stays slow is believed within a few answers.
  const believed = LATENCY_MS_FIRST + LATENCY_GROWTH * manners.latencyMs;
  const latency = Math.min(believed, Math.max(0, answeredAt - startedAt));
  manners.latencyMs += LATENCY_WEIGHT * (latency - manners.latencyMs);
  if (sign === 'well') recover(manners);
  if (sign === 'busy') manners.backoff = Math.min(BACKOFF_MAX, manners.backoff * 2);
  const polite = Math.max(answeredAt + delayMsOf(host, manners, policy), endedAt);
  const asked = endedAt + exchange.retryAfterMs;
  const down = sign === 'ill' ? downUntil(manners, endedAt, policy) : 0;
  manners.turnAt = Math.max(manners.turnAt, polite, asked, down);
  assert(Number.isFinite(manners.turnAt), 'a turn comes at an instant');
}

function recover(manners: Manners): void {
  manners.backoff = Math.max(1, manners.backoff * BACKOFF_DECAY);
  manners.errors = 0;
  manners.downs = 0;
}

/** Counts the error; the fifth in a row within a day finds the host down for a while. */
function downUntil(manners: Manners, now: Instant, policy: Politeness): Instant {
  const { errorsUntilDown, downMs, downMsMax } = policy.retry;
  if (manners.errors === 0 || now - manners.errorsSince > DAY_MS) {
    manners.errors = 0;
    manners.errorsSince = now;
  }
  manners.errors++;
  if (manners.errors < errorsUntilDown) return 0;
  manners.errors = 0;
  manners.downs++;
  return now + Math.min(downMsMax, downMs * 2 ** (manners.downs - 1));
}
