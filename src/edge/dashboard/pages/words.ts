/** What the dashboard says about states, flags and failures: a sentence where the API has a word. */
import { sayCount, sayTime } from '../../../plan/index.ts';

/** `1 page`, `2,310 pages`. */
export function sayMany(count: number, one: string, many = `${one}s`): string {
  return `${sayCount(count)} ${count === 1 ? one : many}`;
}

/** What the service says in passing, as a sentence of its own. */
export function sentence(text: string): string {
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(said) ? said : `${said}.`;
}

/** `just now`, `12 s ago`, `in 3 h`. */
export function sayWhen(at: number, now: number): string {
  const ms = at - now;
  if (Math.abs(ms) < 1_000) return 'just now';
  const time = sayWhole(Math.abs(ms));
  return ms < 0 ? `${time} ago` : `in ${time}`;
}

/** A time to glance at: no fractions of it. */
export function sayWhole(ms: number): string {
  const unit = [86_400_000, 3_600_000, 60_000, 1_000].find((one) => ms >= one) ?? 1;
  return sayTime(Math.floor(ms / unit) * unit);
}

/** A rate to glance at. */
export function tidy(rate: number): number {
  return rate >= 10 ? Math.round(rate) : Math.round(rate * 10) / 10;
}

export const JOB_STATE_WORDS = {
  running: 'Running',
  paused: 'Paused',
  done: 'Done',
  cancelled: 'Cancelled',
} as const;

export const CLASS_WORDS: Readonly<Record<string, string>> = {
  unknown: 'not learned yet',
  news: 'news',
  generic: 'generic',
  dormant: 'dormant',
};

export const HOST_FLAG_WORDS: Readonly<Record<string, string>> = {
  trap: 'Part of it is a trap; those addresses are cut off.',
  soft_404: 'It answers “found” for pages that are missing.',
  content_farm: 'Most of its pages repeat others; it gets a tenth of its budget.',
  denied: 'It waits for a person to look at it, and is not asked until then.',
  class_set: 'Its class was set by an operator.',
};

export const VERDICT_WORDS: Readonly<Record<string, string>> = {
  'not a URL': 'This is not a URL that can be crawled.',
  'out of scope': 'It is outside of what this crawl may visit.',
  'too deep': 'It is further from the seeds than this crawl goes.',
  trap: 'It belongs to a kind of addresses that was found to be a trap.',
  'never heard of': 'The crawl has never met a link to it.',
  waiting: 'It waits for its turn.',
  forbidden: 'Its site does not allow it to be fetched.',
  denied: 'It is on the denylist, or its host is.',
  skipped: 'It was passed over.',
  fetched: 'It was fetched.',
  retrying: 'It failed and is going to be tried again.',
  dead: 'It is gone.',
  failed: 'It could not be fetched.',
};

/** What was judged, for one and for many. */
export const JUDGED_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  copies: ['page with the bytes of another', 'pages with the bytes of another'],
  near_duplicates: [
    'page with nearly the words of another',
    'pages with nearly the words of another',
  ],
  soft_404s: ['missing page in disguise', 'missing pages in disguise'],
  soft_404_hosts: ['host that answers so', 'hosts that answer so'],
  trap_hosts: ['host with a trap', 'hosts with a trap'],
  trap_shapes: ['kind of addresses that is cut off', 'kinds of addresses that are cut off'],
  farm_hosts: ['host that mostly repeats others', 'hosts that mostly repeat others'],
  denied_hosts: ['host that waits for a person’s look', 'hosts that wait for a person’s look'],
  parked: ['URL over the budget of its domain', 'URLs over the budget of their domain'],
  due: ['page due for another visit', 'pages due for another visit'],
};
