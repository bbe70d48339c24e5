/**
 * Epochs and terms: who becomes the owner of an arc, and who learns that it is not any more.
 *
 *   owner   ├── term it counts: from when it asked ───────┤
 *   seat       ├── term it granted: from when it was asked ───┤ only now it chooses another
 *   next                                                      ├─ trial ─ votes ─ owner, one pause ─▶
 *
 * A majority of seats grants every term and every epoch, and two majorities share a seat: so no
 * one is chosen before the term before has ended, and no epoch has two owners. Clocks are never
 * compared; each side counts an interval of its own (docs/decisions/0007).
 *
 * A vote is given only to a copy that is no older than one's own: what a majority has, whoever
 * is chosen has.
 *
 * A node first asks whether it would be chosen. One that was asleep for a minute and missed
 * nothing but its owner's messages then changes nothing.
 */
import { isBefore, lastOf, majorityOf, type NodeId } from './arc-log.ts';
import type { ArcMessage } from './arc-messages.ts';
import { type ArcStep, leaseUntil, owningFrom } from './arc-state.ts';
import { bringUp, writeCharter } from './owner.ts';

/** Whoever says that it would choose another lets it try before it tries itself. */
const YIELD_STAGGERS = 2;

type Ask = ArcMessage & { readonly kind: 'ask' };
type Vote = ArcMessage & { readonly kind: 'vote' };

/** An epoch that is not older than what was promised; an older one is refused. */
export function isCurrent(step: ArcStep, from: NodeId, epoch: number): boolean {
  if (epoch >= step.state.promised) return true;
  step.send(from, { kind: 'refuse', epoch: step.state.promised });
  return false;
}

/** Promises an epoch: whoever owned a lower one here owns no more. */
export function promise(step: ArcStep, epoch: number): void {
  if (epoch <= step.state.promised) return;
  loseOwnership(step);
  const none = { votedFor: undefined, owner: undefined, campaign: undefined, coming: undefined };
  step.set({ ...none, promised: epoch });
}

export function loseOwnership(step: ArcStep): void {
  const { owning, promised } = step.state;
  if (owning === undefined) return;
  for (const { token } of owning.awaited) {
    step.effects.push({ kind: 'written', token, isKept: false });
  }
  const { base, entries } = owning.tail;
  const unsent = entries.slice(Math.max(0, owning.commit - base));
  step.set({ owning: undefined, askAt: step.now + step.state.rules.termMs });
  step.effects.push({ kind: 'lost', epoch: promised, unsent });
}

/** Asks for votes when no owner was heard for its whole term, the first in line before others. */
export function campaignOnTick(step: ArcStep, wanted: readonly NodeId[], chance: number): void {
  const { state, now } = step;
  if (!state.charter.seats.includes(state.me)) return;
  const { staggerMs } = state.rules;
  const place = wanted.indexOf(state.me);
  const line = place < 0 ? state.charter.seats.length : place;
  if (now < Math.max(state.grantedUntil, state.askAt) + line * staggerMs) return;
  step.set({ askAt: now + staggerMs * (1 + chance) });
  ask(step, { isTrial: true, isBlessed: false });
}

export function ask(step: ArcStep, how: { isTrial: boolean; isBlessed: boolean }): void {
  const { state, now } = step;
  const epoch = state.promised + 1;
  if (!how.isTrial) {
    promise(step, epoch);
    step.set({ votedFor: state.me, grantedUntil: now + state.rules.termMs });
  }
  step.set({ campaign: { epoch, ...how, sentAt: now, yes: [state.me] } });
  for (const seat of state.charter.seats) {
    if (seat === state.me) continue;
    step.send(seat, { kind: 'ask', epoch, at: state.at, ...how, sentAt: now });
  }
  countVotes(step);
}

