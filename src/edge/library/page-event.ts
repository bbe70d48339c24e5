/**
 * A page as a program that uses the library sees it.
 */
import { bodyToMarkdown } from '../../content/index.ts';
import type { VisitedPage } from '../../crawl/index.ts';
import type { MarkdownOptions } from '../../readable/index.ts';
import { FLAGS, flagNames } from '../../record/index.ts';
import { formatUrlHash, urlHash } from '../../url/index.ts';

export interface PageEvent {
  readonly url: string;
  readonly urlHash: string;
  readonly host: string;
  /** `indexed`, `dead` or `failed`, and why. */
  readonly state: string;
  readonly reason: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly contentType: string;
  readonly title: string;
  readonly depth: number;
  /** Canonical URLs that the page links to and allows to be followed, each once. */
  readonly links: readonly string[];
  readonly flags: readonly string[];
  /** What the site allows it to be used for, as `ai-train=no, search=yes`; empty when unsaid. */
  readonly usage: string;
  readonly fetchedAt: Date;
  readonly bytes: number;
  /** The decoded body; empty when there is none, or when the site refuses what the crawl is for. */
  readonly body: Uint8Array;
  /** Its main text as Markdown, made when asked for; empty when the body has none. */
  markdown(options?: MarkdownOptions): string;
}

const NO_BODY = new Uint8Array(0);

/** Undefined for what is no page: a redirect, a sitemap, a try that is made again. */
export function pageEventOf(page: VisitedPage): PageEvent | undefined {
  const { record, event, digest } = page;
  if (event.kind !== 'page' || record.redirectTo !== '' || record.state === 'retrying') {
    return undefined;
  }
  const { url, state, reason, httpStatus: status, contentType, title, depth, usage } = record;
  const isRefused = (record.flags & FLAGS.usage_refused) !== 0;
  const body = isRefused ? NO_BODY : (digest?.body ?? NO_BODY);
  return {
    ...{ url, state, reason, status, contentType, title, depth, usage },
    urlHash: formatUrlHash(urlHash(url)),
    host: event.host,
    links: [...new Set(digest?.links)],
    flags: flagNames(record.flags),
    fetchedAt: new Date(event.startedAt),
    bytes: record.bodyBytes,
    body,
    markdown: (options) => bodyToMarkdown(body, { url, contentType }, options) ?? '',
  };
}
