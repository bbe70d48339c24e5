/**
 * The last part of a URL's story: how it changes, and when it is asked again and why then
 * (T1–T3, F8, H1).
 */
import { DAY_MS, HOUR_MS } from '../base/instant.ts';
import { FLAGS, type HostClass, type HostRecord, type UrlRecord } from '../record/index.ts';
import {
  boundsOf,
  changeMsOf,
  DEAD_FOR_GOOD_MS,
  importanceOf,
  type PolicyName,
  type Tier,
  tierOf,
} from '../recrawl/index.ts';
import type { WhyFacts } from './why-facts.ts';
import { countText, spanText, whenText } from './why-text.ts';

const NOT_MODIFIED = 304;
/** A visit that comes this much sooner or later than its interval was moved by something. */
const MOVED_SHARE = 0.1;

export function againSentences(record: UrlRecord, facts: WhyFacts): string[] {
  const sentences: string[] = [];
  const changes = changeSentence(record, facts);
  if (changes !== undefined) sentences.push(changes);
  const saved = facts.tries.filter(({ status }) => status === NOT_MODIFIED).length;
  if (saved > 0) {
    const times = countText(saved, 'of the tries above was', 'of the tries above were');
    sentences.push(`${times} answered 'not modified', so that nothing was sent twice.`);
  }
  if (record.nextCrawlAt > 0) sentences.push(againSentence(record, facts));
  else if (record.state === 'indexed' && facts.policy === 'never') sentences.push(NEVER);
  return sentences;
}

const NEVER = 'It is asked again only when somebody asks for it (--recrawl-policy never).';

/** Only of a page that was visited twice: before that there is nothing to compare. */
function changeSentence(record: UrlRecord, { now }: WhyFacts): string | undefined {
  const { visits, changes, lastChangedAt } = record;
  if (visits < 2) return undefined;
  const start = `In ${countText(visits, 'visit')} it was found changed`;
  const stays = stayMs(record);
  const tail = stays === undefined ? '' : `; it is thought to stay as it is for ${spanText(stays)}`;
  if (changes === 0) return `${start} never, since ${whenText(lastChangedAt, now)}${tail}.`;
  return `${start} ${countText(changes, 'time')}, last ${whenText(lastChangedAt, now)}${tail}.`;
}

function againSentence(record: UrlRecord, facts: WhyFacts): string {
  const { now, host } = facts;
  const when = `It is asked again ${whenText(record.nextCrawlAt, now)}`;
  if (record.nextCrawlAt <= now) return `${when.replace('is asked', 'was due to be asked')}.`;
  if (record.state === 'dead') {
    return `${when}: what is gone is looked at for ${spanText(DEAD_FOR_GOOD_MS)}, then no more.`;
  }
  if ((record.flags & FLAGS.soft_404) !== 0) return `${when}, to see whether there is a page then.`;
  if (record.state !== 'indexed' || record.intervalMs === 0) return `${when}.`;
  const every = `such a page is looked at every ${spanText(record.intervalMs)}`;
  const site = host === undefined ? '' : ` (${classText(host)}; ${tierText(record, host)})`;
  const how = SPREAD[facts.policy ?? 'halving'];
  return `${when}: ${every}${site}${movedText(record)}${how}.`;
}

const SPREAD: Readonly<Record<PolicyName, string>> = {
  halving: '',
  optimal: '; visits are spread so that most of what is kept is up to date',
  uniform: '; all pages are given the same time',
  never: '',
};

/** With the bounds of its tier on such a host, unless a budget or a policy goes beyond them. */
function tierText(record: UrlRecord, { quality, hostClass, changeMs }: HostRecord): string {
  const stays = stayMs(record) ?? (changeMs || ORDINARY_MS);
  const tier = tierOf(importanceOf(record.priority, quality), stays);
  const { floorMs, ceilingMs } = boundsOf(hostClass, tier);
  const isWithin = record.intervalMs >= floorMs && record.intervalMs <= ceilingMs;
  if (!isWithin || floorMs === ceilingMs) return TIERS[tier];
  return `${TIERS[tier]}, which are given ${spanText(floorMs)} to ${spanText(ceilingMs)}`;
}

const TIERS: Readonly<Record<Tier, string>> = {
  1: 'one of the pages that matter most and change quickly',
  2: 'one of the pages that matter',
  3: 'one page of many',
};
const ORDINARY_MS = 10 * DAY_MS;

/** How long the page stays as it is, as far as its visits tell. */
function stayMs({ rateShape: shape, rateMs: ms }: UrlRecord): number | undefined {
  return shape > 0 ? changeMsOf({ shape, ms }) : undefined;
}

const CLASSES: Readonly<Record<HostClass, string>> = {
  unknown: 'is not known well enough yet and counts as an ordinary site',
  news: 'changes by the hour, as news do',
  generic: 'changes as ordinary sites do',
  dormant: 'hardly ever changes',
};

function classText({ host, hostClass }: HostRecord): string {
  return `${host} ${CLASSES[hostClass]}`;
}

/** What moved the visit away from its interval: a sitemap's word, or a budget that is short. */
function movedText({ lastFetchedAt, nextCrawlAt, intervalMs }: UrlRecord): string {
  const waitMs = nextCrawlAt - lastFetchedAt;
  const slack = Math.max(MOVED_SHARE * intervalMs, HOUR_MS / 60);
  if (waitMs < intervalMs - slack) {
    return ', and a sitemap says that this one has changed, so it comes sooner';
  }
  if (waitMs > intervalMs + slack) {
    return ', and the crawl may not ask so often in all, so it comes later';
  }
  return '';
}
