/**
 * The desk of a node that runs: reports, and its leave (D6). A node that leaves stands in no line
 * any more: its arcs are drained and handed over one by one, its copies are made elsewhere, and
 * then it goes. Who asks twice hears of the same leave.
 *
 *   leave ─▶ told how much is left ─▶ nothing: it has gone
 *              ├─ nothing moves: told who is silent
 *              └─ for too long, or nobody listens any more: it stays, as it was
 */
import { CrawlError } from '../base/errors.ts';
import { type Instant, SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Leaving, RingDesk } from './ring-desk.ts';
import type { RingNode } from './ring-node.ts';
import type { RingAnswers, RingSurvey } from './ring-survey.ts';

const LOOK_MS = SECOND_MS / 2;
/** A new seat is made and level within less, where nothing is wrong. */
const SLOW_MS = 15 * SECOND_MS;

type LeavingNode = Pick<RingNode, 'leave' | 'left' | 'report' | 'me'>;

export function leavingDesk(
  ring: LeavingNode,
  answers: Pick<RingAnswers, 'survey'>,
  clock: Clock,
): { readonly desk: RingDesk; readonly left: Promise<void> } {
  let tellLeft: () => void = () => {};
  const left = new Promise<void>((resolve) => {
    tellLeft = resolve;
  });
  let under: { readonly end: Promise<boolean>; readonly stop: AbortController } | undefined;
  let listeners = 0;
  const begin = () => {
    const stop = new AbortController();
    const end = ring.leave(undefined, stop.signal).then((isGone) => {
      under = undefined;
      if (isGone) tellLeft();
      return isGone;
    });
    return { end, stop };
  };
  const leave = async function* (): AsyncIterable<Leaving> {
    const { successors, me } = ring.report();
    if (successors.every(({ id }) => id === me.id)) throw lastOne();
    under ??= begin();
    const { end, stop } = under;
    listeners++;
    try {
      yield* progressOf(ring, answers, clock, end);
    } finally {
      if (--listeners === 0) stop.abort();
    }
  };
  const desk = { report: async () => ring.report(), survey: () => answers.survey(), leave };
  return { desk, left };
}

async function* progressOf(
  ring: LeavingNode,
  answers: Pick<RingAnswers, 'survey'>,
  clock: Clock,
  gone: Promise<boolean>,
): AsyncIterable<Leaving> {
  let [said, movedAt]: [string, Instant] = ['', clock.now()];
  for (let end: boolean | undefined; end === undefined; ) {
    const { left } = ring;
    if (said !== JSON.stringify(left)) [said, movedAt] = [JSON.stringify(left), clock.now()];
    const isSlow = clock.now() > movedAt + SLOW_MS;
    yield isSlow ? { ...left, silent: silentIn(await answers.survey()) } : left;
    const isOver = new AbortController();
    const nap = clock.sleepUntil(clock.now() + LOOK_MS, isOver.signal).then(() => undefined);
    end = await Promise.race([gone, nap]);
    isOver.abort();
  }
  if (!(await gone)) throw stays(ring.left, silentIn(await answers.survey()));
}

/** Who keeps what this node keeps, too, and does not answer. */
function silentIn({ me, nodes, arcs }: RingSurvey): string[] {
  const heard = new Set(nodes.flatMap(({ peer, report }) => (report ? [peer.place] : [])));
  const shared = arcs.filter(({ seats }) => seats.includes(me.place));
  const silent = shared.flatMap(({ seats }) => seats.filter((seat) => !heard.has(seat)));
  return [...new Set(silent)].sort();
}

function lastOne(): CrawlError {
  const hint = 'Stop it with Ctrl-C: its folder holds the crawl, and orb ring start goes on.';
  return new CrawlError('E_USAGE', 'This node is the only one of its ring.', hint);
}

function stays({ owned, kept }: Leaving, silent: readonly string[]): CrawlError {
  const names = silent.map((place) => place.slice(0, 8)).join(', ');
  const why = silent.length === 0 ? '' : `; silent: ${names}`;
  const what = `The others do not take over what this node has (arcs: ${owned}, copies: ${kept}${why}).`;
  const hint =
    'It stays a member, and nothing is lost. Join another node first (orb ring join), or start ' +
    'again those that are gone; then let it leave.';
  return new CrawlError('E_RING_DOWN', what, hint);
}
