/**
 * What a command was told: its flags, the environment and the settings file, put together.
 */
import {
  configFileName,
  type Mistake,
  type Refusal,
  type Resolution,
  resolveSettings,
} from '../../config/index.ts';
import { type Command, takes } from './help-commands.ts';
import type { World } from './world.ts';

const USUAL_FILE = 'orb.config.json';

/** `argv` is what follows the command's name. */
export async function gatherSettings(
  command: Command,
  argv: readonly string[],
  world: World,
): Promise<Resolution | Refusal> {
  const named = configFileName(argv, world.env);
  const name = named ?? USUAL_FILE;
  const text = await world.readText(name);
  const missing = named !== undefined && text === undefined ? [noFile(name)] : [];
  const resolved = resolveSettings({
    argv,
    env: world.env,
    accepts: (entry) => takes(command, entry),
    command: command.name,
    operands: command.name === 'crawl' ? 'seeds' : 'any',
    ...(text !== undefined && { file: { name, text } }),
  });
  const mistakes = 'mistakes' in resolved ? resolved.mistakes : [];
  const all = [...missing, ...mistakes];
  return all.length > 0 ? { mistakes: all } : resolved;
}

function noFile(name: string): Mistake {
  const message = `The settings file ${name} does not exist.`;
  return { code: 'E_CONFIG', message, hint: 'Name a JSON file, or leave --config out.' };
}
