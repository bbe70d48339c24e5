/**
 * A cluster that is asked, not crawled (A4): the records answer for the whole crawl, whoever
 * fetched what. Loads no network, no threads and no browser.
 */
import { type Broker, KafkaArcGroup, KafkaEventLog } from './adapters/kafka/index.ts';
import { systemClock } from './adapters/node/clock.ts';
import { openS3Blobs } from './adapters/s3/index.ts';
import { CrawlError } from './base/errors.ts';
import { MINUTE_MS } from './base/instant.ts';
import type { ClusterEngines } from './compose-cluster-engines.ts';
import { clusterCompliance, clusterComplyAnswers } from './compose-cluster-erase.ts';
import { placesFrom } from './compose-cluster-places.ts';
import { hasCrawl, openRecords } from './compose-cluster-records.ts';
import { madeWith } from './compose-folder.ts';
import type { Settings } from './config/index.ts';
import type { Answers } from './crawl/answers.ts';
import { makeAnswers } from './crawl/ask.ts';
import type { AnswerSources } from './crawl/ask-sources.ts';
import { lessErased, logLessErased } from './crawl/erased-links.ts';
import { JobBoard } from './crawl/job-board.ts';
import { jobPlanFrom } from './crawl/job-plan.ts';
import { restingJobs } from './crawl/job-rest.ts';
import * as plan from './crawl/plan.ts';
import { askByJob } from './crawl/recrawl-by-job.ts';
import type { OpenFolder } from './edge/cli/world.ts';
import type { Mention } from './events/index.ts';
import type { EventLog } from './ports/event-log.ts';

export async function readCluster(settings: Settings): Promise<OpenFolder> {
  const places = placesFrom(settings);
  const { name } = settings.cluster;
  if (!(await hasCrawl(places.records))) {
    const hint = 'Check --name, or begin it: orb serve with the same settings.';
    throw new CrawlError('E_FOLDER_MISSING', `There is no crawl named ${name} there.`, hint);
  }
  const records = await openRecords(places.records);
  const blobs = await openS3Blobs(places.s3).catch(async (error: unknown) => {
    await records.close();
    throw error;
  });
  const events = lateLog(() => KafkaEventLog.open(places.broker, systemClock()));
  const close = async () => {
    await events.close();
    await blobs.close();
    await records.close();
  };
  try {
    const hand = (mentions: readonly Mention[]) => handOver(places.broker, mentions);
    const answers = await answersOf(settings, { records, blobs, events, hand });
    return { answers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

type ReadEngines = Pick<ClusterEngines, 'records' | 'blobs'> & {
  readonly events: EventLog;
  readonly hand: (mentions: readonly Mention[]) => Promise<void>;
};

async function answersOf(given: Settings, engines: ReadEngines): Promise<Answers> {
  const { records, blobs, events, hand } = engines;
  const own = (await records.jobs.all()).find(({ id }) => id === 0);
  const settings = own?.identity ? madeWith(given, { settings: { ...own.identity } }) : given;
  const { store } = records;
  const clock = systemClock();
  const rules = plan.admitRulesFrom(settings, []);
  const counts = await store.jobs();
  const began = { seeds: [], createdAt: new Date(own?.createdAt ?? clock.now()).toISOString() };
  const board = new JobBoard(
    rules,
    jobPlanFrom(settings, began),
    () => clock.now(),
    () => counts,
  );
  await board.read(records.jobs, store);
  const compliance = await clusterCompliance(engines, settings);
  const { denials } = compliance;
  const sources: AnswerSources = {
    ...{ dir: `cluster ${settings.cluster.name}`, seeds: [], settings, rules, clock },
    ...{ politeness: plan.politenessFrom(settings), store, blobs },
    ...{ denials, isRunning: () => true, events: logLessErased(events, denials) },
    records: lessErased(store, denials),
    rank: () => Promise.reject(notRated()),
    askAgain: async (dues) => {
      const found = await store.urls(dues.map(({ key }) => key));
      const ports = { book: records.jobs, hand, clock };
      await askByJob(
        ports,
        found.flatMap((record) => record?.url ?? []),
      );
    },
    ...{ jobs: restingJobs(board, 'a cluster'), rulesFor: board.rulesFor.bind(board) },
  };
  return makeAnswers(sources, clusterComplyAnswers(compliance, engines));
}

function notRated(): CrawlError {
  const hint = 'Rate a crawl in a folder; nodes order their queues by what each of them knows.';
  return new CrawlError('E_USAGE', 'Hosts are rated by a crawl of one machine.', hint);
}

/** To the owners, by whoever is none: connected when something is to be sent. */
async function handOver(broker: Broker, mentions: readonly Mention[]): Promise<void> {
  const clock = systemClock();
  const group = await KafkaArcGroup.connect({ broker, clock, sessionMs: MINUTE_MS });
  try {
    await group.hand(mentions);
  } finally {
    await group.close();
  }
}

/** Opened by whoever reads first; a topic that nobody reads is not asked for. */
function lateLog(open: () => Promise<EventLog>): EventLog {
  let opened: Promise<EventLog> | undefined;
  const log = () => {
    opened ??= open();
    return opened;
  };
  return {
    publish: async (events) => (await log()).publish(events),
    read: async function* (after) {
      yield* (await log()).read(after);
    },
    close: async () => {
      await (await opened)?.close();
    },
  };
}
