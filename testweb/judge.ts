/**
 * A finished crawl, judged: the request log beside the truth.
 */
import { type Duplicate, duplicates, isAside, isProbe } from './audit.ts';
import type { RequestLog } from './log.ts';
import type { Truth } from './truth.ts';
import type { Web } from './web.ts';

export interface Judgement {
  /** Must be fetched and was not. */
  readonly missing: readonly string[];
  /** Asked for although nothing honest leads there: decoys, spellings that are not canonical. */
  readonly stray: readonly string[];
  /** Asked for although robots.txt forbids it. */
  readonly trespass: readonly string[];
  readonly duplicates: readonly Duplicate[];
  readonly fetched: number;
  readonly expected: number;
}

export function judge(web: Web, log: RequestLog, truth: Truth): Judgement {
  const stray: string[] = [];
  const trespass: string[] = [];
  const asked = new Set<string>();
  const probed = new Set<string>();
  for (const { url } of log.requests()) {
    if (isProbe(url)) {
      // Once for each host is a question; twice is a nuisance.
      const { host } = new URL(url);
      if (probed.has(host)) stray.push(url);
      probed.add(host);
    }
    if (asked.has(url) || isAside(url)) continue;
    asked.add(url);
    const kind = classOf(web, truth, url);
    if (kind === 'forbidden') trespass.push(url);
    if (kind === 'unreached') stray.push(url);
  }
  const missing: string[] = [];
  for (const kind of ['page', 'redirect', 'dead'] as const) {
    for (const url of truth.urls(kind)) if (!asked.has(url)) missing.push(url);
  }
  const found = asked.size - stray.length - trespass.length;
  const expected = truth.expectedFetches - truth.expectedRetries;
  return { missing, stray, trespass, duplicates: duplicates(log), fetched: found, expected };
}

/** Special hosts are outside the truth; what they were asked is neither right nor wrong. */
function classOf(web: Web, truth: Truth, url: string) {
  const at = web.describe(url);
  if (at !== undefined) return truth.classOf(at.host.index, at.resource);
  const special = web.specials.some((one) => url.startsWith(`${one.origin}/`));
  return special ? 'page' : 'unreached';
}
