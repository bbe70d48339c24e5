/**
 * What is asked of a node of a ring by whoever runs it: how things are, and to go (O2, D6).
 *
 *   orb ring status, orb ring leave ── the folder's socket ──▶ RingDesk of the node that runs there
 */
import type { RingReport } from '../ports/ring-report.ts';
import { readWire, type WireCall, writeWire } from './ask-wire.ts';
import type { MeasuredSession } from './metrics.ts';
import type { RingSurvey } from './ring-survey.ts';
import type { CrawlRequest } from './session.ts';

/** A node that goes: how many arcs are still its own, and how many copies it still keeps. */
export interface Leaving {
  readonly owned: number;
  readonly kept: number;
  /** When nothing has moved for a while: places of nodes that keep some of it, too, and are silent. */
  readonly silent?: readonly string[];
}

export interface RingDesk {
  report(): Promise<RingReport>;
  /** All nodes that can be found through this one. */
  survey(): Promise<RingSurvey>;
  /**
   * Hands everything over; told as it goes, and over when nothing is left here. Whoever stops
   * listening has thought better of it: the node stays.
   */
  leave(): AsyncIterable<Leaving>;
}

export interface RingRequest extends CrawlRequest {
  /** 'start' begins a ring where the folder is of none. */
  readonly way: 'start' | 'join';
  /** Addresses of members, besides those that the folder remembers. */
  readonly contacts: readonly string[];
}

export interface RingSession extends MeasuredSession {
  readonly desk: RingDesk;
  /** When the node has left: it has handed everything over, and will not come back. */
  readonly left: Promise<void>;
}

const ASKS = { report: 'ring.report', survey: 'ring.survey', leave: 'ring.leave' } as const;
const [REPORT, SURVEY, LEAVE] = [ASKS.report, ASKS.survey, ASKS.leave].map((method) =>
  writeWire({ method }),
) as [string, string, string];

/** Undefined when it is no question about the ring. */
export function answerRing(desk: RingDesk, request: string): AsyncIterable<string> | undefined {
  if (request === REPORT) return once(() => desk.report());
  if (request === SURVEY) return once(() => desk.survey());
  return request === LEAVE ? written(desk.leave()) : undefined;
}

export function deskOver(call: WireCall): RingDesk {
  return {
    report: async () => (await first(call(REPORT))) as RingReport,
    survey: async () => (await first(call(SURVEY))) as RingSurvey,
    leave: async function* () {
      for await (const row of call(LEAVE)) yield readWire(row) as Leaving;
    },
  };
}

async function first(rows: AsyncIterable<string>): Promise<unknown> {
  for await (const row of rows) return readWire(row);
  throw new Error('broken invariant: a node answers with a row');
}

async function* once(ask: () => Promise<unknown>): AsyncIterable<string> {
  yield writeWire(await ask());
}

async function* written(rows: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const row of rows) yield writeWire(row);
}
