/**
 * A folder that is asked, not crawled: a part of the composition root.
 *
 *   a crawl runs in it   through its socket
 *   it is at rest        its engines, opened for as long as the asking lasts
 *
 * Loads no network, no threads and no browser: `orb pages` begins at once.
 */
import { hasCleanMark, pathsOf, readManifest } from './adapters/folder/crawl-folder.ts';
import { FolderJobBook } from './adapters/folder/job-book.ts';
import { readRingNote } from './adapters/folder/ring-folder.ts';
import { FolderRunFiles } from './adapters/folder/run-files.ts';
import { systemClock } from './adapters/node/clock.ts';
import { askSocket } from './adapters/node/socket-ask.ts';
import { CrawlError } from './base/errors.ts';
import { engineOptionsFrom, openCompliance, openEngines } from './compose-engines.ts';
import { scopeSeeds, settingsOf } from './compose-folder.ts';
import { makeAnswers } from './crawl/ask.ts';
import type { AnswerSources } from './crawl/ask-sources.ts';
import { answersOver } from './crawl/ask-wire.ts';
import { complyAnswersOf } from './crawl/comply-wire.ts';
import { lessErased } from './crawl/erased-links.ts';
import { JobBoard } from './crawl/job-board.ts';
import { jobPlanFrom } from './crawl/job-plan.ts';
import { restingJobs } from './crawl/job-rest.ts';
import * as plan from './crawl/plan.ts';
import { Ranking } from './crawl/rank.ts';
import { restingDesk } from './crawl/rank-desk.ts';
import { dueNow } from './crawl/recrawl.ts';
import type { OpenFolder } from './edge/cli/world.ts';

/** Asks a folder: through the socket of the crawl that runs in it, or its engines. */
export async function readFolder(dir: string): Promise<OpenFolder> {
  const running = await askSocket(dir);
  if (running !== undefined) {
    return { answers: answersOver((request) => running.ask(request)), close: async () => {} };
  }
  await refuseResting(dir);
  const manifest = await readManifest(dir);
  if (manifest === undefined) {
    throw new CrawlError(
      'E_FOLDER_MISSING',
      `there is no crawl in ${dir}`,
      'name its folder with --dir, or begin one with `orb crawl URL`',
    );
  }
  const engines = await openEngines(dir, engineOptionsFrom(settingsOf(manifest)));
  const { store, blobs, events } = engines;
  try {
    await hasCleanMark(dir, (await store.totals()).known);
  } catch (error) {
    await engines.close();
    throw error;
  }
  const settings = settingsOf(manifest);
  const { seeds } = manifest;
  const rules = plan.admitRulesFrom(settings, scopeSeeds(settings, seeds));
  await rules.scope.recall(store);
  const clock = systemClock();
  const counts = await store.jobs();
  const board = new JobBoard(
    rules,
    jobPlanFrom(settings, manifest),
    () => clock.now(),
    () => counts,
  );
  await board.read(new FolderJobBook(pathsOf(dir).jobs), store);
  const files = new FolderRunFiles(pathsOf(dir).rank);
  const ranking = new Ranking({ store, records: store, files, clock }, restingDesk(store), {
    rules: (query) => plan.ratingRulesFrom(settings, query),
    ...{ everyMs: 0, share: 1 },
  });
  const compliance = await openCompliance(engines, settings);
  const sources: AnswerSources = {
    ...{ dir, seeds, settings, rules, politeness: plan.politenessFrom(settings) },
    ...{ clock, store, blobs, events, isRunning: () => false },
    records: lessErased(store, compliance.denials),
    denials: compliance.denials,
    rank: (query) => ranking.run(query, 0).finally(() => engines.sync()),
    askAgain: (dues) => dueNow(store, dues, clock.now()).finally(() => engines.sync()),
    ...{ jobs: restingJobs(board, dir), rulesFor: board.rulesFor.bind(board) },
  };
  const answers = makeAnswers(sources, complyAnswersOf(compliance));
  return { answers, close: () => engines.close() };
}

/** Copies of what others own lie among a node's own rows, and all of them are its ring's. */
async function refuseResting(dir: string): Promise<void> {
  if ((await readRingNote(dir)) === undefined) return;
  const hint = `Start it (orb ring start --dir ${dir}), or ask another node of the ring.`;
  throw new CrawlError('E_USAGE', `The node of a ring in ${dir} does not run.`, hint);
}
