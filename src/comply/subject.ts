/**
 * What a decision is about, and which URLs it meets.
 *
 *   url       exactly this canonical URL
 *   host      `example.com` with all its ports; `example.com:8080` only that one
 *   site      the host and every name below it
 *   pattern   the whole URL, `*` standing for anything: https://example.com/people/*
 *   region    pages whose body is stored under that tag: no address says so, only their records
 *
 * Patterns have no other sign than `*`, so one is read from left to right in time that grows
 * with the URL alone: a link on a page cannot make it slow.
 */
import { hostnameOf, hostOf } from '../url/index.ts';

export type SubjectKind = 'url' | 'host' | 'site' | 'pattern' | 'region';

export interface Subject {
  readonly kind: SubjectKind;
  readonly value: string;
}

/** One decision of a kind about one subject: the same key. */
export function subjectKey({ kind, value }: Subject): string {
  return `${kind} ${value}`;
}

export function subjectText({ kind, value }: Subject): string {
  if (kind === 'url') return value;
  if (kind === 'site') return `the host ${value} and every host below it`;
  if (kind === 'region') return `what is stored in the region ${value}`;
  return kind === 'host' ? `the host ${value}` : `every URL like ${value}`;
}

/** Whether a canonical URL is meant. */
export function fitterOf({ kind, value }: Subject): (url: string) => boolean {
  switch (kind) {
    case 'url':
      return (url) => url === value;
    case 'host':
      return (url) => hostnameOf(url) === value || hostOf(url) === value;
    case 'site':
      return (url) => isBelow(hostnameOf(url), value);
    case 'pattern':
      return patternFitter(value);
    case 'region':
      return () => false;
  }
}

/** A text that every URL meant has in it. */
export function mentionOf({ kind, value }: Subject): string {
  if (kind === 'region') return '';
  if (kind !== 'pattern') return value;
  return value
    .split('*')
    .reduce((longest, part) => (part.length > longest.length ? part : longest));
}

function isBelow(name: string, site: string): boolean {
  return name === site || (name.endsWith(site) && name.at(-site.length - 1) === '.');
}

function patternFitter(pattern: string): (url: string) => boolean {
  const whole = pattern.includes('://') || pattern.startsWith('*') ? pattern : `*://${pattern}`;
  const [first = '', ...rest] = whole.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (url) => url === first;
  return (url) => {
    if (!url.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = url.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return url.length - last.length >= at && url.endsWith(last);
  };
}
