/**
 * The site's part of a URL's story: traps (Q1), redirects in circles (Q3), missing pages (C3),
 * repeated pages (C4), budgets, review (Q2), and how the URL's priority came about (F2).
 */
import { HOST_FLAGS, type HostRecord, type UrlRecord } from '../record/index.ts';
import type { TrapNote } from './answers.ts';
import type { WhyFacts } from './why-facts.ts';
import { countText, listText, whenText } from './why-text.ts';

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
  if ((host.flags & HOST_FLAGS.denied) !== 0) sentences.push(deniedSentence(host));
  return sentences;
}

function trapSentences(trap: TrapNote, { now }: WhyFacts): string[] {
  const since = `since ${whenText(trap.since, now)}`;
  const spent = countText(trap.fetched, 'such page', 'such pages');
  const kept = countText(trap.skipped, 'more was', 'more were');
  const again =
    trap.lookAt > now ? ` A few are looked at again ${whenText(trap.lookAt, now)}.` : '';
  const few = trap.parametersMax > 0;
  const which = few
    ? `addresses like ${trap.shape} with more than ${countText(trap.parametersMax, 'parameter')}`
    : `addresses like ${trap.shape}`;
  return [
    `It looks like one of endless pages that a program makes: ${trap.reason}.`,
    `So ${which} are left alone ${since}, after ${spent}; ${kept} kept out.${again}`,
    `If these are pages that people read, --trap-allow '${trap.shape}' takes them in again.`,
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

function deniedSentence({ host }: HostRecord): string {
  return `${host} is held back until a person has looked at it: nothing of it is asked meanwhile.`;
}

/** How the priority of a URL that waits, or waited, came about. */
export function prioritySentence(record: UrlRecord, facts: WhyFacts): string {
  const { host, parent } = facts;
  const start = `Its priority is ${record.priority.toFixed(2)} of 1`;
  if (record.parent.length === 0) return `${start}, as seeds have it.`;
  const parts = host === undefined ? [] : [authorityText(host)];
  parts.push(`it is ${countText(record.depth, 'link')} from a seed`);
  if (parent !== undefined) {
    parts.push(`the page that named it has ${parent.record.priority.toFixed(2)}`);
  }
  return `${start}, for the place and freshness of the link to it, and because ${listText(parts)}.`;
}

function authorityText({ host, authority, quality, inDomains }: HostRecord): string {
  const isRated = inDomains > 0 || quality !== 0.5 || authority !== 0.5;
  if (!isRated) return `nobody has rated ${host} yet`;
  const links = countText(inDomains, 'other domain');
  return `${host} is rated ${authority.toFixed(2)} (${links} link to it)`;
}
