/**
 * What nodes of a cluster and of a ring have alike: one crawl that several of them do, so that each
 * must have been made with the same settings, and never ends by itself. A part of the composition
 * root.
 */
import { systemClock } from './adapters/node/index.ts';
import { CrawlError } from './base/errors.ts';
import type { Rules } from './comply/index.ts';
import { madeWith } from './compose-folder.ts';
import {
  type IdentityDifference,
  identityDifferences,
  identityOf,
  type Settings,
} from './config/index.ts';
import type { Answers } from './crawl/answers.ts';
import { makeAnswers } from './crawl/ask.ts';
import type { AnswerSources } from './crawl/ask-sources.ts';
import type { Compliance } from './crawl/comply.ts';
import { complyAnswersOf } from './crawl/comply-wire.ts';
import { lessErased } from './crawl/erased-links.ts';
import type { CrawlNode, CrawlRequest } from './crawl/index.ts';
import { type Beginning, jobPlanFrom } from './crawl/job-plan.ts';
import type { Jobs } from './crawl/jobs.ts';
import type { NodeNearness, NodePlan } from './crawl/node.ts';
import * as plan from './crawl/plan.ts';
import type { Tally } from './crawl/tally.ts';
import type { BlobStore } from './ports/blob-store.ts';
import type { EventLog } from './ports/event-log.ts';
import type { JobBook } from './ports/job-book.ts';
import type { Records } from './ports/records.ts';

export interface SharedPlanParts {
  readonly request: CrawlRequest;
  readonly crawl: Beginning;
  readonly pluginTypes: readonly string[];
  readonly denials: Rules;
  readonly tally: Tally;
  readonly nearness?: NodeNearness;
  /** Visits again what is due. */
  readonly schedules: boolean;
}

export function sharedPlan(parts: SharedPlanParts): NodePlan {
  const { request, crawl, pluginTypes, denials, tally, schedules, nearness } = parts;
  const { settings } = request;
  return {
    ...{ politeness: plan.politenessFrom(settings), wasClean: false, keepFresh: true, schedules },
    admit: plan.admitRulesFrom(settings, []),
    jobs: { ...jobPlanFrom(settings, crawl), isShared: true },
    visit: plan.visitRulesFrom(settings, [], pluginTypes),
    budget: plan.budgetFrom(settings, systemClock().now()),
    concurrency: plan.concurrencyFrom(settings),
    ...(nearness && { nearness }),
    patienceMs: settings.limits.patienceMs,
    recrawl: plan.recrawlFrom(settings),
    render: plan.renderRulesFrom(settings),
    onNoBrowser: request.onNoBrowser,
    onRobots: (event) => tally.noteRobots(event),
    onPage: (page) => {
      tally.note(page.event);
      return denials.meets(page.record.url) === undefined ? request.onPage?.(page) : undefined;
    },
  };
}

export interface SharedSourceParts {
  /** Of a folder, or what stands for one. */
  readonly dir: string;
  readonly settings: Settings;
  readonly node: CrawlNode;
  readonly jobs: Jobs;
  readonly store: AnswerSources['store'] & Records;
  readonly blobs: BlobStore;
  readonly events: Pick<EventLog, 'read'>;
  readonly denials: Rules;
}

/** Hosts are rated by all of their links, and a node has not all of them. */
export function sharedSources(parts: SharedSourceParts): AnswerSources {
  const { dir, settings, node, jobs, store, blobs, events, denials } = parts;
  return {
    ...{ dir, seeds: [], settings, clock: systemClock(), store, blobs, events, denials },
    ...{ rules: plan.admitRulesFrom(settings, []), politeness: plan.politenessFrom(settings) },
    ...{ isRunning: () => true, renders: () => node.renders?.counts(), jobs },
    records: lessErased(store, denials),
    rank: () => Promise.reject(notShared('Hosts are rated')),
    rulesFor: node.board.rulesFor.bind(node.board),
    askAgain: async (dues) => {
      const found = await store.urls(dues.map(({ key }) => key));
      const urls = found.flatMap((record) => record?.url ?? []);
      await jobs.start({ urls, name: 'asked again', depth: 0, ttlHours: 0 });
    },
  };
}

/** What is decided about pages, but not that all of them is erased: other nodes have parts of it. */
export function answersWithoutErasing(
  sources: AnswerSources,
  compliance: Compliance,
  what: string,
): Answers {
  const comply = complyAnswersOf(compliance);
  return makeAnswers(sources, {
    ...comply,
    takeDown: (query) => (query.erase ? Promise.reject(cannotErase(what)) : comply.takeDown(query)),
  });
}

export function cannotErase(what: string): CrawlError {
  return new CrawlError(
    'E_USAGE',
    `What ${what} keeps cannot be erased by a command yet.`,
    'Block it, so that it is never asked again, and delete its rows, bodies and events by hand.',
  );
}

function notShared(what: string): CrawlError {
  const hint = 'Do it on a crawl in a folder.';
  return new CrawlError('E_USAGE', `${what} in a crawl of one machine only.`, hint);
}

/** What engines and nodes say begins small, as a part of longer ones. */
export function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

export interface OpenIdentity {
  readonly crawl: Beginning;
  readonly isResumed: boolean;
  readonly settings: Settings;
}

/** The crawl of this book, or a new one; a node with other settings is refused. */
export async function openIdentity(
  request: CrawlRequest,
  book: JobBook,
  { name, hint }: { readonly name: string; readonly hint: string },
): Promise<OpenIdentity> {
  const { settings: given, asMade } = request;
  const now = systemClock().now();
  const began: Beginning = { seeds: [], createdAt: new Date(now).toISOString() };
  const identity = identityOf(given);
  const { own } = jobPlanFrom(given, began);
  if (await book.open({ ...own, identity }))
    return { crawl: began, isResumed: false, settings: given };
  const there = (await book.all()).find(({ id }) => id === 0) ?? own;
  const made = { settings: { ...there.identity } };
  const settings = asMade ? madeWith(given, made) : given;
  const differences = identityDifferences(there.identity ?? {}, identityOf(settings));
  if (differences.length > 0) throw otherSettings(differences, name, hint);
  const createdAt = new Date(there.createdAt).toISOString();
  return { crawl: { seeds: [], createdAt }, isResumed: true, settings };
}

export function otherSettings(
  differences: readonly IdentityDifference[],
  name: string,
  hint: string,
): CrawlError {
  const list = differences.map(
    (d) => `${d.flag} was ${d.was || 'not set'} and is now ${d.now || 'not set'}`,
  );
  const message = `${name} was made with other settings: ${list.join('; ')}`;
  return new CrawlError('E_FOLDER_SETTINGS', message, hint);
}
