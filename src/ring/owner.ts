/**
 * An owner's side of its log: write, ship, count who has it.
 *
 *   write ─▶ own rows ─▶ append to every seat ─▶ have ─▶ with a majority: may be relied on
 *
 * A majority of the 2K − 1 seats is K nodes, the owner among them. That is what it takes for
 * K − 1 failures to lose nothing: one of the K is left, and whoever is chosen next by a majority
 * has all that a majority had.
 *
 * Awaited writes go out at once and the rest with the next tick, in one order: so progress costs
 * hardly a message of its own, and whoever has an admission has all that was written before it.
 */
import {
  type Charter,
  type Entry,
  entriesAfter,
  lastOf,
  majorityOf,
  type NodeId,
  reachedBy,
  trimmed,
  withEntries,
} from './arc-log.ts';
import type { ArcEvent, ArcMessage } from './arc-messages.ts';
import { type ArcStep, type Follower, leaseUntil, NEW_FOLLOWER, type Owning } from './arc-state.ts';

const NO_ENTRIES = { entries: 0, bytes: 0 };

type Write = ArcEvent & { readonly kind: 'write' };
type Have = ArcMessage & { readonly kind: 'have' };
type Want = ArcMessage & { readonly kind: 'want' };

export function onWrite(step: ArcStep, { bodies, isAwaited, token }: Write): void {
  const { owning, rules } = step.state;
  if (owning === undefined) {
    step.effects.push({ kind: 'written', token, isKept: false });
    return;
  }
  append(
    step,
    bodies.map((body, i) => ({ index: lastOf(owning.tail) + 1 + i, body })),
  );
  if (rules.awaits === 'nothing') step.effects.push({ kind: 'written', token, isKept: true });
  else if (token !== 0) expect(step, token);
  if (isAwaited ? rules.awaits !== 'nothing' : rules.awaits === 'everything') ship(step);
  advance(step);
}

/** An answer that a URL is known already must wait, too, until the others know it. */
function expect(step: ArcStep, token: number): void {
  const { owning, index } = owningOf(step);
  step.set({ owning: { ...owning, awaited: [...owning.awaited, { token, index }] } });
}

export function writeCharter(step: ArcStep, seats: readonly NodeId[]): void {
  const { owning, index } = owningOf(step);
  const epoch = step.state.promised;
  const charter: Charter = { at: { epoch, index: index + 1 }, seats };
  const followers = new Map(owning.followers);
  for (const node of followers.keys()) if (!seats.includes(node)) followers.delete(node);
  step.set({ charter, isChartered: false, owning: { ...owning, followers } });
  append(step, [{ index: index + 1, charter }]);
  ship(step);
  advance(step);
}

function append(step: ArcStep, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  const { owning } = owningOf(step);
  const tail = withEntries(owning.tail, entries);
  const epoch = step.state.promised;
  step.set({ owning: { ...owning, tail }, at: { epoch, index: lastOf(tail) } });
  step.effects.push({ kind: 'apply', epoch, entries });
}

/**
 * Sends to all that are whole what they have not been sent yet. Who has not answered the last gets
 * the next when it does: so the more is written, the more goes in one message.
 */
export function ship(step: ArcStep): void {
  for (const [node, follower] of owningOf(step).owning.followers) {
    if (follower.isWhole && follower.sent <= follower.acked) shipTo(step, node, follower);
  }
}

/** To one that is not whole: nothing but the wish for another term. */
export function shipTo(
  step: ArcStep,
  node: NodeId,
  follower: Follower,
  max = step.state.rules.batchMax,
): void {
  const { owning } = owningOf(step);
  const { charter, promised } = step.state;
  const after = follower.isWhole ? follower.sent : -1;
  const found = follower.isWhole ? entriesAfter(owning.tail, after, max) : [];
  if (found === undefined) {
    setFollower(step, node, { ...follower, isWhole: false });
    return;
  }
  step.send(node, {
    kind: 'append',
    epoch: promised,
    after,
    entries: found,
    commit: owning.commit,
    charter,
    sentAt: step.now,
  });
  if (found.length > 0) setFollower(step, node, { ...follower, sent: after + found.length });
}

