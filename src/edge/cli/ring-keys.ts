/**
 * Keys of a ring that lets nodes in by certificates (D8, docs/ring-security.md):
 *
 *   orb ring keygen FILE          the ring's own key, kept by whoever decides; its public half is
 *                                 given to every node (--ring-key)
 *   orb ring id --dir DIR         a node's public key
 *   orb ring certify FILE KEY NAME   the certificate of that node, for a year
 */
import { DAY_MS } from '../../base/instant.ts';
import { exitCode, type Mistake, type Refusal } from '../../config/index.ts';
import { certify } from '../../ring/index.ts';
import { safeText } from './format.ts';
import type { World } from './world.ts';

const LIFE_MS = 365 * DAY_MS;
const PUBLIC_KEY = /^[\w-]{43}$/;
const NAME = /^[\w.@-]{1,64}$/;

export async function newRingKey(
  files: readonly string[],
  world: World,
): Promise<number | Refusal> {
  const [file] = files;
  if (file === undefined || files.length > 1) {
    return refuse('orb ring keygen needs one file name.', 'Write: orb ring keygen ring-key.json');
  }
  const key = await world.keyFiles.create(file);
  const where = safeText(file, 200);
  world.stderr.write(
    `The ring's private key is in ${where}: keep it secret, and off the nodes.\n` +
      'Its public half is for every node: --ring-key, with a --certificate of their own.\n',
  );
  await world.stdout.write(`${key.publicJwk.x}\n`);
  return exitCode('complete');
}

export async function showNodeId(dir: string, world: World): Promise<number> {
  const key = await world.ringKeyOf(dir);
  await world.stdout.write(`${key.publicJwk.x}\n`);
  return exitCode('complete');
}

export async function certifyNode(
  given: readonly string[],
  world: World,
): Promise<number | Refusal> {
  const [file, node = '', name = ''] = given;
  if (file === undefined || given.length !== 3) {
    return refuse('orb ring certify needs a file, a public key and a name.', FORM);
  }
  if (!PUBLIC_KEY.test(node)) {
    return refuse(`'${safeText(node, 60)}' is no public key.`, 'orb ring id --dir DIR prints it.');
  }
  if (!NAME.test(name)) {
    return refuse('A name has up to 64 letters, digits, and . _ @ -', 'Choose such a name.');
  }
  const ringKey = await world.keyFiles.read(file);
  const from = world.clock.now();
  const until = from + LIFE_MS;
  await world.stdout.write(`${certify(ringKey, { node, name, from, until })}\n`);
  const day = new Date(until).toISOString().slice(0, 10);
  world.stderr.write(`${name} is a member until ${day}: save this as a file, for --certificate.\n`);
  return exitCode('complete');
}

const FORM = 'Write: orb ring certify ring-key.json PUBLIC-KEY NAME';

function refuse(message: string, hint: string): Refusal {
  const mistake: Mistake = { code: 'E_USAGE', message, hint };
  return { mistakes: [mistake] };
}
