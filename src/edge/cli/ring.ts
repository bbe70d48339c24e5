/**
 * `orb ring`: one crawl by many equal nodes (D1–D8).
 *
 *   start, join     a node, with API and dashboard as `orb serve` has them (service.ts)
 *   status, leave   of the node that runs in a folder (ring-ask.ts)
 *   keygen, id, certify   where nodes are let in by certificates (ring-keys.ts)
 *
 * Ctrl-C stops a node at once and keeps its seats: the others choose new owners within a term, and
 * the same command goes on. `orb ring leave` hands everything over first, and is for good.
 */
import type { Mistake, Refusal, Resolution } from '../../config/index.ts';
import type { RingSession } from '../../crawl/ring-desk.ts';
import { safeText } from './format.ts';
import { leaveRing, ringStatus } from './ring-ask.ts';
import { certifyNode, newRingKey, showNodeId } from './ring-keys.ts';
import { runService } from './service.ts';
import type { World } from './world.ts';

export const RING_HOME = '.orb/ring';

export async function ringCommand(resolution: Resolution, world: World): Promise<number | Refusal> {
  const { settings, seeds } = resolution;
  const [word = '', ...rest] = seeds;
  const dir = settings.crawl.dir ?? RING_HOME;
  if (word === 'join') return join(rest, dir, resolution, world);
  if (word === 'certify') return certifyNode(rest, world);
  if (word === 'keygen') return newRingKey(rest, world);
  if (rest.length > 0) return { mistakes: [tooMany(word, rest[0] as string)] };
  if (word === 'start') return runNode('start', [], dir, resolution, world);
  if (word === 'status') return ringStatus(dir, settings, world);
  if (word === 'leave') return leaveRing(dir, settings, world);
  return word === 'id' ? showNodeId(dir, world) : { mistakes: [unknownWord(word)] };
}

async function join(
  contacts: readonly string[],
  dir: string,
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  const wrong = contacts.filter((at) => !/^(?:\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i.test(at));
  if (wrong.length > 0) return { mistakes: wrong.map(noAddress) };
  if (contacts.length + resolution.settings.ring.via.length === 0)
    return { mistakes: [NO_CONTACT] };
  return runNode('join', contacts, dir, resolution, world);
}

function runNode(
  way: 'start' | 'join',
  contacts: readonly string[],
  dir: string,
  resolution: Resolution,
  world: World,
): Promise<number> {
  let tellLeft: (text: string) => void = () => undefined;
  const left = new Promise<string>((resolve) => {
    tellLeft = resolve;
  });
  return runService(
    {
      ...{ command: `orb ring ${way}`, where: `folder ${dir}`, dir },
      atStop: 'Ctrl-C stops and keeps its seats; orb ring leave hands everything over.',
      open: async (request) => {
        const session: RingSession = await world.openRing({ ...request, way, contacts });
        void session.left.then(() => tellLeft(LEFT));
        return session;
      },
      left: () => left,
    },
    resolution,
    world,
  );
}

const LEFT = 'This node has left the ring. Bodies and events that it fetched stay in its folder.';

const WORDS = 'start, join HOST:PORT, status, leave, id, keygen FILE, certify FILE KEY NAME';

const NO_CONTACT: Mistake = {
  code: 'E_USAGE',
  message: 'orb ring join needs the address of a member.',
  hint: 'Write: orb ring join HOST:7946, as that node said it when it started.',
};

function noAddress(given: string): Mistake {
  const message = `'${safeText(given, 60)}' is no address of a member.`;
  return { code: 'E_USAGE', message, hint: 'Write HOST:PORT, such as 192.0.2.7:7946.' };
}

function tooMany(word: string, extra: string): Mistake {
  const message = `orb ring ${safeText(word, 20)} does not know what to do with '${safeText(extra, 60)}'.`;
  return { code: 'E_USAGE', message, hint: `Its words are ${WORDS}.` };
}

function unknownWord(word: string): Mistake {
  const message = `orb ring does not know how to '${safeText(word, 60)}'.`;
  return { code: 'E_USAGE', message, hint: `Its words are ${WORDS}.` };
}
