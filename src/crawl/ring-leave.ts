/**
 * The desk of a node that runs: reports, and its leave (D6). A node that leaves stands in no line
 * any more: its arcs are drained and handed over one by one, its copies are made elsewhere, and
 * then it goes. Who asks twice hears of the same leave.
 */
import { CrawlError } from '../base/errors.ts';
import { SECOND_MS } from '../base/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { Leaving, RingDesk } from './ring-desk.ts';
import type { RingNode } from './ring-node.ts';
import type { RingAnswers } from './ring-survey.ts';

const LOOK_MS = SECOND_MS / 2;

export function leavingDesk(
  ring: Pick<RingNode, 'leave' | 'left' | 'report' | 'me'>,
  answers: RingAnswers,
  clock: Clock,
): { readonly desk: RingDesk; readonly left: Promise<boolean> } {
  let tellLeft: (isWhole: boolean) => void = () => {};
  const left = new Promise<boolean>((resolve) => {
    tellLeft = resolve;
  });
  let leaving: Promise<boolean> | undefined;
  const leave = async function* (): AsyncIterable<Leaving> {
    const { successors, me } = ring.report();
    if (successors.every(({ id }) => id === me.id)) throw lastOne();
    leaving ??= ring.leave();
    void leaving.then(tellLeft);
    for (let end: boolean | undefined; end === undefined; ) {
      yield ring.left;
      const isOver = new AbortController();
      const nap = clock.sleepUntil(clock.now() + LOOK_MS, isOver.signal).then(() => undefined);
      end = await Promise.race([leaving, nap]);
      isOver.abort();
    }
    if (!(await leaving)) throw tooLong();
  };
  const desk = { report: async () => ring.report(), survey: () => answers.survey(), leave };
  return { desk, left };
}

function lastOne(): CrawlError {
  const hint = 'Stop it with Ctrl-C: its folder holds the crawl, and orb ring start goes on.';
  return new CrawlError('E_USAGE', 'This node is the only one of its ring.', hint);
}

function tooLong(): CrawlError {
  const hint =
    'It has gone: the others make new copies of what it kept. Keep its folder until then.';
  return new CrawlError('E_RING_DOWN', 'The others did not take everything over in time.', hint);
}