export function onHave(step: ArcStep, from: NodeId, message: Have): void {
  const { index, isLeaving } = message;
  const follower = step.state.owning?.followers.get(from);
  if (follower === undefined || index > owningOf(step).index) return;
  // An answer to what was not asked yet is no answer.
  const sentAt = message.sentAt > step.now ? 0 : message.sentAt;
  const grantedAt = Math.max(follower.grantedAt, sentAt);
  if (index < owningOf(step).owning.tail.base) {
    setFollower(step, from, { ...follower, grantedAt, isLeaving, isWhole: false });
    return;
  }
  const acked = Math.max(follower.acked, index);
  const sent = Math.max(follower.sent, acked);
  const rest = follower.session === undefined ? follower : withoutSession(follower);
  setFollower(step, from, { ...rest, grantedAt, isLeaving, isWhole: true, acked, sent });
  advance(step);
  shipOn(step, from);
}

function withoutSession({ session: _, ...rest }: Follower): Follower {
  return rest;
}

/** What is awaited, or behind by more than a tick's, goes at once. */
function shipOn(step: ArcStep, to: NodeId): void {
  const { owning, index } = owningOf(step);
  const follower = owning.followers.get(to);
  if (follower === undefined || follower.sent > follower.acked || follower.sent >= index) return;
  const isAwaited = (owning.awaited.at(-1)?.index ?? 0) > follower.sent;
  const isFarBehind = index - follower.sent >= step.state.rules.batchMax.entries;
  const { charter } = step.state;
  const isChange = charter.at.index > follower.sent || owning.handing !== undefined;
  if (isAwaited || isFarBehind || isChange) shipTo(step, to, follower);
}

/** What a majority has is in force; what all have may be relied on, where everything is awaited. */
export function advance(step: ArcStep): void {
  const { owning, index } = owningOf(step);
  const { charter, me, rules } = step.state;
  // Most answers are to a mere wish for another term: all is in force, and nobody waits.
  if (owning.commit === index && owning.awaited.length === 0 && step.state.isChartered) return;
  const have = charter.seats.map((seat) => (seat === me ? index : ackedBy(owning, seat)));
  const commit = Math.max(owning.commit, reachedBy(majorityOf(charter), have));
  const enough = rules.awaits === 'everything' ? Math.min(...have) : commit;
  const done = owning.awaited.filter((wait) => wait.index <= enough);
  const awaited = done.length === 0 ? owning.awaited : owning.awaited.slice(done.length);
  const isChartered = step.state.isChartered || commit >= charter.at.index;
  step.state = { ...step.state, isChartered, owning: { ...owning, commit, awaited } };
  for (const { token } of done) step.effects.push({ kind: 'written', token, isKept: true });
}

function ackedBy(owning: Owning, seat: NodeId): number {
  const follower = owning.followers.get(seat);
  return follower?.isWhole === true ? follower.acked : 0;
}

/**
 * Terms are renewed, what was not answered is sent again, and those behind are brought up. One that
 * has not answered for a term is only asked whether it is there.
 */
export function ownerOnTick(step: ArcStep): void {
  const { now, state } = step;
  const isCheckDue = now >= owningOf(step).owning.checkedAt + state.rules.checkEveryMs;
  if (now >= leaseUntil(state)) giveUpAwaited(step);
  for (const [node, follower] of owningOf(step).owning.followers) {
    const isAnswered = follower.sent === follower.acked;
    const again = isAnswered ? follower : { ...follower, sent: follower.acked };
    if (!isAnswered) setFollower(step, node, again);
    if (isSilent(step, follower)) {
      shipTo(step, node, again, NO_ENTRIES);
      continue;
    }
    shipTo(step, node, again);
    const isWhole = owningOf(step).owning.followers.get(node)?.isWhole === true;
    if (!isWhole) bringUp(step, node, follower);
    else if (isCheckDue) wantSums(step, node, true);
  }
  if (isCheckDue) step.set({ owning: { ...owningOf(step).owning, checkedAt: now } });
  trim(step);
}

