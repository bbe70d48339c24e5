/**
 * What a crawl did in each host of each quarter: the request log beside the labels.
 */
import { splitUrl } from './exchange.ts';
import type { RequestLog } from './log.ts';
import type { QuarterName } from './quarters/index.ts';
import type { Special } from './specials.ts';
import type { Web } from './web.ts';

export interface QuarterJudgement {
  readonly host: string;
  readonly kind: QuarterName;
  /** Requests by what was there; robots.txt and unknown paths are in `other`. */
  readonly honest: number;
  readonly trap: number;
  readonly missing: number;
  readonly farm: number;
  readonly other: number;
  /** Pages that a crawl must fetch. */
  readonly expected: number;
  /** Those that it did not ask for. */
  readonly missed: readonly string[];
}

export function judgeQuarters(web: Web, log: RequestLog): QuarterJudgement[] {
  const asked = new Map<string, string[]>();
  for (const { host, url } of log.requests()) {
    const paths = asked.get(host);
    const { path } = splitUrl(url);
    if (paths === undefined) asked.set(host, [path]);
    else paths.push(path);
  }
  return web.specials.flatMap((special) => {
    const paths = asked.get(special.hostName) ?? [];
    return special.quarter === undefined ? [] : [judgeHost(special, special.quarter, paths)];
  });
}

function judgeHost(
  { hostName: host, origin }: Special,
  quarter: NonNullable<Special['quarter']>,
  paths: readonly string[],
): QuarterJudgement {
  const counts = { honest: 0, trap: 0, missing: 0, farm: 0, other: 0 };
  for (const path of paths) {
    const aside = path === '/robots.txt';
    counts[aside ? 'other' : (quarter.labelOf(path)?.role ?? 'other')]++;
  }
  const unique = new Set(paths);
  const expected = [...quarter.paths()];
  const missed = expected.filter((path) => !unique.has(path)).map((path) => origin + path);
  return { host, kind: quarter.kind, ...counts, expected: expected.length, missed };
}
