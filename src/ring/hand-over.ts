/**
 * The group of an arc follows the ring: seats come and go one at a time, and the arc moves to
 * whoever should own it.
 *
 *   joiner     rows and entries stream to it, the owner serves ─▶ seat
 *   switch     the owner stops ─▶ the joiner has the last entry ─▶ bless ─▶ votes ─▶ owner
 *   leaver     the same towards its successor; it goes when it has no seat left
 *
 * One seat more or less at a time, and the next change only when the one before is in force:
 * then a majority of the old seats and one of the new always share a seat. A seat that is silent
 * is only ever replaced: it may be us who are cut off, and a group that shrank could be lost
 * to fewer failures, unless its number was even. Only one that takes its leave may go without;
 * where too few would be left to agree without it, a silent one goes before it, for the group is
 * then as safe as it was.
 *
 * A blessing cannot be taken back: who gave it owns nothing from then on, also when it is lost.
 */
import type { Instant } from '../base/instant.ts';
import type { NodeId, Stamp } from './arc-log.ts';
import { lastOf, majorityOf, seatsFor } from './arc-log.ts';
import type { ArcState, ArcStep, Follower } from './arc-state.ts';
import { ask, loseOwnership, retire } from './epoch.ts';
import { follow, owningOf, shipTo, writeCharter } from './owner.ts';

export function tendOnTick(step: ArcStep, wanted: readonly NodeId[], lentUntil: number): void {
  const { owning } = owningOf(step);
  if (owning.wanted !== wanted) step.set({ owning: { ...owning, wanted } });
  if (!isInForce(step.state)) return;
  if (!tendSeats(step, wanted)) handOn(step, wanted, lentUntil);
}

/** Whoever has died is to be replaced before the next one dies: that does not wait for ticks. */
export function tendOnHave(step: ArcStep): void {
  const { charter, owning, me } = step.state;
  const wanted = owning?.wanted;
  if (wanted === undefined || !isInForce(step.state)) return;
  const isLost = (seat: NodeId) => !wanted.includes(seat) && seat !== me && isSilent(step, seat);
  if (charter.seats.some(isLost)) tendSeats(step, wanted);
}

function isSilent({ state, now }: ArcStep, seat: NodeId): boolean {
  return now > (state.owning?.followers.get(seat)?.grantedAt ?? 0) + state.rules.termMs;
}

function isInForce({ charter, isChartered, promised }: ArcState): boolean {
  return isChartered && charter.at.epoch === promised;
}

/** Makes the next change of the seats where there is one to make now. */
function tendSeats(step: ArcStep, wanted: readonly NodeId[]): boolean {
  const { charter } = step.state;
  dismiss(step, wanted);
  const isHanding = owningOf(step).owning.handing !== undefined;
  const seats = isHanding ? undefined : changedSeats(step, wanted);
  if (seats === undefined) return false;
  const parting = charter.seats.filter((seat) => !seats.includes(seat));
  step.set({ owning: { ...owningOf(step).owning, parting } });
  writeCharter(step, seats);
  return true;
}

/** Who has lost its seat for good may forget its copy; who is not wanted any more gets no more. */
function dismiss(step: ArcStep, wanted: readonly NodeId[]): void {
  const { charter, promised: epoch } = step.state;
  const { owning } = owningOf(step);
  for (const node of owning.parting) step.send(node, { kind: 'dismiss', epoch });
  const isKept = (node: NodeId) => charter.seats.includes(node) || wanted.includes(node);
  if (owning.parting.length === 0 && [...owning.followers.keys()].every(isKept)) return;
  const followers = new Map([...owning.followers].filter(([node]) => isKept(node)));
  step.set({ owning: { ...owning, parting: [], followers } });
}

/** The next change by one seat, or undefined when there is none to make now. */
function changedSeats(step: ArcStep, wanted: readonly NodeId[]): readonly NodeId[] | undefined {
  const { charter, rules } = step.state;
  const parting = partingSeat(step, wanted);
  if (parting !== undefined) return charter.seats.filter((seat) => seat !== parting);
  for (const node of wanted.slice(0, seatsFor(rules.copies))) {
    if (charter.seats.includes(node)) continue;
    const follower = owningOf(step).owning.followers.get(node);
    // A seat that has granted nothing yet would end the term.
    if (follower?.isWhole === true && !isSilent(step, node)) return [...charter.seats, node];
    if (follower === undefined) follow(step, node);
  }
  return undefined;
}

