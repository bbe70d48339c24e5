/** What a person named, as the subject of a decision: canonical, or refused with what to write. */
import { CrawlError } from '../base/errors.ts';
import type { Subject } from '../comply/index.ts';
import { type CanonicalOptions, canonicalize, hostnameOf, hostOf } from '../url/index.ts';
import type { SubjectQuery } from './comply-answers.ts';

/** A pattern says at least this much besides its stars and its scheme. */
const PATTERN_LENGTH_MIN = 4;

export function subjectOf(query: SubjectQuery, options: CanonicalOptions): Subject {
  const { url, host, pattern, region, subdomains } = query;
  const given = [url, host, pattern, region].filter((one) => one !== undefined && one !== '');
  if (given.length !== 1) {
    throw usage('Name one thing.', 'Write one of --url URL, --host HOST and --pattern PATTERN.');
  }
  if (url) return urlSubject(url, options);
  if (region) return { kind: 'region', value: region.trim().toLowerCase() };
  return host ? hostSubject(host, subdomains === true, options) : patternSubject(pattern as string);
}

function urlSubject(given: string, options: CanonicalOptions): Subject {
  const value = canonicalize(given.trim(), undefined, options);
  if (value !== undefined && hostOf(value) !== '') return { kind: 'url', value };
  throw usage(`'${given.slice(0, 200)}' is not a whole URL.`, 'Write it as https://example.com/a.');
}

function hostSubject(given: string, subdomains: boolean, options: CanonicalOptions): Subject {
  const isHost = !/[/?#@\\\s*]/.test(given);
  const url = isHost ? canonicalize(`http://${given}/`, undefined, options) : undefined;
  if (url === undefined || hostOf(url) === '') {
    throw usage(`'${given.slice(0, 200)}' is not a host.`, 'Write it as www.example.com.');
  }
  return subdomains
    ? { kind: 'site', value: hostnameOf(url) }
    : { kind: 'host', value: hostOf(url) };
}

function patternSubject(given: string): Subject {
  // Hosts have no capitals in a crawl: one in a pattern would meet nothing, and nobody would know.
  const value = given.trim().replace(/^([a-z*]+:\/\/)?[^/]*/i, (host) => host.toLowerCase());
  if (value.replace(/^[a-z*]+:\/\//i, '').replaceAll('*', '').length >= PATTERN_LENGTH_MIN) {
    return { kind: 'pattern', value };
  }
  throw usage(
    `The pattern '${given.slice(0, 200)}' would meet nearly everything.`,
    'Write more of the address: https://example.com/people/*',
  );
}

function usage(message: string, hint: string): CrawlError {
  return new CrawlError('E_USAGE', message, hint);
}
