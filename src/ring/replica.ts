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
  const isWhole = step.state.at.epoch === epoch;
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
  if (isInForce) step.set({ isChartered: true });
  step.send(from, { kind: 'have', epoch, index: isWhole ? at.index : -1, sentAt, isLeaving });
}

/** Grants the owner of this epoch another term; false when it is stale. */
function hear(step: ArcStep, from: NodeId, epoch: number, charter: Charter): boolean {
  if (!isCurrent(step, from, epoch)) return false;
  promise(step, epoch);
  const { state, now } = step;
  step.set({ campaign: undefined, owner: from, grantedUntil: now + state.rules.termMs });
  const { at } = charter;
  const isNewer = at.epoch > state.charter.at.epoch || at.index > state.charter.at.index;
  if (isNewer || at.epoch !== state.charter.at.epoch) step.set({ charter, isChartered: false });
  return true;
}

export function onCompared(step: ArcStep, event: Compared): void {
  const { from, epoch, anchor, differing } = event;
  if (!hear(step, from, epoch, event.charter)) return;
  const { at, coming } = step.state;
  const ahead = at.epoch === epoch ? at.index - anchor : -1;
  const isAnotherMoment = event.isCheck ? ahead !== 0 : ahead > 0;
  if (isAnotherMoment) return;
  const isSame = coming?.epoch === epoch && coming.anchor === anchor;
  const buckets = isSame ? coming.buckets : differing;
  step.set({ coming: { epoch, anchor, buckets } });
  if (buckets.length === 0) become(step, from);
  else step.send(from, { kind: 'want', epoch, anchor, buckets });
}

export function onRows(step: ArcStep, from: NodeId, { epoch, anchor, bucket, rows }: Rows): void {
  const { coming } = step.state;
  if (!isCurrent(step, from, epoch)) return;
  if (coming?.epoch !== epoch || coming.anchor !== anchor) return;
  if (!coming.buckets.includes(bucket)) return;
  step.effects.push({ kind: 'replace', bucket, rows, upTo: { epoch, index: anchor } });
  const buckets = coming.buckets.filter((other) => other !== bucket);
  step.set({ coming: { ...coming, buckets } });
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