export function onAsk(step: ArcStep, from: NodeId, message: Ask): void {
  const { state, now } = step;
  const { epoch, isTrial, sentAt } = message;
  const isYes = wouldChoose(step, from, message) && !(isTrial && isAhead(step, from, message));
  if (isYes && isTrial) {
    step.set({ campaign: undefined, askAt: now + YIELD_STAGGERS * state.rules.staggerMs });
  } else if (isYes) {
    promise(step, epoch);
    step.set({ votedFor: from, grantedUntil: now + state.rules.termMs });
  }
  const { charter, isChartered } = state;
  const isGone = isChartered && !charter.seats.includes(from) && isBefore(message.at, charter.at);
  const told = isGone ? { charter } : {};
  const { promised } = step.state;
  step.send(from, { kind: 'vote', epoch, isTrial, isYes, sentAt, promised, ...told });
}

/**
 * We have just asked for ourselves: of two that ask at once the one with the newer copy goes on, else
 * the first by name. Where every vote counts two that both went on would block each other for a term.
 */
function isAhead({ state, now }: ArcStep, from: NodeId, { at }: Ask): boolean {
  const { campaign, me, rules } = state;
  if (campaign === undefined || now > campaign.sentAt + rules.staggerMs) return false;
  return isBefore(at, state.at) || (!isBefore(state.at, at) && me < from);
}

function wouldChoose({ state, now }: ArcStep, from: NodeId, message: Ask): boolean {
  const { epoch, at, isBlessed } = message;
  if (epoch < state.promised || isBefore(at, state.at)) return false;
  if (epoch === state.promised) return state.votedFor === from;
  if (isBlessed && epoch === state.promised + 1) return true;
  return now >= Math.max(state.grantedUntil, leaseUntil(state));
}

export function onVote(step: ArcStep, from: NodeId, message: Vote): void {
  const { campaign, owning } = step.state;
  if (message.promised > step.state.promised && !message.isYes) promise(step, message.promised);
  if (message.charter !== undefined && isBefore(step.state.charter.at, message.charter.at)) {
    retire(step, message.charter);
    return;
  }
  const isOurs = campaign?.epoch === message.epoch && campaign.isTrial === message.isTrial;
  if (owning !== undefined || campaign === undefined || !isOurs || !message.isYes) return;
  if (campaign.sentAt !== message.sentAt || campaign.yes.includes(from)) return;
  step.set({ campaign: { ...campaign, yes: [...campaign.yes, from] } });
  countVotes(step);
}

function countVotes(step: ArcStep): void {
  const { campaign, charter } = step.state;
  if (campaign === undefined) return;
  const yes = campaign.yes.filter((node) => charter.seats.includes(node));
  if (yes.length < majorityOf(charter)) return;
  step.set({ campaign: undefined });
  if (campaign.isTrial) ask(step, { isTrial: false, isBlessed: false });
  else becomeOwner(step, campaign.sentAt, yes);
}

/** The votes are the first term, counted from when they were asked for. */
function becomeOwner(step: ArcStep, askedAt: number, yes: readonly NodeId[]): void {
  const { state, now } = step;
  const owning = owningFrom(state.charter, now);
  const followers = new Map(owning.followers);
  for (const node of yes) {
    const follower = followers.get(node);
    if (follower !== undefined) followers.set(node, { ...follower, grantedAt: askedAt });
  }
  followers.delete(state.me);
  step.set({ coming: undefined });
  step.set({ owner: state.me, owning: { ...owning, followers } });
  step.set({ at: { epoch: state.promised, index: lastOf(owning.tail) } });
  step.effects.push({ kind: 'own', epoch: state.promised });
  writeCharter(step, state.charter.seats);
  for (const [node, follower] of followers) bringUp(step, node, follower);
}

/** Somebody has a charter in force that we have no seat in: our copy is of no use. */
export function retire(step: ArcStep, charter: ArcStep['state']['charter']): void {
  loseOwnership(step);
  step.set({ campaign: undefined, coming: undefined });
  const remade = step.state.remade + 1;
  step.set({ charter, isChartered: true, at: { epoch: 0, index: 0 }, remade });
  step.effects.push({ kind: 'drop' });
}
