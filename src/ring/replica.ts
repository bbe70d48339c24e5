/**
 * A seat's side: it keeps a copy, says how far it is, and refuses whoever is stale (D5).
 *
 *   append of the next entries ─▶ applied ─▶ have
 *   an owner of a new epoch    ─▶ sums compared ─▶ want ─▶ rows of what differs ─▶ have
 *
 * One way serves a new seat, one that was away, the first hours of a new owner, and the check
 * now and then that copies are what they should be: sixteen sums of rows, and the rows of those
 * buckets that differ. An empty copy differs in all of them.
 */

import type { Charter, NodeId } from './arc-log.ts';
import type { ArcEvent, ArcMessage } from './arc-messages.ts';
import type { ArcStep } from './arc-state.ts';
import { isCurrent, promise } from './epoch.ts';

type Append = ArcMessage & { readonly kind: 'append' };
type Rows = ArcMessage & { readonly kind: 'rows' };
type Compared = ArcEvent & { readonly kind: 'compared' };

export function onAppend(step: ArcStep, from: NodeId, message: Append): void {
  if (!hear(step, from, message.epoch, message.charter)) return;
  const { epoch, after, entries, sentAt } = message;
  // While rows of a later moment come, entries of an earlier one could only undo them.
  const isWhole = step.state.at.epoch === epoch && !isComing(step, epoch);
  if (isWhole && after >= 0) {
    const { index } = step.state.at;
    const fresh = after <= index ? entries.slice(index - after) : [];
    if (fresh.length > 0) {
      step.effects.push({ kind: 'apply', epoch, entries: fresh });
      step.set({ at: { epoch, index: index + fresh.length } });
    }
  }
  const { at, charter, isLeaving } = step.state;
  const isInForce = message.commit >= charter.at.index && charter.at.epoch === epoch;
  if (isInForce && !step.state.isChartered) step.set({ isChartered: true });
  step.send(from, { kind: 'have', epoch, index: isWhole ? at.index : -1, sentAt, isLeaving });
}

function isComing({ state }: ArcStep, epoch: number): boolean {
  const { coming, at } = state;
  return coming?.epoch === epoch && at.index < coming.anchor;
}

/** Grants the owner of this epoch another term; false when it is stale, or none. */
function hear(step: ArcStep, from: NodeId, epoch: number, charter: Charter): boolean {
  if (!isCurrent(step, from, epoch) || !isOwners(step, from, epoch)) return false;
  promise(step, epoch);
  const { state, now } = step;
  const grantedUntil = now + state.rules.termMs;
  step.state = { ...state, campaign: undefined, owner: from, grantedUntil };
  const { at } = charter;
  const isNewer = at.epoch > state.charter.at.epoch || at.index > state.charter.at.index;
  if (isNewer || at.epoch !== state.charter.at.epoch) step.set({ charter, isChartered: false });
  return true;
}

/** An epoch has one owner: what another says in it is a lie, or a mistake. */
function isOwners({ state }: ArcStep, from: NodeId, epoch: number): boolean {
  return epoch > state.promised || state.owner === undefined || state.owner === from;
}

export function onCompared(step: ArcStep, event: Compared): void {
  const { from, epoch, anchor, differing, of } = event;
  if (!hear(step, from, epoch, event.charter)) return;
  const { coming } = step.state;
  if (!holds(step, event)) return;
  const isSame = coming?.epoch === epoch && coming.anchor === anchor;
  const buckets = isSame ? coming.buckets : differing;
  step.set({ coming: { epoch, anchor, buckets, of } });
  if (buckets.length === 0) become(step, from);
  else step.send(from, { kind: 'want', epoch, anchor, buckets, of });
}

/**
 * Is what was found still so? Reading takes a while. A copy that is whole must have been at the
 * anchor when it was read, and may have gone on; another must be as it was, and not beyond it.
 */
function holds(
  { state }: ArcStep,
  { epoch, anchor, at: then, isCheck, remade }: Compared,
): boolean {
  const { at } = state;
  if (remade !== state.remade) return false;
  if (isCheck) return at.epoch === epoch && then.epoch === epoch && then.index === anchor;
  const isAsItWas = at.epoch === then.epoch && at.index === then.index;
  return isAsItWas && (at.epoch !== epoch || at.index <= anchor);
}

export function onRows(step: ArcStep, from: NodeId, message: Rows): void {
  const { epoch, anchor, bucket, of, rows } = message;
  const { coming } = step.state;
  if (!isCurrent(step, from, epoch) || !isOwners(step, from, epoch)) return;
  if (coming?.epoch !== epoch || coming.anchor !== anchor || coming.of !== of) return;
  if (!coming.buckets.includes(bucket)) return;
  step.effects.push({ kind: 'replace', bucket, of, rows, upTo: { epoch, index: anchor } });
  const buckets = coming.buckets.filter((other) => other !== bucket);
  step.set({ coming: { ...coming, buckets }, remade: step.state.remade + 1 });
  if (buckets.length === 0) become(step, from);
}

/** Our copy is what the owner's was at the anchor, or a little younger in places. */
function become(step: ArcStep, from: NodeId): void {
  const { coming, at, isLeaving } = step.state;
  if (coming === undefined) return;
  const { epoch, anchor } = coming;
  const index = at.epoch === epoch ? Math.max(at.index, anchor) : anchor;
  step.set({ coming: undefined });
  step.set({ at: { epoch, index } });
  step.send(from, { kind: 'have', epoch, index, sentAt: 0, isLeaving });
}
