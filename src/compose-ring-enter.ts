/**
 * How a node comes into its ring: it begins one, joins one, or is back (D1, D8). A part of the
 * composition root.
 *
 *   new, start        a ring of one
 *   new, join         through any member that answers
 *   back              through whom it knew. Where nobody answers, it may be the first of all that
 *                     are back: it waits with what it has, which is nobody's alone to change, and
 *                     looks for the others.
 */
import { type RingNote, writeRingNote } from './adapters/folder/ring-folder.ts';
import { systemClock } from './adapters/node/clock.ts';
import { SECOND_MS } from './base/instant.ts';
import type { RingFolder } from './compose-ring-folder.ts';
import { refusedJoin } from './compose-ring-refused.ts';
import type { RingRequest } from './crawl/ring-desk.ts';
import type { JoinEnd } from './crawl/ring-member.ts';
import type { RingNode } from './crawl/ring-node.ts';
import { peerFrom } from './ring/index.ts';

/** One that was killed a moment ago is taken for alive until its connections are missed. */
const TRIES = 6;
const TRY_AGAIN_MS = SECOND_MS;

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
  const end = await joined(ring, contacts, note !== undefined);
  if (end.kind === 'joined') return true;
  const isSilent = end.contacts.every(({ why }) => why === 'silent');
  const mayWait = note !== undefined && given.length === 0 && end.why === 'no-contact' && isSilent;
  if (!mayWait) throw refusedJoin(end, contacts, membership, dir);
  const text = `Nobody of the ring answers (${contacts.join(', ')}): waiting for them here.`;
  onNews?.({ event: 'joined', isBad: true, text });
  await ring.start(note.members.flatMap((one) => peerFrom(one) ?? []));
  return false;
}

async function joined(
  ring: RingNode,
  contacts: readonly string[],
  isBack: boolean,
): Promise<JoinEnd> {
  const clock = systemClock();
  for (let tries = 1; ; tries++) {
    const end = await ring.join(contacts);
    const isPassing =
      end.kind === 'refused' && (end.why === 'no-answer' || (isBack && end.why === 'id-taken'));
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
    last = noteOf(ring, last);
    const now = JSON.stringify(last);
    if (now === text) return;
    text = now;
    await writeRingNote(dir, last);
  };
}
