/**
 * The site's part of a URL's story: traps (Q1), redirects in circles (Q3), missing pages (C3),
 * repeated pages (C4), budgets, review (Q2), and how the URL's priority came about (F2).
 */
import {
  claimOf,
  PARKED_PRIORITY,
  priorityOf,
  ratingSentence,
  UNKNOWN_AUTHORITY,
} from '../quality/index.ts';
import { HOST_FLAGS, type HostRecord, type UrlRecord } from '../record/index.ts';
import type { TrapNote } from './answers.ts';
import type { WhyFacts } from './why-facts.ts';
import { countText, whenText } from './why-text.ts';

export function siteSentences(facts: WhyFacts): string[] {
  const { host, notes } = facts;
  const sentences: string[] = [];
  if (notes.trap !== undefined) sentences.push(...trapSentences(notes.trap, facts));
  if (notes.isLoop) {
    sentences.push('A redirect led here in a circle before, so nothing is sent here by it again.');
  }
  if (host === undefined) return sentences;
  if ((host.flags & HOST_FLAGS.soft_404) !== 0) sentences.push(soft404HostSentence(host, facts));
  if ((host.flags & HOST_FLAGS.content_farm) !== 0) sentences.push(farmSentence(host, facts));
  const rating = ratingSentence(host);
  return rating === undefined ? sentences : [...sentences, rating];
}

function trapSentences(trap: TrapNote, { now }: WhyFacts): string[] {
  const since = `since ${whenText(trap.since, now)}`;
  const spent = countText(trap.fetched, 'such page', 'such pages');
  const kept =
    trap.skipped === 0 ? '' : `; ${countText(trap.skipped, 'more was', 'more were')} kept out`;
  const again =
    trap.lookAt > now ? ` A few are looked at again ${whenText(trap.lookAt, now)}.` : '';
  const few = trap.parametersMax > 0;
  const which = few
    ? `addresses like ${trap.shape} with more than ${countText(trap.parametersMax, 'parameter')}`
    : `addresses like ${trap.shape}`;
  return [
    `It looks like one of endless pages that a program makes: ${trap.reason}.`,
    `So ${which} are left alone ${since}, after ${spent}${kept}.${again}`,
    `If these are pages that people read, --allow-shape '${trap.shape}' takes them in again.`,
  ];
}

function soft404HostSentence({ host }: HostRecord, { notes, now }: WhyFacts): string {
  const { soft404 } = notes;
  if (soft404 === undefined) return `${host} answers 200 for pages that do not exist.`;
  const since = whenText(soft404.since, now);
  return `${host} answers 200 for pages that do not exist (${soft404.reason}), noticed ${since}.`;
}

function farmSentence({ host }: HostRecord, { notes, now }: WhyFacts): string {
  const { farm } = notes;
  const what = farm?.reason ?? 'most of its pages nearly repeat other pages';
  const since = farm === undefined ? '' : `, noticed ${whenText(farm.since, now)}`;
  return `${host} is asked for a tenth of what it would be otherwise: ${what}${since}.`;
}

/** How the priority of a URL came about, in the parts that score.ts adds up. */
export function prioritySentence(record: UrlRecord, { host, parent }: WhyFacts): string {
  const { priority, depth } = record;
  const start = `Its priority is ${priority.toFixed(2)} of 1`;
  if (record.parent.length === 0) return `${start}, as seeds have it.`;
  if (priority === PARKED_PRIORITY) return PARKED;
  const named = parent?.record.priority;
  const by = named === undefined ? '' : `, and the page that named it has ${named.toFixed(2)}`;
  const damped = `it is ${countText(depth, 'link')} from a seed${by}`;
  if (host === undefined) return `${start}; ${damped}.`;
  const ofHost = hostPart(depth, named ?? 1, host.authority);
  if (ofHost > priority) return `${start}${isSuspect(record, ofHost) ? SUSPECT : ''}; ${damped}.`;
  const ofLink = (priority - ofHost).toFixed(2);
  const link = `${ofLink} for the link to it (how new it is, and its place on the page)`;
  return `${start}: ${ofHost.toFixed(2)} for its host (${ratedText(host)}) and ${link}; ${damped}.`;
}

/** Only of one that still waits: ratings change, and a visited page keeps its old priority. */
function isSuspect({ state, priority }: UrlRecord, ofHost: number): boolean {
  return state === 'queued' && priority < ofHost / 2;
}

const SUSPECT = ', lowered because many addresses of its site look like it and may have no end';

const PARKED =
  'It is parked: its domain has named more addresses than the links of other domains to it speak ' +
  'for (--domain-budget), so it comes after all others; it is asked when nothing else waits.';

/** What is left when a link says nothing for itself. */
function hostPart(depth: number, parentPriority: number, authority: number): number {
  const claim = claimOf({ context: 0, depth, parentPriority, ageMs: Number.MAX_VALUE });
  return priorityOf(claim, authority);
}

function ratedText({ authority, inDomains }: HostRecord): string {
  if (inDomains === 0 && authority === UNKNOWN_AUTHORITY) return 'which nobody has rated yet';
  return `rated ${authority.toFixed(2)} by the links of ${countText(inDomains, 'other domain')}`;
}
