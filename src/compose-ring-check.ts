/**
 * A node of a ring, looked at for `orb doctor --dir NODE`: the one that runs there is asked, for one that
 * rests it is tried whether it could come back. A part of the composition root.
 *
 *   runs    what it is, who is silent, arcs without an owner, clocks
 *   rests   its key, what lets it in, its port, and whether those it knew take it for a member
 *
 * Nothing is changed: who is met hears no more than a greeting.
 */
import { readManifest } from './adapters/folder/crawl-folder.ts';
import { type RingNote, readRingNote, ringPathsOf } from './adapters/folder/ring-folder.ts';
import { systemClock } from './adapters/node/clock.ts';
import { diskKeyFiles } from './adapters/node/key-files.ts';
import { openPeers } from './adapters/peer/index.ts';
import { SECOND_MS } from './base/instant.ts';
import { settingsOf } from './compose-folder.ts';
import { askRing } from './compose-ring-ask.ts';
import { membershipFrom } from './compose-ring-folder.ts';
import { strangerHint } from './compose-ring-refused.ts';
import { defaultSettings, type Settings } from './config/index.ts';
import type { RingSurvey } from './crawl/ring-survey.ts';
import { clockCheck, type EngineCheck, failedCheck } from './ports/engine-check.ts';
import type { Met, Peers } from './ports/peers.ts';
import type { RingReport } from './ports/ring-report.ts';
import type { Membership } from './ring/index.ts';

/** Of those that the folder remembers. */
const MEMBERS_TRIED = 8;
/** An answer may be as old as this when it comes. */
const ANSWER_MS = 2 * SECOND_MS;
const NAME = 'ring';

/** No lines where the folder is of no ring. */
export async function checkRing(dir: string, settings: Settings): Promise<readonly EngineCheck[]> {
  try {
    const note = await readRingNote(dir);
    if (note === undefined) return [];
    const desk = await askRing(dir);
    if (desk !== undefined) return runningChecks(await desk.report(), await desk.survey());
    return note.state === 'left' ? [HAS_LEFT] : await restingChecks(dir, note, settings);
  } catch (error) {
    return [failedCheck(NAME, error)];
  }
}

const HAS_LEFT: EngineCheck = {
  ...{ name: NAME, state: 'warn', what: 'this node has left its ring, and cannot join again' },
  fix: 'Keep the folder while its bodies and events are wanted; join with another one.',
};

// ---- one that runs ----------------------------------------------------------------------

export function runningChecks(report: RingReport, survey: RingSurvey): EngineCheck[] {
  const { me, status, arcs } = report;
  const own = arcs.filter(({ role }) => role === 'owner').length;
  const what = `the node runs at ${me.at} (${status}), owns ${own} of ${survey.arcs.length} arcs`;
  const isIn = status === 'member' || status === 'leaving';
  const first: EngineCheck = isIn
    ? { name: NAME, state: 'ok', what }
    : { name: NAME, state: 'warn', what, fix: 'It waits for others: start the nodes it knew.' };
  return [first, membersCheck(survey), ownersCheck(survey), ...clockChecks(survey)];
}

function membersCheck({ nodes }: RingSurvey): EngineCheck {
  const silent = nodes.filter(({ report }) => report === undefined).map(({ peer }) => peer.at);
  const name = 'ring nodes';
  if (silent.length === 0) return { name, state: 'ok', what: `all ${nodes.length} answer` };
  const what = `${silent.length} of ${nodes.length} are silent: ${silent.join(', ')}`;
  const fix = 'Start them again; where they are gone for good, join as many others.';
  return { name, state: 'warn', what, fix };
}

