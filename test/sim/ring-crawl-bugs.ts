/**
 * Planted bugs: what the protocol forbids, done to it from outside, so that the checkers can be
 * seen to notice. Each is one mistake that somebody could make in an afternoon.
 */
import type { NodeId } from '../../src/ring/arc-log.ts';
import type { ArcEvent, ArcMessage } from '../../src/ring/arc-messages.ts';
import type { ArcState } from '../../src/ring/arc-state.ts';

export interface Bug {
  readonly what: string;
  readonly isEarlyAck?: boolean;
  readonly isTurnForgotten?: boolean;
  /** What a node hears instead of a message. */
  readonly hear?: (state: ArcState, message: ArcMessage) => ArcMessage;
  /** What a node takes for its state before an event. */
  readonly before?: (state: ArcState, event: ArcEvent) => ArcState;
  /** True when an owner gives its arc away at this moment. */
  readonly isGivenTo?: (state: ArcState, next: NodeId | undefined) => boolean;
}

export const NO_BUG: Bug = { what: 'none' };

export const BUGS: Readonly<Record<string, Bug>> = {
  'epoch-check-off': {
    what: 'a message of a lower epoch is taken for one of the present, whoever says it',
    hear: (state, message) =>
      message.kind === 'append' || message.kind === 'have' || message.kind === 'rows'
        ? { ...message, epoch: state.promised }
        : message,
    before: (state, event) =>
      event.kind === 'message' && event.message.kind === 'append'
        ? { ...state, owner: undefined }
        : state,
  },
  'early-ack': { what: 'acknowledged before others have it', isEarlyAck: true },
  'lost-hand-over': {
    what: 'a joiner gets rows, then the arc, but not what was written in between',
    hear: withoutLastWrites,
    before: (state, event) =>
      event.kind === 'message' && event.message.kind === 'bless' ? withSeat(state) : state,
    isGivenTo: ({ owning, me }, next) =>
      next !== undefined && next !== me && owning?.followers.get(next)?.isWhole === true,
  },
  'early-promotion': {
    what: 'a seat chooses another owner before the term that it granted has ended',
    before: (state, event) =>
      event.kind === 'tick' || (event.kind === 'message' && event.message.kind === 'ask')
        ? { ...state, grantedUntil: 0 }
        : state,
  },
  'turn-forgotten': { what: 'a new owner asks hosts at once', isTurnForgotten: true },
};

function withoutLastWrites(state: ArcState, message: ArcMessage): ArcMessage {
  if (message.kind === 'append' && !message.charter.seats.includes(state.me)) {
    return { ...message, entries: [] };
  }
  const isSwitch = message.kind === 'bless' || (message.kind === 'ask' && message.isBlessed);
  return isSwitch ? { ...message, at: state.at } : message;
}

function withSeat(state: ArcState): ArcState {
  const { charter, me } = state;
  if (charter.seats.includes(me)) return state;
  return { ...state, charter: { ...charter, seats: [...charter.seats, me] } };
}
