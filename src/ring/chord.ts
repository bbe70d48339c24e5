/**
 * Chord, correct: one node of the ring as a function (D1, D2).
 *
 *   step(state, input, now) → [state, effects]
 *
 * What comes in is a message, the end of a wait, or a wish; what goes out is messages to send,
 * waits to begin, and answers. No clock, no chance, no socket: the same function is a node of
 * ten thousand in simulation, and a node for real. Its states are values and can be kept.
 *
 * A message that makes no sense changes nothing: a number nobody waits for, an answer from
 * another than was asked, a sender that claims our own place.
 */
import { type Instant, unreachable } from '../base/index.ts';
import {
  fix,
  fixed,
  gotJoinList,
  join,
  lateJoin,
  leave,
  placed,
  reach,
  reached,
} from './chord-join.ts';
import { endUser, forget, gotWay, lateWay, userLookup, type Walked } from './chord-lookup.ts';
import type { ChordEffect, ChordInput, ChordMessage, Peer } from './chord-message.ts';
import { wayTo } from './chord-route.ts';
import {
  dropHead,
  gotList,
  gotNotify,
  gotPong,
  lateList,
  latePong,
  stabilise,
} from './chord-stabilise.ts';
import { after, type Chord, send } from './chord-state.ts';

export type Step = (chord: Chord, input: ChordInput, now: Instant) => [Chord, ChordEffect[]];

export const step: Step = (chord, input, now) => {
  const out: ChordEffect[] = [];
  return [stepped(chord, input, now, out), out];
};

function stepped(chord: Chord, input: ChordInput, now: Instant, out: ChordEffect[]): Chord {
  switch (input.kind) {
    case 'got':
      return got(chord, input.from, input.message, now, out);
    case 'late':
      return late(chord, input.n, now, out);
    case 'round':
      if (chord.status === 'member') out.push(after(chord.rules.stabiliseMs, input));
      return stabilise(chord, now, out);
    case 'stabilise':
      return stabilise(chord, now, out);
    case 'fix':
      return ended(fix(chord, now, out), now, out);
    case 'reach':
      return ended(reach(chord, now, out), now, out);
    case 'join':
      return join(chord, input.via, now, out);
    case 'leave':
      return leave(chord, out);
    case 'lookup':
      return userLookup(chord, input.key, input.tag, now, out);
    default:
      return unreachable(input);
  }
}

function got(
  chord: Chord,
  from: Peer,
  message: ChordMessage,
  now: Instant,
  out: ChordEffect[],
): Chord {
  if (message.kind === 'list') {
    const joined = gotJoinList(chord, from, message, out);
    if (joined !== undefined) return joined;
  }
  if (from.place === chord.me.place) return chord;
  if (message.kind === 'way') {
    const walked = gotWay(chord, from, message, now, out);
    return walked === undefined ? chord : ended(walked, now, out);
  }
  return chord.status === 'member' ? gotAsMember(chord, from, message, now, out) : chord;
}

function gotAsMember(
  chord: Chord,
  from: Peer,
  message: Exclude<ChordMessage, { kind: 'way' }>,
  now: Instant,
  out: ChordEffect[],
): Chord {
  switch (message.kind) {
    case 'ask':
      out.push(send(from, listOf(chord, message.n)));
      return chord;
    case 'find':
      out.push(send(from, wayTo(chord, message.n, message.key)));
      return chord;
    case 'ping':
      out.push(send(from, { kind: 'pong', n: message.n }));
      return chord;
    case 'list':
      return gotList(chord, from, message, now, out);
    case 'pong':
      return gotPong(chord, from, message.n);
    case 'notify':
      return gotNotify(chord, from, now, out);
    case 'leaving':
      return gotLeaving(chord, from, message.before, out);
    default:
      return unreachable(message);
  }
}

function listOf({ before, list }: Chord, n: number): ChordMessage {
  return before === undefined ? { kind: 'list', n, list } : { kind: 'list', n, before, list };
}

/** As if its silence had been waited out: what a leaver says is believed of itself only. */
function gotLeaving(chord: Chord, from: Peer, before: Peer | undefined, out: ChordEffect[]): Chord {
  const isBefore = chord.before?.id === from.id && before !== undefined;
  const takes = isBefore && before.id !== chord.me.id ? { before } : {};
  const next = forget({ ...chord, ...takes }, from);
  return next.list[0]?.id === from.id ? dropHead(next, out) : next;
}

function late(chord: Chord, n: number, now: Instant, out: ChordEffect[]): Chord {
  if (chord.stabilising?.n === n) return lateList(chord, now, out);
  if (chord.rectifying?.n === n) return latePong(chord, now, out);
  const joined = lateJoin(chord, n, now, out);
  if (joined !== undefined) return joined;
  const walked = lateWay(chord, n, now, out);
  return walked === undefined ? chord : ended(walked, now, out);
}

/** A lookup that came to its end goes to whoever wanted it. */
function ended({ chord, ended: it }: Walked, now: Instant, out: ChordEffect[]): Chord {
  switch (it?.lookup.why) {
    case undefined:
      return chord;
    case 'user':
      return endUser(chord, it, now, out);
    case 'finger':
      return fixed(chord, it, out);
    case 'reach':
      return reached(chord, it, now, out);
    case 'join':
      return placed(chord, it.end, now, out);
    default:
      return unreachable(it?.lookup.why as never);
  }
}
