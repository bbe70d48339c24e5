/**
 * The composition root of a node of a ring (D1–D8): the same crawl as in a folder, whose arcs come
 * and go, kept by several nodes.
 *
 *   openRing(request)   folder, key ─▶ engines ─▶ into the ring ─▶ whose crawl is it ─▶ node ─▶ session
 *
 *   compose-ring-folder.ts    whose folder is it       compose-ring-engines.ts   what it stands on
 *   compose-ring-enter.ts     start, join, back        compose-ring-refused.ts   why not
 *   compose-ring-follow.ts    what others do           compose-ring-ask.ts       status and leave
 *   compose-ring-lend.ts      what is lent, borrowed
 */
import { randomUUID } from 'node:crypto';
import { writeFolder } from './adapters/folder/crawl-folder.ts';
import { writeRingNote } from './adapters/folder/ring-folder.ts';
import { maybeFilter } from './adapters/memory/maybe-filter.ts';
import { systemClock, systemRandom } from './adapters/node/index.ts';
import { openSigner } from './adapters/node/key-files.ts';
import { serveSocket } from './adapters/node/socket.ts';
import { systemVitals } from './adapters/node/vitals.ts';
import { assert } from './base/assert.ts';
import { crawlOptionsFrom } from './compose.ts';
import { startKeeping } from './compose-chores.ts';
import { openCompliance } from './compose-engines.ts';
import { openManifest } from './compose-folder.ts';
import { openNearness } from './compose-nearness.ts';
import { type Footing, openFooting, openPlugins } from './compose-ports.ts';
import { openAddressTurns, openRingEngines, type RingEngines } from './compose-ring-engines.ts';
import {
  enterRing,
  noteOf,
  RING_HINT,
  RING_NAME,
  refuseOtherThanBefore,
} from './compose-ring-enter.ts';
import { openRingFolder, type RingFolder } from './compose-ring-folder.ts';
import { followRing } from './compose-ring-follow.ts';
import { openRingLending } from './compose-ring-lend.ts';
import {
  answersWithoutErasing,
  openIdentity,
  sentence,
  sharedPlan,
  sharedSources,
} from './compose-shared.ts';
import { answerRequest } from './crawl/ask-wire.ts';
import type { Compliance } from './crawl/comply.ts';
import { runningDesk } from './crawl/comply-desk.ts';
import { CrawlNode, type Membership } from './crawl/index.ts';
import type { Beginning } from './crawl/job-plan.ts';
import type { NodeNearness } from './crawl/node.ts';
import type { RingAddressTurns } from './crawl/ring-address.ts';
import { RingBook } from './crawl/ring-book.ts';
import { RingCounts } from './crawl/ring-counts.ts';
import { answerRing, type RingRequest, type RingSession } from './crawl/ring-desk.ts';
import { RingGroup } from './crawl/ring-group.ts';
import { leavingDesk } from './crawl/ring-leave.ts';
import { makeRingAnswers } from './crawl/ring-survey.ts';
import { makeLookups } from './crawl/serve-lookups.ts';
import { makeSurveys } from './crawl/serve-surveys.ts';
import { sessionOf } from './crawl/session.ts';
import { Tally } from './crawl/tally.ts';
import type { JobBook } from './ports/job-book.ts';
import { NO_TOTALS, type Totals } from './ports/shard-store.ts';

/** How long visits of an arc that goes to another may take to end by themselves. */
const DRAIN_MS_MAX = 10_000;
const LEAVE_MS_MAX = 5_000;
/** A crawler asks for a part of a ring's term, which is renewed every second. */
const TERM_PART = 3;

