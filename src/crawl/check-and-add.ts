/**
 * `check_and_add` (A2, S4): which of these URLs are new? Those are so for one asker alone, and
 * wait in the queue from then on: what was called new and then forgotten by whoever asked
 * would be lost.
 *
 *   text ─▶ canonical ─▶ a job whose scope it is in ─▶ the sieve ─▶ ONE commit ─┬─ new
 *             │ no              │ no                      │                     └─ known
 *             └── refused ──────┴─────────────────────────┼─ another's: handed on
 *                                                         └─ named a moment ago: known
 */
import { deniedReason } from '../comply/index.ts';
import { NO_BYTES, type Waiting } from '../record/index.ts';
import { canonicalize, hostOf } from '../url/index.ts';
import { type AdmitRules, type Mention, refusal } from './admit.ts';
import type { Walk } from './context.ts';
import type { JobBoard } from './job-board.ts';
import type { Settling } from './settle.ts';

export type CheckVerdict = 'new' | 'known' | 'handed_on' | 'refused';

export interface Checked {
  /** As it was given. */
  readonly given: string;
  /** Its canonical form; undefined when it has none. */
  readonly url: string | undefined;
  readonly verdict: CheckVerdict;
  readonly reason?: string;
}

interface CheckParts {
  readonly board: JobBoard;
  readonly settling: Settling;
  readonly walk: Walk;
}

/** As a link of which nothing more is known. */
const PRIORITY = 0.5;

export async function checkAndAdd(
  given: readonly string[],
  job: number | undefined,
  parts: CheckParts,
): Promise<readonly Checked[]> {
  const read = given.map((text) => readOne(text, job, parts));
  const mentions = read.flatMap((one) => ('mention' in one ? [one.mention] : []));
  const { recent, admit, ports } = parts.walk;
  const wasNamed = new Set(mentions.filter(({ url }) => recent.has(url)).map(({ url }) => url));
  const admitted = admit.mentions(mentions, ports.clock.now());
  const fresh = new Set<string>();
  const onFresh = (isFresh: ReadonlySet<Waiting>) => {
    for (const one of admitted.candidates) if (isFresh.has(one)) fresh.add(one.url);
  };
  await parts.settling.add({ ...admitted, onFresh, change: {} });
  const tried = new Set(admitted.candidates.map(({ url }) => url));
  const handed = new Set((admitted.foreign ?? []).map(({ url }) => url));
  const verdictOf = (url: string): Pick<Checked, 'verdict' | 'reason'> => {
    // The second time that one call names it, it is known.
    if (fresh.delete(url)) return { verdict: 'new' };
    if (handed.has(url)) return { verdict: 'handed_on' };
    if (tried.has(url) || wasNamed.has(url)) return { verdict: 'known' };
    return { verdict: 'refused', reason: 'nothing more is taken of its host for now' };
  };
  return read.map((one) =>
    'mention' in one
      ? { given: one.given, url: one.mention.url, ...verdictOf(one.mention.url) }
      : one,
  );
}

interface Read {
  readonly given: string;
  readonly mention: Mention;
}

function readOne(given: string, asked: number | undefined, parts: CheckParts): Read | Checked {
  const text = canonicalize(given.trim());
  const refuse = (reason: string, url?: string): Checked => {
    return { given, url, verdict: 'refused', reason };
  };
  if (text === undefined || hostOf(text) === '') return refuse('not an http: or https: URL');
  const job = asked ?? jobFor(text, parts.board);
  const rules = parts.board.rulesOf(job);
  if (rules === undefined) return refuse('its job has ended, or never was', text);
  const url = rules.rewrite?.(text) ?? text;
  const denial = parts.walk.denials.meets(url);
  if (denial !== undefined) return refuse(deniedReason(denial), url);
  const mention = mentionOf(url, job);
  const reason = reasonAgainst(mention, rules);
  return reason === undefined ? { given, mention } : refuse(reason, url);
}

/** The first whose scope it is in; else the crawl itself, which says why not. */
function jobFor(url: string, board: JobBoard): number {
  const jobs = [0, ...board.all().map(({ id }) => id)];
  return jobs.find((job) => board.rulesOf(job)?.scope.judge(url).in) ?? 0;
}

function mentionOf(url: string, job: number): Mention {
  const own = job > 0 && { job };
  const link = { kind: 'page', priority: PRIORITY, depth: 1, hops: 0, outside: 0 } as const;
  return { url, ...link, parent: NO_BYTES, ...own };
}

function reasonAgainst(mention: Mention, rules: AdmitRules): string | undefined {
  const verdict = rules.scope.judge(mention.url, mention.outside);
  return verdict.in ? refusal(mention, rules) : verdict.reason;
}
