/**
 * One arc at one node: `stepArc(state, event, now) → [state, effects]`.
 *
 * The whole protocol of docs/ring-replication.md is behind this function. It has no clock, no
 * sockets and no rows: whoever calls it brings events, keeps the copy, and does the effects in
 * their order. A node runs it for each of its arcs; the simulation runs it for thousands.
 */
import type { Instant } from '../base/instant.ts';
import type { Charter, NodeId } from './arc-log.ts';
import type { ArcEffect, ArcEvent, ArcMessage } from './arc-messages.ts';
import { type ArcRules, type ArcState, ArcStep, memberOf } from './arc-state.ts';
import { campaignOnTick, onAsk, onVote, promise } from './epoch.ts';
import { blessWhenReady, onBless, onDismiss, tendOnHave, tendOnTick } from './hand-over.ts';
import { onHave, onSummed, onWant, onWrite, ownerOnTick } from './owner.ts';
import { onAppend, onCompared, onRows } from './replica.ts';

export function stepArc(
  state: ArcState,
  event: ArcEvent,
  now: Instant,
): [ArcState, readonly ArcEffect[]] {
  const step = new ArcStep(state, now);
  handle(step, event);
  return [step.state, step.effects];
}

/** A node that founds the ring: the first of the seats asks for votes at once. */
export function foundArc(me: NodeId, rules: ArcRules, charter: Charter, now: Instant): ArcState {
  return memberOf(me, rules, charter, now);
}

/** A node that hears of an arc for the first time. */
export function joinArc(me: NodeId, rules: ArcRules, now: Instant): ArcState {
  return memberOf(me, rules, { at: { epoch: 0, index: 0 }, seats: [] }, now);
}

function handle(step: ArcStep, event: ArcEvent): void {
  switch (event.kind) {
    case 'message':
      onMessage(step, event.from, event.message);
      break;
    case 'tick':
      onTick(step, event);
      break;
    case 'write':
      onWrite(step, event);
      break;
    case 'summed':
      onSummed(step, event);
      break;
    case 'compared':
      onCompared(step, event);
      break;
  }
}

function onTick(step: ArcStep, event: ArcEvent & { readonly kind: 'tick' }): void {
  const { wanted, chance, isLeaving = false, lentUntil = 0 } = event;
  if (isLeaving !== step.state.isLeaving) step.set({ isLeaving });
  if (step.state.owning === undefined) {
    campaignOnTick(step, wanted, chance);
    return;
  }
  ownerOnTick(step);
  tendOnTick(step, wanted, lentUntil);
  blessWhenReady(step);
}

function onMessage(step: ArcStep, from: NodeId, message: ArcMessage): void {
  const isOwn = step.state.owning !== undefined && message.epoch === step.state.promised;
  switch (message.kind) {
    case 'append':
      onAppend(step, from, message);
      break;
    case 'have':
      if (isOwn) onHave(step, from, message);
      if (isOwn) tendOnHave(step);
      blessWhenReady(step);
      break;
    case 'want':
      if (isOwn) onWant(step, from, message);
      break;
    case 'rows':
      onRows(step, from, message);
      break;
    case 'refuse':
      promise(step, message.epoch);
      break;
    case 'ask':
      onAsk(step, from, message);
      break;
    case 'vote':
      onVote(step, from, message);
      break;
    case 'bless':
      onBless(step, message.epoch, message.at);
      break;
    case 'dismiss':
      onDismiss(step, from, message.epoch);
      break;
    case 'sums':
      throw new Error('sums are compared before they are handed in');
  }
}