export async function openRing(request: RingRequest): Promise<RingSession> {
  const nearness = await openNearness(request.settings);
  const sign = await openSigner(request.settings.agent, systemClock());
  await openPlugins(request.settings);
  const folder = await openRingFolder(request);
  const { dir } = request;
  if (folder.note !== undefined) await refuseOtherThanBefore(request);
  // What was given to a node that is no member yet says nothing about its ring.
  const asMade = request.asMade === true && folder.note !== undefined;
  const { settings, crawl } = await openManifest({ ...request, asMade }, true);
  const own: { totals: Totals } = { totals: NO_TOTALS };
  const engines = await openRingEngines(dir, settings, crawlOptionsFrom(settings, []), folder, {
    log: (what, error) => sayTrouble(request, `${what}: ${(error as Error).message}`),
    failed: (error) => sayTrouble(request, `this node has stopped: ${(error as Error).message}`),
    totals: () => own.totals,
  });
  try {
    await writeFolder(dir, crawl);
    const isIn = await enterRing(engines.ring, request, folder);
    // Whoever is killed a moment later must know whom to look for.
    await writeRingNote(dir, noteOf(engines.ring, folder.note));
    if (isIn) sayEntered(request, engines, folder);
    const filter = maybeFilter();
    const footing = await openFooting(settings, engines, filter, sign);
    const made = { ...request, settings };
    return await openSession({ request: made, folder, engines, footing, own, nearness });
  } catch (error) {
    // Who has just come, and cannot stay, is not to be missed for long.
    const isGone = folder.note === undefined && (await engines.ring.leave(LEAVE_MS_MAX));
    if (!isGone) await engines.ring.close();
    await engines.close();
    throw error;
  }
}

function sayTrouble({ onNews }: RingRequest, text: string): void {
  onNews?.({ event: 'engine', isBad: true, text: sentence(text) });
}

function sayEntered(
  { onNews, dir }: RingRequest,
  { ring }: RingEngines,
  { note, newSecretAt }: RingFolder,
): void {
  const { successors } = ring.report();
  const others = successors.filter(({ id }) => id !== ring.me.id).length;
  const what =
    others > 0
      ? `This node is ${note ? 'back' : 'a member'}, at ${ring.me.at}`
      : `A ring of one node, at ${ring.me.at}`;
  const secret = newSecretAt ? ` Its secret is in ${newSecretAt}: whoever has it may join.` : '';
  const join = others > 0 ? '' : ` Others join with: orb ring join ${ring.me.at}.`;
  onNews?.({ event: 'joined', isBad: false, text: `${what}, folder ${dir}.${join}${secret}` });
}

interface SessionParts {
  readonly request: RingRequest;
  readonly folder: RingFolder;
  readonly engines: RingEngines;
  readonly footing: Footing;
  readonly nearness: NodeNearness;
  /** What the arcs of this node hold. */
  readonly own: { totals: Totals };
}

interface NodeParts extends SessionParts {
  readonly addressTurns: RingAddressTurns | undefined;
}

