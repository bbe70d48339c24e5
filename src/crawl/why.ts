/**
 * The story of one URL (A4, R4, F9): why it was, was not, or will be crawled. Pure: `ask.ts`
 * gathers the facts, this tells them in sentences that a site's owner understands, in the
 * order in which the crawl decides.
 *
 *   spelling → scope, depth → how it was found → its priority → robots.txt → the host's turn
 *     → what was noticed of the site → tries → state → what the page says → when again
 */
import type { Instant } from '../base/instant.ts';
import type { Rule } from '../comply/index.ts';
import { FLAGS, type UrlRecord } from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import type { WhyAnswer, WhyVerdict } from './answers.ts';
import { denialSentence } from './comply-text.ts';
import { againSentences } from './why-again.ts';
import type { WhyFacts } from './why-facts.ts';
import { hostSentences, robotsSentence, triesSentences } from './why-host.ts';
import { jobSentences } from './why-job.ts';
import { pageSentences } from './why-page.ts';
import { prioritySentence, siteSentences } from './why-site.ts';
import { spellingSentence } from './why-spelling.ts';
import { whenText } from './why-text.ts';

export function tellWhy(facts: WhyFacts): WhyAnswer {
  const { url, record } = facts;
  if (url === undefined) return noUrl(facts.given);
  const spelling = spellingSentence(facts.given, url);
  const story = [...(spelling === undefined ? [] : [spelling]), scopeSentence(facts)];
  if (facts.denial !== undefined) return denied(facts, facts.denial, story);
  if (record === undefined) return { url, ...unknown(facts, story), ...factsOf(facts) };
  story.push(foundSentence(record, facts), ...jobSentences(record, facts.job, facts.now));
  story.push(prioritySentence(record, facts), robotsSentence(facts));
  story.push(...hostSentences(facts), ...siteSentences(facts), ...triesSentences(facts));
  story.push(stateSentence(record, facts.now), ...pageSentences(record, facts));
  story.push(...againSentences(record, facts), ...idleSentences(record, facts));
  return { url, verdict: verdictOf(record), story, record, ...factsOf(facts) };
}

/** Nothing else decides any more; what is left of its record is told by its last state. */
function denied(facts: WhyFacts, rule: Rule, story: readonly string[]): WhyAnswer {
  const { url = '', record } = facts;
  const told = [...story, denialSentence(rule)];
  if (record === undefined) return { url, verdict: 'denied', story: told, ...factsOf(facts) };
  told.push(foundSentence(record, facts));
  if ((record.flags & FLAGS.erased) !== 0) told.push('Nothing of its content is kept.');
  return { url, verdict: 'denied', story: told, record, ...factsOf(facts) };
}

function factsOf({ original, host, notes }: WhyFacts): Partial<WhyAnswer> {
  return {
    ...(original && { originalUrl: original.url }),
    ...(host && { host }),
    notes,
  };
}

function noUrl(given: string): WhyAnswer {
  const sentence = `${given} is not a whole http: or https: URL, such as https://example.com/a.`;
  return { url: given, verdict: 'not a URL', story: [sentence] };
}

/** Which setting decides, by the reason that scope.ts gives. */
const DECIDED_BY: readonly (readonly [RegExp, string])[] = [
  [/^excluded by/, '--exclude'],
  [/^not a host/, '--scope host'],
  [/^not a domain/, '--scope domain'],
  [/^not under/, '--prefix'],
  [/^matches no/, '--include'],
];

function scopeSentence({ scope, isBlockedHost, url }: WhyFacts): string {
  if (isBlockedHost) return `Its host ${hostOf(url as string)} is blocked by --block-host.`;
  const setting = DECIDED_BY.find(([reason]) => reason.test(scope.reason))?.[1];
  const by = setting === undefined ? '' : ` (${setting})`;
  if (scope.in) return `It belongs to the crawl: it is ${scope.reason}${by}.`;
  return `It does not belong to the crawl: it is ${scope.reason}${by}.`;
}

function unknown(
  facts: WhyFacts,
  story: string[],
): { verdict: WhyVerdict; story: readonly string[] } {
  if (!facts.scope.in || facts.isBlockedHost) return { verdict: 'out of scope', story };
  if (facts.refusal !== undefined) {
    const setting = facts.refusal.includes('path') ? '--path-depth' : '--depth';
    story.push(`It is not taken all the same: ${facts.refusal} (${setting}).`);
    return { verdict: 'too deep', story };
  }
  if (facts.notes.trap !== undefined || facts.notes.isLoop === true) {
    return { verdict: 'trap', story: [...story, ...siteSentences(facts)] };
  }
  story.push('The crawl never heard of it: it is no seed, and no page read so far links to it.');
  story.push(robotsSentence(facts), ...siteSentences(facts));
  return { verdict: 'never heard of', story };
}

function foundSentence(record: UrlRecord, { parent, now }: WhyFacts): string {
  const since = `It is known since ${whenText(record.firstSeenAt, now)}`;
  if (record.parent.length === 0) {
    return record.kind === 'sitemap'
      ? `${since}, as a sitemap that robots.txt or the command line names.`
      : `${since}, as a seed.`;
  }
  const text = parent?.text ? ` with the words '${parent.text}'` : '';
  const page = parent === undefined ? 'a page' : parent.record.url;
  const how = record.hops > 0 ? `redirected to by ${page}` : `linked from ${page}${text}`;
  const depth = record.depth === 1 ? '1 link' : `${record.depth} links`;
  return `${since}: ${how}, ${depth} from a seed.`;
}

function verdictOf(record: UrlRecord): WhyVerdict {
  switch (record.state) {
    case 'indexed':
      return 'fetched';
    case 'skipped':
      if ((record.flags & FLAGS.trap_suspected) !== 0) return 'trap';
      return record.reason.startsWith('robots.txt') ? 'forbidden' : 'skipped';
    case 'retrying':
    case 'dead':
    case 'failed':
      return record.state;
    default:
      return 'waiting';
  }
}

/** Nothing happens by itself in a folder at rest. */
function idleSentences(record: UrlRecord, { isRunning }: WhyFacts): string[] {
  const isWaiting = record.nextCrawlAt > 0 || verdictOf(record) === 'waiting';
  return isRunning || !isWaiting
    ? []
    : [`No crawl runs in this folder now; 'orb crawl' goes on with it.`];
}

function stateSentence(record: UrlRecord, now: Instant): string {
  const reason = record.reason === '' ? '' : `: ${record.reason}`;
  switch (verdictOf(record)) {
    case 'fetched': {
      const to = record.redirectTo === '' ? '' : ` and led to ${record.redirectTo}`;
      const when = whenText(record.lastFetchedAt, now);
      return `It was fetched ${when} with status ${record.httpStatus}${to}${reason}.`;
    }
    case 'forbidden':
      return `It was not asked for${reason}.`;
    case 'skipped':
    case 'trap':
      return `It was skipped${reason}.`;
    case 'retrying':
      return `The last try failed${reason}.`;
    case 'dead':
      return `It is gone${reason}.`;
    case 'failed':
      return `It failed${reason}.`;
    default:
      return 'It waits in the queue.';
  }
}
