/**
 * How a node comes into its ring: it begins one, joins one, or is back (D1, D8). A part of the
 * composition root.
 *
 *   new, start        a ring of one
 *   new, join         through any member that answers
 *   back              through whom it knew. Where nobody does, all of them may be coming back: it
 *                     waits with what it has, which is nobody's alone to change, and looks for
 *                     the others as they look for it.
 */
import { readManifest } from './adapters/folder/crawl-folder.ts';
import { type RingNote, writeRingNote } from './adapters/folder/ring-folder.ts';
import { systemClock } from './adapters/node/clock.ts';
import { SECOND_MS } from './base/instant.ts';
import { ackOf, ringRulesFrom } from './compose-ring-engines.ts';
import type { RingFolder } from './compose-ring-folder.ts';
import { refusedJoin } from './compose-ring-refused.ts';
import { otherSettings } from './compose-shared.ts';
import { identityDifferences, identityOf, type Settings } from './config/index.ts';
import type { RingRequest } from './crawl/ring-desk.ts';
import type { JoinEnd } from './crawl/ring-member.ts';
import type { RingNode } from './crawl/ring-node.ts';
import { peerFrom } from './ring/index.ts';

/** One that was killed a moment ago is taken for alive until its connections are missed. */
const TRIES = 6;
const TRY_AGAIN_MS = SECOND_MS;
export const RING_NAME = 'the crawl of this ring';
export const RING_HINT = 'give every node the same; other settings make another ring';

/** False when nobody answers, and it waits. */
export async function enterRing(
  ring: RingNode,
  request: RingRequest,
  { note, membership }: RingFolder,
): Promise<boolean> {
  const { dir, settings, way, onNews } = request;
  const given = [...request.contacts, ...settings.ring.via];
  const known = note?.members.map(({ at }) => at) ?? [];
  const contacts = [...new Set([...given, ...known])].filter((at) => at !== ring.me.at);
  const isFirst = way === 'start' && given.length === 0;
  if (contacts.length === 0 && (isFirst || note !== undefined)) {
    await ring.start();
    return true;
  }
  await refuseOtherRules(ring, contacts, settings);
  const end = await joined(ring, contacts, note !== undefined);
  if (end.kind === 'joined') return true;
  const isAway = end.why === 'no-contact' && end.contacts.every(({ why }) => why === 'silent');
  const mayWait = note !== undefined && (isAway || end.why === 'no-answer');
  if (!mayWait) throw refusedJoin(end, contacts, membership, dir);
  const text = `Nobody takes this node in yet (${contacts.join(', ')}): it waits for them.`;
  onNews?.({ event: 'joined', isBad: true, text });
  await ring.start(note.members.flatMap((one) => peerFrom(one) ?? []));
  return false;
}

/** A member with other settings than it had would be one among strangers, whoever is there. */
export async function refuseOtherThanBefore({ dir, asMade, settings }: RingRequest): Promise<void> {
  const there = await readManifest(dir);
  if (there === undefined || asMade === true) return;
  const differences = identityDifferences(there.identity, identityOf(settings));
  if (differences.length > 0) throw otherSettings(differences, RING_NAME, RING_HINT);
}

/** Before it joins: a seat with another term would do harm at once. */
async function refuseOtherRules(
  ring: RingNode,
  contacts: readonly string[],
  settings: Settings,
): Promise<void> {
  const told = await ring.rulesAt(contacts);
  if (told === undefined) return;
  const { copies, awaits, termMs } = ringRulesFrom(settings);
  const pairs = [
    ['--copies', told.copies, copies],
    ['--ack', ackOf(told.awaits), ackOf(awaits)],
    ['--ring-term', `${told.termMs / SECOND_MS}s`, `${termMs / SECOND_MS}s`],
  ] as const;
  const differences = pairs.flatMap(([flag, was, now]) => {
    return was === now ? [] : [{ key: flag, flag, was: `${was}`, now: `${now}` }];
  });
  if (differences.length > 0) throw otherSettings(differences, RING_NAME, RING_HINT);
}

async function joined(
  ring: RingNode,
  contacts: readonly string[],
  isBack: boolean,
): Promise<JoinEnd> {
  const clock = systemClock();
  for (let tries = 1; ; tries++) {
    const end = await ring.join(contacts);
    if (end.kind === 'joined') return end;
    // Whoever is back need not be taken in: those who answer may wait for others as well.
    const isPassing = isBack ? end.why === 'id-taken' : end.why === 'no-answer';
    if (!isPassing || tries === TRIES) return end;
    await clock.sleepUntil(clock.now() + TRY_AGAIN_MS);
  }
}

/** Whom this node sees, for when it comes back. */
export function noteOf(ring: RingNode, before: RingNote | undefined): RingNote {
  const { me, successors, before: predecessor } = ring.report();
  const seen = [...successors, ...(predecessor ? [predecessor] : [])];
  const others = seen.filter(({ id }) => id !== me.id).map(({ id, at }) => ({ id, at }));
  const unique = others.filter(({ id }, nth) => others.findIndex((one) => one.id === id) === nth);
  // Left alone: those that were lost may come back.
  return { state: 'member', members: unique.length > 0 ? unique : (before?.members ?? []) };
}

/** Written when it is another than before. */
export function noteKeeper(dir: string, ring: RingNode, first: RingNote | undefined) {
  let last = first;
  let text = '';
  return async () => {
    if (ring.report().status !== 'member') return;
    last = noteOf(ring, last);
    const now = JSON.stringify(last);
    if (now === text) return;
    text = now;
    await writeRingNote(dir, last);
  };
}