async function openSession(parts: SessionParts): Promise<RingSession> {
  const { engines, footing, own } = parts;
  const { ring, store, blobs, events } = engines;
  const { clock, resolver, metering } = footing;
  const { id } = ring.me;
  const holder = `${id}/${randomUUID()}`;
  const { dir } = parts.request;
  const book = new RingBook({
    ...{ arcs: ring, calls: ring, table: engines.book, clock, holder },
  });
  const ringAnswers = makeRingAnswers(ring, ring, clock);
  const counts = new RingCounts({
    calls: ring,
    own: () => store.countsByArc(),
    others: async () => {
      const { nodes } = await ringAnswers.survey();
      // Who is silent would be waited for at each look.
      return nodes.flatMap(({ peer, report }) => (report && peer.id !== id ? [peer] : []));
    },
  });
  const { crawl, isResumed, settings } = await openIdentity(parts.request, book, {
    ...{ name: RING_NAME, hint: RING_HINT },
  });
  const request = { ...parts.request, settings };
  const compliance = await openCompliance(engines, settings);
  const tally = new Tally();
  const notice = (text: string) => sayTrouble(request, text);
  const addressTurns = openAddressTurns(settings, ring, holder, notice);
  const node = await openNode(
    { ...parts, request, addressTurns },
    crawl,
    book,
    counts,
    compliance,
    tally,
    holder,
  );
  compliance.runsWith(runningDesk(node.settling, node.comeback));
  const { jobs } = node;
  assert(jobs !== undefined, 'a ring has a book of jobs');
  const borrowing = openRingLending(ring, node, settings, footing);
  const keeping = startKeeping({ request, engines, compliance, resolver, clock });
  const following = followRing({
    node,
    counts,
    own,
    engines,
    clock,
    dir,
    note: parts.folder.note,
    onNews: request.onNews,
  });
  const { denials } = compliance;
  const sources = sharedSources({ dir, settings, node, jobs, store, blobs, events, denials });
  const answers = answersWithoutErasing(sources, compliance, 'a ring');
  const { desk, left } = leavingDesk(ring, ringAnswers, clock);
  const socket = await serveSocket(
    dir,
    (asked) => answerRing(desk, asked) ?? answerRequest(answers, asked),
  );
  const surveys = makeSurveys(sources, events, metering.shards);
  const run: { ended?: Promise<unknown> } = {};
  const close = async () => {
    // A node that has left is not drained: nothing of it is anybody's any more.
    node.worker.abort();
    await surveys.close();
    const jobsClosed = jobs.close();
    await Promise.all([following.stop(), borrowing.stop()]);
    addressTurns?.close();
    await keeping.stop();
    await (run.ended ?? node.arcs?.close());
    await socket.close();
    await ring.close();
    await jobsClosed;
    await keeping.finish();
    const { http, pool, renderer } = footing;
    await Promise.all([http.close(), pool.close(), renderer.close()]);
    await engines.sync();
    await engines.close();
  };
  void left.then(() => writeRingNote(dir, { state: 'left', members: [] })).catch(() => undefined);
  const lookups = makeLookups(sources, footing.pool);
  const shown = { node, clock, tally, dir, isResumed, seeds: [], ringAnswers };
  const session = sessionOf({ ...shown, answers, lookups, surveys, jobs, close });
  const { targetRate: targetPerSecond } = settings.serve;
  const vitals = systemVitals();
  const report = () => ring.report();
  const metrics = metering.metricsOf(node, { resolver, vitals, targetPerSecond, ring: report });
  const begin = () => {
    const running = session.run();
    run.ended = running.catch(() => undefined);
    return running;
  };
  return { ...session, run: begin, metrics, desk, left };
}

function openNode(
  { request, engines, footing, nearness, addressTurns }: NodeParts,
  crawl: Beginning,
  book: JobBook,
  counts: RingCounts,
  { denials }: Compliance,
  tally: Tally,
  holder: string,
): Promise<CrawlNode> {
  const { store, blobs, near, archive, ring, tenures, inbox } = engines;
  const { clock, resolver, filter, pool, metering, renderer, pluginTypes } = footing;
  const { settings } = request;
  const tell = (isBad: boolean, text: string) => request.onNews?.({ event: 'engine', isBad, text });
  const onTrouble = (error: unknown) => tell(true, sentence((error as Error).message));
  const ports = {
    ...{ clock, random: systemRandom(), resolver, ...metering.ports, pool, records: store },
    store: counts.summed(metering.ports.store),
    ...{ filter, blobs, near, denials, renderer, book, ...(archive && { archive }) },
  };
  const membership: Membership = {
    group: new RingGroup({ arcs: ring, calls: ring, inbox, clock, holder, onTrouble }),
    ...{ tenures, holder, termMs: settings.ring.ringTermMs / TERM_PART, addressTurns },
    drainMs: Math.min(DRAIN_MS_MAX, settings.fetch.timeoutMs),
    onTrouble,
    onRecovered: () => tell(false, 'The crawl goes on.'),
  };
  const given = { request, crawl, pluginTypes, denials, tally, nearness };
  const plan = sharedPlan({ ...given, schedules: true });
  return CrawlNode.join(ports, plan, membership);
}