function ownersCheck({ arcs }: RingSurvey): EngineCheck {
  const name = 'ring arcs';
  const lost = arcs.filter(({ owner }) => owner === undefined).map(({ arc }) => arc);
  if (lost.length > 0) {
    const what = `no owner just now: arc ${lost.join(', ')}`;
    const fix =
      'Look again after half a minute. If it stays, more nodes that kept them are gone than may ' +
      'fail: start those again, with their folders.';
    return { name, state: 'fail', what, fix };
  }
  const behind = arcs.filter(({ level, seats }) => level !== undefined && level < seats.length);
  if (behind.length === 0) return { name, state: 'ok', what: 'each has an owner and level copies' };
  const what = `each has an owner; ${behind.length} have a copy that is behind or on a silent node`;
  const fix = 'It comes by itself; where a node is gone for good, join another one.';
  return { name, state: 'warn', what, fix };
}

function clockChecks({ nodes, me }: RingSurvey): EngineCheck[] {
  const checks = nodes.flatMap(({ peer, report, heardAt }) => {
    if (report === undefined || heardAt === undefined || peer.id === me.id) return [];
    const asked = { from: heardAt - ANSWER_MS, to: heardAt };
    const { what, ...check } = clockCheck('ring clocks', report.at, asked);
    return [{ ...check, what: `${peer.at}: ${what}` }];
  });
  const wrong = checks.filter(({ state }) => state !== 'ok');
  if (wrong.length > 0 || checks.length === 0) return wrong;
  return [{ name: 'ring clocks', state: 'ok', what: 'those of all nodes agree' }];
}

// ---- one that rests ---------------------------------------------------------------------

async function restingChecks(
  dir: string,
  note: RingNote,
  given: Settings,
): Promise<readonly EngineCheck[]> {
  const settings = await asItRan(dir, given);
  const key = await diskKeyFiles(process.cwd()).read(ringPathsOf(dir).key);
  const { membership } = await membershipFrom(settings, dir, key, false);
  const { listen, announce } = settings.ring;
  const peers = await openPeers({
    ...{ key, membership, listen, clock: systemClock(), ...(announce && { announce }) },
  });
  try {
    return [restingCheck(note, listen), ...(await memberChecks(peers, note, membership))];
  } finally {
    await peers.close();
  }
}

/** What was not said now is as the node ran last. */
async function asItRan(dir: string, given: Settings): Promise<Settings> {
  const there = await readManifest(dir);
  if (there === undefined) return given;
  const initial = defaultSettings().ring as Readonly<Record<string, unknown>>;
  const said = Object.entries(given.ring).filter(([name, value]) => value !== initial[name]);
  return { ...given, ring: { ...settingsOf(there).ring, ...Object.fromEntries(said) } };
}

function restingCheck({ state, members }: RingNote, listen: string): EngineCheck {
  const port = `${listen} is free for it`;
  if (state === 'member') {
    const what = `the node does not run; ${port}; it knew ${members.length} others`;
    return { name: NAME, state: 'ok', what };
  }
  const fix = 'Let it join: orb ring join HOST:PORT with the same --dir.';
  return { name: NAME, state: 'warn', what: `the node was never in a ring; ${port}`, fix };
}

function memberChecks(
  peers: Peers,
  { members }: RingNote,
  membership: Membership,
): Promise<EngineCheck[]> {
  const tried = members.slice(0, MEMBERS_TRIED);
  return Promise.all(
    tried.map(async ({ at }) => memberCheck(at, await peers.meet(at), membership)),
  );
}

function memberCheck(at: string, met: Met, membership: Membership): EngineCheck {
  const name = 'ring node';
  if (met.kind === 'met') return { name, state: 'ok', what: `${at} answers and lets it in` };
  const what = `${at}: ${met.detail}`;
  if (met.why === 'stranger') return { name, state: 'fail', what, fix: strangerHint(membership) };
  if (met.why === 'version') {
    return { name, state: 'fail', what, fix: 'Run the same version of orb on every node.' };
  }
  if (met.why === 'id-taken') {
    const fix = 'Was the folder copied? Each node needs its own: join with an empty one.';
    return { name, state: 'fail', what, fix };
  }
  const fix = 'Start it again, or check what lies between; name another member with --via.';
  return { name, state: 'warn', what, fix };
}
