/**
 * `orb serve token add NAME --role operate`: makes a token, prints it once, keeps its hash.
 * `token list` says who has one, `token remove NAME` takes it back, also from a service that runs.
 */
import {
  exitCode,
  type Mistake,
  type Refusal,
  type Resolution,
  type Settings,
} from '../../config/index.ts';
import { newTokenEntry, parseTokens, type TokenEntry, writeTokens } from '../api/index.ts';
import { safeText } from './format.ts';
import type { World } from './world.ts';

const USUAL_FILE = '.orb/tokens.json';
const NAME = /^[\w.@-]{1,64}$/;

export function tokensFile({ serve }: Settings): string {
  return serve.tokens ?? USUAL_FILE;
}

export async function tokenCommand(
  { settings, seeds: words }: Resolution,
  world: World,
): Promise<number | Refusal> {
  const [what, act, name] = words;
  const path = tokensFile(settings);
  const isCall = what === 'token' && (act === 'list' || (name !== undefined && act !== undefined));
  if (!isCall) return { mistakes: [NOT_UNDERSTOOD] };
  const tokens = parseTokens(await world.secretFiles.read(path), path);
  if (act === 'list') return list(tokens, world);
  if (act === 'add') return add(name as string, tokens, settings, world);
  if (act === 'remove') return remove(name as string, tokens, settings, world);
  return { mistakes: [NOT_UNDERSTOOD] };
}

const NOT_UNDERSTOOD: Mistake = {
  code: 'E_USAGE',
  message: 'orb serve takes no operand but token.',
  hint: 'Write: orb serve token add NAME --role operate, token list, or token remove NAME.',
};

async function list(tokens: readonly TokenEntry[], world: World): Promise<number> {
  const lines = tokens.map((entry) => {
    const { name, roles, createdAt = '' } = entry;
    return `${safeText(name, 64)}  ${roles.join(',')}  ${safeText(String(createdAt), 40)}\n`;
  });
  await world.stdout.write(lines.join(''));
  return exitCode('complete');
}

async function add(
  name: string,
  tokens: readonly TokenEntry[],
  settings: Settings,
  world: World,
): Promise<number | Refusal> {
  if (!NAME.test(name)) {
    return refuse('A name has up to 64 letters, digits, and . _ @ -', 'Choose such a name.');
  }
  if (tokens.some((entry) => entry.name === name)) {
    return refuse(`There is a token named ${name}.`, `Remove it: orb serve token remove ${name}`);
  }
  const { role } = settings.serve;
  const token = world.newSecret();
  const createdAt = new Date(world.clock.now()).toISOString();
  const entry = newTokenEntry(name, role.length === 0 ? ['read'] : role, token, createdAt);
  await save([...tokens, entry], settings, world);
  const what = `The token of ${name} (${entry.roles.join(', ')}) is shown this once:`;
  world.stderr.write(`${what}\n`);
  await world.stdout.write(`${token}\n`);
  return exitCode('complete');
}

async function remove(
  name: string,
  tokens: readonly TokenEntry[],
  settings: Settings,
  world: World,
): Promise<number | Refusal> {
  const left = tokens.filter((entry) => entry.name !== name);
  if (left.length === tokens.length) {
    return refuse(`There is no token named ${safeText(name, 64)}.`, 'See: orb serve token list');
  }
  await save(left, settings, world);
  world.stderr.write(`${safeText(name, 64)} is out; a service that runs knows within a second.\n`);
  return exitCode('complete');
}

async function save(
  tokens: readonly TokenEntry[],
  settings: Settings,
  world: World,
): Promise<void> {
  await world.secretFiles.write(tokensFile(settings), writeTokens(tokens));
}

function refuse(message: string, hint: string): Refusal {
  return { mistakes: [{ code: 'E_USAGE', message, hint }] };
}