/** The term is over: nobody knows what will become of it, and whoever waits is not to wait for ever. */
function giveUpAwaited(step: ArcStep): void {
  const { owning } = owningOf(step);
  for (const { token } of owning.awaited) {
    step.effects.push({ kind: 'written', token, isKept: false });
  }
  step.set({ owning: { ...owning, awaited: [] } });
}

function isSilent({ state, now }: ArcStep, { grantedAt }: Follower): boolean {
  return now > Math.max(grantedAt, state.owning?.since ?? 0) + state.rules.termMs;
}

/** One more that is to have a copy: it is asked for its first term and brought up. */
export function follow(step: ArcStep, node: NodeId): void {
  setFollower(step, node, NEW_FOLLOWER);
  shipTo(step, node, NEW_FOLLOWER);
  bringUp(step, node, NEW_FOLLOWER);
}

/** The same comparison again while its end of the log is kept, else a new one. */
export function bringUp(step: ArcStep, node: NodeId, follower: Follower): void {
  const { owning } = owningOf(step);
  const { charter, promised: epoch, rules } = step.state;
  const { session } = follower;
  if (session === undefined || session.anchor < owning.tail.base) {
    wantSums(step, node, false);
    return;
  }
  if (step.now < session.sentAt + rules.againMs) return;
  const { anchor, sums } = session;
  const { grantedAt, isLeaving } = owning.followers.get(node) ?? follower;
  const again = { ...session, sentAt: step.now };
  setFollower(step, node, { ...follower, grantedAt, isLeaving, isWhole: false, session: again });
  step.send(node, { kind: 'sums', epoch, charter, isCheck: false, anchor, sums });
}

function wantSums({ state, effects }: ArcStep, to: NodeId, isCheck: boolean): void {
  effects.push({ kind: 'sum', to, isCheck, epoch: state.promised });
}

export function onSummed(step: ArcStep, event: ArcEvent & { readonly kind: 'summed' }): void {
  const follower = step.state.owning?.followers.get(event.to);
  const { charter, promised: epoch } = step.state;
  if (follower === undefined || event.epoch !== epoch) return;
  const { isCheck, sums, anchor } = event;
  const session = { anchor, sums, sentAt: step.now };
  if (!isCheck) setFollower(step, event.to, { ...follower, session });
  step.send(event.to, { kind: 'sums', epoch, charter, isCheck, anchor, sums });
}

/** A copy that differs gets the rows of each bucket that does. */
export function onWant(step: ArcStep, from: NodeId, { anchor, buckets, of }: Want): void {
  if (step.state.owning?.followers.has(from) !== true) return;
  const epoch = step.state.promised;
  for (const bucket of buckets) {
    step.effects.push({ kind: 'sendRows', to: from, epoch, anchor, bucket, of });
  }
}

function trim(step: ArcStep): void {
  const { owning, index } = owningOf(step);
  let everybodyHas = owning.commit;
  for (const { isWhole, acked, session } of owning.followers.values()) {
    everybodyHas = Math.min(everybodyHas, isWhole ? acked : (session?.anchor ?? index));
  }
  const tail = trimmed(owning.tail, everybodyHas, step.state.rules.tailMax);
  if (tail !== owning.tail) step.set({ owning: { ...owning, tail } });
}

export function setFollower(step: ArcStep, node: NodeId, follower: Follower): void {
  const { owning } = owningOf(step);
  // Entry by entry takes half as long as new Map(of another), for the few that there are.
  const followers = new Map<NodeId, Follower>();
  for (const [other, known] of owning.followers) followers.set(other, known);
  followers.set(node, follower);
  step.state = { ...step.state, owning: { ...owning, followers } };
}

export function owningOf({ state }: ArcStep): { owning: Owning; index: number } {
  const { owning } = state;
  if (owning === undefined) throw new Error('only an owner has writes of its own');
  return { owning, index: lastOf(owning.tail) };
}