/** Who loses its seat now: never one without whom those who are heard of could not agree. */
function partingSeat(step: ArcStep, wanted: readonly NodeId[]): NodeId | undefined {
  const { charter, me, rules, owning } = step.state;
  const { seats } = charter;
  const canAgreeWithout = (node: NodeId) => {
    const left = seats.filter((seat) => seat !== node);
    const live = left.filter((seat) => seat === me || !isSilent(step, seat));
    return live.length >= majorityOf({ ...charter, seats: left });
  };
  const extra = seats.filter((seat) => seat !== me && !wanted.includes(seat));
  if (extra.length === 0) return undefined;
  const silent = extra.find((node) => isSilent(step, node));
  const leaver = extra.find((node) => owning?.followers.get(node)?.isLeaving === true);
  const isTooMany = seats.length > seatsFor(rules.copies);
  // Of an even number one is of no use: without it as many may fail. So whoever joins a small ring
  // takes the place of one that died there.
  const isSpare = seats.length % 2 === 0 && seats.length > 2;
  const going = leaver !== undefined && !canAgreeWithout(leaver) ? silent : leaver;
  const parting = isTooMany ? (silent ?? extra.at(-1)) : (going ?? (isSpare ? silent : undefined));
  const isFewer = isTooMany || seats.length > wanted.length;
  return parting !== undefined && isFewer && canAgreeWithout(parting) ? parting : undefined;
}

/** Stops and hands over once the next owner has everything; goes on when that takes too long. */
function handOn(step: ArcStep, wanted: readonly NodeId[], lentUntil: number): void {
  const { state, now } = step;
  const { owning } = owningOf(step);
  const [to] = wanted;
  if (owning.handing !== undefined) {
    const isLate = now > owning.handing.since + state.rules.handOverMsMax;
    if (isLate || owning.handing.to !== to) giveUp(step);
    return;
  }
  if (to === undefined || !isReadyFor(state, to, now)) return;
  const follower = owning.followers.get(to) as Follower;
  const quietAt = Math.max(now + state.rules.marginMs, lentUntil);
  step.set({ owning: { ...owning, handing: { to, since: now, quietAt } } });
  shipTo(step, to, follower);
  blessWhenReady(step);
}

/** Could this node be handed the arc now? It has a seat, is level, was heard of late, and is another. */
export function isReadyFor(state: ArcState, to: NodeId, now: Instant): boolean {
  const { owning, charter, me, rules } = state;
  const follower = owning?.followers.get(to);
  if (owning === undefined || follower === undefined) return false;
  const isNear = follower.isWhole && follower.acked >= owning.commit && !follower.isLeaving;
  const isHere = follower.grantedAt + rules.termMs / 2 > now;
  const isOld = now >= owning.since + rules.termMs;
  return to !== me && charter.seats.includes(to) && isNear && isHere && isOld;
}

function giveUp(step: ArcStep): void {
  const { handing: _, ...owning } = owningOf(step).owning;
  step.set({ owning: { ...owning, since: step.now } });
}

/** The switch: no request is on its way, and all that was written is with the next owner. */
export function blessWhenReady(step: ArcStep): void {
  const { owning } = step.state;
  if (owning?.handing === undefined || step.now < owning.handing.quietAt) return;
  const last = lastOf(owning.tail);
  const { to } = owning.handing;
  if (owning.commit < last || (owning.followers.get(to)?.acked ?? 0) < last) return;
  const { at, promised: epoch } = step.state;
  step.set({ owner: undefined });
  loseOwnership(step);
  step.send(to, { kind: 'bless', epoch, at });
}

export function onBless(step: ArcStep, epoch: number, at: Stamp): void {
  const { state } = step;
  const isWhole = state.at.epoch === at.epoch && state.at.index >= at.index;
  if (state.promised !== epoch || !isWhole || !state.charter.seats.includes(state.me)) return;
  if (state.owning !== undefined || state.votedFor === state.me) return;
  ask(step, { isTrial: false, isBlessed: true });
}

export function onDismiss(step: ArcStep, from: NodeId, epoch: number): void {
  const { promised, charter, me, owner } = step.state;
  if (epoch !== promised || owner !== from) return;
  const seats = charter.seats.filter((seat) => seat !== me);
  retire(step, { at: charter.at, seats });
}
