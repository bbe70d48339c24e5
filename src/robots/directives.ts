/**
 * X-Robots-Tag and `<meta name=robots>`: what may be done with a page that was fetched (R3).
 *
 *   noindex, nofollow                       for everyone
 *   googlebot: noindex, otherbot: nofollow  a name opens a group that runs to the next name
 *   max-snippet: 20, unavailable_after: Friday, 25 Jun 2010 15:00:00 PST
 *                                           values, one with a comma of its own
 *
 * What is said to everyone and what is said to us add up, and the most restrictive wins.
 * No standard governs this; Google's published rules are the reference.
 *
 * A `<meta name=somebot content=…>` is given as `somebot: …`. One value is one header field;
 * fields joined by a newline are told apart, fields joined by a comma cannot be.
 */
import { productToken } from './agent.ts';
import { parseLooseDate } from './date.ts';

export interface RobotsDirectives {
  noindex: boolean;
  nofollow: boolean;
  noarchive: boolean;
  nosnippet: boolean;
  noimageindex: boolean;
  notranslate: boolean;
  noodp: boolean;
  noai: boolean;
  noimageai: boolean;
  indexifembedded: boolean;
  /** Characters; undefined when unlimited. */
  maxSnippet?: number;
  /** Seconds; undefined when unlimited. */
  maxVideoPreview?: number;
  maxImagePreview?: 'none' | 'standard' | 'large';
  /** ISO 8601 in UTC; the earliest, when several are given. */
  unavailableAfter?: string;
}

type Flag = Exclude<
  keyof RobotsDirectives,
  'maxSnippet' | 'maxVideoPreview' | 'maxImagePreview' | 'unavailableAfter'
>;

const FLAGS: ReadonlyMap<string, readonly Flag[]> = new Map<string, readonly Flag[]>([
  ['none', ['noindex', 'nofollow']],
  ['all', []],
  ['index', []],
  ['follow', []],
  ['archive', []],
  ['nocache', ['noarchive']],
  ['noydir', []],
  ...(Object.keys(nothing()) as Flag[]).map((flag) => [flag, [flag]] as const),
]);

const VALUED = new Set([
  'unavailable_after',
  'max-snippet',
  'max-video-preview',
  'max-image-preview',
]);
const PREVIEWS = ['none', 'standard', 'large'] as const;
const WEEKDAY = /^(mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(day)?$/i;
const SCOPE = /^[^\s"<>=]+$/;

export function parseRobotsDirectives(values: string[], agent: string): RobotsDirectives {
  const found = nothing();
  const token = productToken(agent);
  for (const value of values) {
    for (const field of value.split(/[\r\n]+/)) readField(field, token, found);
  }
  return found;
}

function nothing(): RobotsDirectives {
  return {
    noindex: false,
    nofollow: false,
    noarchive: false,
    nosnippet: false,
    noimageindex: false,
    notranslate: false,
    noodp: false,
    noai: false,
    noimageai: false,
    indexifembedded: false,
  };
}

function readField(field: string, token: string, found: RobotsDirectives): void {
  const segments = field.split(',');
  let ours = true;
  for (let at = 0; at < segments.length; at += 1) {
    let text = segments[at]!.trim();
    let scope = scopeOf(text);
    while (scope !== undefined) {
      ours = isOurs(scope, token);
      text = text.slice(text.indexOf(':') + 1).trim();
      scope = scopeOf(text);
    }
    if (dateHasComma(text) && at + 1 < segments.length) text += `, ${segments[++at]!.trim()}`;
    if (ours) apply(text, found);
  }
}

/** The name that opens a group here: a word before a colon that is no directive itself. */
function scopeOf(text: string): string | undefined {
  const colon = text.indexOf(':');
  if (colon <= 0) return undefined;
  const name = text.slice(0, colon).trim().toLowerCase();
  return SCOPE.test(name) && !VALUED.has(name) && !FLAGS.has(name) ? name : undefined;
}

function isOurs(scope: string, token: string): boolean {
  return scope === '*' || scope === 'robots' || productToken(scope) === token;
}

function dateHasComma(text: string): boolean {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  return name === 'unavailable_after' && WEEKDAY.test(text.slice(colon + 1).trim());
}

function apply(text: string, found: RobotsDirectives): void {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  if (VALUED.has(name)) {
    applyValue(name, text.slice(colon + 1).trim(), found);
    return;
  }
  for (const word of text.toLowerCase().split(/[\s;:]+/)) {
    if (text.startsWith(':')) return;
    for (const flag of FLAGS.get(word) ?? []) found[flag] = true;
  }
}

function applyValue(name: string, value: string, found: RobotsDirectives): void {
  if (name === 'unavailable_after') {
    const instant = parseLooseDate(value);
    if (instant === undefined) return;
    const iso = new Date(instant).toISOString();
    const earlier = found.unavailableAfter === undefined || iso < found.unavailableAfter;
    if (earlier) found.unavailableAfter = iso;
  } else if (name === 'max-image-preview') {
    const rank = (PREVIEWS as readonly string[]).indexOf(value.toLowerCase());
    const now = PREVIEWS.indexOf(found.maxImagePreview ?? 'large');
    if (rank >= 0) found.maxImagePreview = PREVIEWS[Math.min(rank, now)]!;
  } else if (/^\d{1,9}$/.test(value)) {
    const limit = name === 'max-snippet' ? 'maxSnippet' : 'maxVideoPreview';
    found[limit] = Math.min(Number(value), found[limit] ?? Number.POSITIVE_INFINITY);
  }
}
