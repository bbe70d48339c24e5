/** The servers of the world: what they answer for pages and for robots.txt. */
import type { Instant } from '../base/instant.ts';
import type { Outcome } from '../fetch/index.ts';

const DELAY_OF_ROBOTS_MS = 3_000;
const NO_HEADERS = {};

export type RobotsKind = 'none' | 'delay' | 'forbid' | 'redirect' | 'down';
export type Answer = 'well' | 'busy' | 'busy-later' | 'ill' | 'gone' | 'refused';

const FORBIDS = 'User-agent: *\nDisallow: /x/\n';
const DELAYS = `User-agent: *\nCrawl-delay: ${DELAY_OF_ROBOTS_MS / 1000}\n`;

export function isUnreadable(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}

export function bodyForbids(body: Uint8Array, url: string): boolean {
  return Buffer.from(body).toString() === FORBIDS && url.includes('/x/');
}

export function delayIn(body: Uint8Array): number {
  return Buffer.from(body).toString() === DELAYS ? DELAY_OF_ROBOTS_MS : 0;
}

export function outcomeOf(answer: Answer, now: Instant): Outcome {
  switch (answer) {
    case 'well':
      return answered(200, now);
    case 'gone':
      return answered(404, now);
    case 'busy':
      return answered(503, now);
    case 'busy-later':
      return answered(429, now, { 'retry-after': '7' });
    case 'refused':
      return { kind: 'refused', address: '127.0.0.1', detail: 'loopback' };
    default:
      return { kind: 'failed', reason: 'connect', detail: '', startedAt: now - 40, endedAt: now };
  }
}

export function robotsOutcome(kind: RobotsKind, answer: Answer, now: Instant): Outcome {
  if (kind === 'down') return outcomeOf('ill', now);
  if (answer !== 'well') return outcomeOf(answer, now);
  if (kind === 'redirect') return answered(301, now);
  if (kind === 'none') return answered(404, now);
  return answered(200, now, NO_HEADERS, kind === 'forbid' ? FORBIDS : DELAYS);
}

function answered(
  status: number,
  now: Instant,
  headers: Readonly<Record<string, string>> = NO_HEADERS,
  body = '',
): Outcome {
  return {
    ...{ kind: 'answered', status, headers, body: Buffer.from(body) },
    ...{ remoteAddress: '10.0.0.1', httpVersion: '1.1' },
    timing: { startedAt: now - 25, firstByteMs: 25, wholeMs: 25 },
  };
}

/** Two hosts are in regions, and the others nobody knows where. */
const REGIONS: Readonly<Record<string, string>> = { 'h0.example': 'eu', 'h1.example': 'as' };

export const NEARNESS = { hintOf: (host: string) => REGIONS[host] ?? '', takeOverMs: 10_000 };
