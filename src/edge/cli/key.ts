/**
 * `orb key`: the keys that requests are signed with (P8).
 *
 *   orb key new --out FILE   a new key; its public directory on stdout
 *   orb key show FILE…       the directory of keys that are there: two of them while one
 *                            takes the place of the other
 *   orb key check            is the directory where it should be? (key-check.ts)
 *
 * What is printed may be shown to anybody; the private half stays in its file.
 */
import { exitCode, type Mistake, type Refusal, type Resolution } from '../../config/index.ts';
import { DIRECTORY_PATH, directoryBody, type SignKey } from '../../sign/index.ts';
import { safeText } from './format.ts';
import { checkKey } from './key-check.ts';
import type { World } from './world.ts';

const USUAL_FILE = 'orb-key.json';

export async function keyCommand(
  { settings, seeds: [act = '', ...files] }: Resolution,
  world: World,
): Promise<number | Refusal> {
  const { output, quiet } = settings.output;
  if (act === 'new' && files.length === 0) return newKey(output ?? USUAL_FILE, quiet, world);
  if (act === 'show' && files.length > 0) return showKeys(files, output, quiet, world);
  if (act === 'check' && files.length === 0) return checkKey(settings, world);
  return { mistakes: [mistakeOf(act, files)] };
}

async function newKey(file: string, quiet: boolean, world: World): Promise<number> {
  const key = await world.keyFiles.create(file);
  await world.stdout.write(`${directoryBody([key])}\n`);
  const shown = safeText(file, 200);
  if (!quiet) {
    world.stderr.write(`The private key is in ${shown}: keep it secret, and keep a copy.\n`);
    sayKeys([key], world);
    world.stderr.write(
      `Publish what stands on stdout at https://YOUR-HOST${DIRECTORY_PATH}, then crawl with\n` +
        `     --sign-key ${shown} --signature-agent https://YOUR-HOST\n`,
    );
  }
  return exitCode('complete');
}

async function showKeys(
  files: readonly string[],
  output: string | undefined,
  quiet: boolean,
  world: World,
): Promise<number> {
  const keys: SignKey[] = [];
  for (const file of files) keys.push(await world.keyFiles.read(file));
  const text = `${directoryBody(keys)}\n`;
  if (output === undefined) await world.stdout.write(text);
  else {
    const file = await world.openFile(output);
    await file.write(text).finally(() => file.close());
  }
  if (!quiet) sayKeys(keys, world);
  return exitCode('complete');
}

function sayKeys(keys: readonly SignKey[], world: World): void {
  for (const { keyid } of keys) world.stderr.write(`keyid ${keyid}\n`);
}

function mistakeOf(act: string, files: readonly string[]): Mistake {
  const hint = 'Write: orb key new --out FILE, orb key show FILE, or orb key check';
  const message =
    act === 'new' || act === 'check'
      ? `orb key ${act} does not know what to do with '${safeText(files[0] ?? '', 60)}'.`
      : act === 'show'
        ? 'orb key show needs the file of a key.'
        : `orb key does not know how to '${safeText(act, 60)}'.`;
  return { code: 'E_USAGE', message, hint };
}
