/** `orb ring status` and `orb ring leave`: asked of the node that runs in a folder, by its socket. */
import { CrawlError } from '../../base/errors.ts';
import { exitCode, type Settings } from '../../config/index.ts';
import type { Leaving, RingDesk } from '../../crawl/ring-desk.ts';
import { jsonLine, many, safeText } from './format.ts';
import { ringText } from './ring-text.ts';
import type { World } from './world.ts';

export async function ringStatus(dir: string, settings: Settings, world: World): Promise<number> {
  const desk = await deskOf(dir, world, STATUS_HINT);
  const [report, survey] = await Promise.all([desk.report(), desk.survey()]);
  const text = settings.output.json ? jsonLine({ report, survey }) : ringText(report, survey);
  await world.stdout.write(text);
  return exitCode('complete');
}

/** Said as it goes; the node's own process ends when it is done. */
export async function leaveRing(dir: string, settings: Settings, world: World): Promise<number> {
  const desk = await deskOf(dir, world, LEAVE_HINT);
  let said = '';
  for await (const leaving of desk.leave()) {
    const text = leavingText(leaving);
    if (text !== said && !settings.output.quiet) world.stderr.write(`Leaving: ${text}.\n`);
    said = text;
  }
  const gone = `The node of ${safeText(dir, 200)} has left the ring; its folder may be deleted.`;
  await world.stdout.write(`${gone} What it fetched (bodies, events) is only there.\n`);
  return exitCode('complete');
}

function leavingText({ owned, kept, silent }: Leaving): string {
  const copies = many(kept, 'copy').replace('copys', 'copies');
  const text = `${many(owned, 'arc')} to hand over, ${copies} to be made elsewhere`;
  if (silent === undefined) return text;
  const names = silent.map((place) => safeText(place, 16).slice(0, 8)).join(', ');
  const why = silent.length === 0 ? '' : ` (silent: ${names})`;
  return `${text}; nothing moves${why}. Join another node, or start those that are gone, and it goes on; Ctrl-C stays`;
}

async function deskOf(dir: string, world: World, hint: string): Promise<RingDesk> {
  const desk = await world.askRing(dir);
  if (desk !== undefined) return desk;
  throw new CrawlError('E_FOLDER_MISSING', `No node of a ring runs in ${dir}.`, hint);
}

const STATUS_HINT = 'Name its folder with --dir, or start it: orb ring start --dir DIR.';
const LEAVE_HINT =
  'Start it, then let it leave. A node that is gone for good needs nothing: the others make new ' +
  'copies of what it kept.';
