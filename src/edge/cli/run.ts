/**
 * The command line, from its words to an exit code. Data goes to stdout, everything said to
 * people goes to stderr, and no error leaves without what to do about it (L3, L4).
 */
import {
  asksFor,
  exitCode,
  exitCodeOf,
  type Mistake,
  type Refusal,
  type Resolution,
} from '../../config/index.ts';
import { failureLines, failureOf, isBrokenPipe } from './failure.ts';
import { safeText } from './format.ts';
import { gatherSettings } from './gather.ts';
import { helpText, mistakesText, overviewText } from './help.ts';
import { COMMANDS, type Command, commandByName } from './help-commands.ts';
import type { World } from './world.ts';

export async function runCli(world: World): Promise<number> {
  const [name = '', ...argv] = world.argv;
  try {
    return await dispatch(name, argv, world);
  } catch (error) {
    if (isBrokenPipe(error)) return exitCode('complete');
    const isVerbose = argv.includes('--verbose') || argv.includes('-v');
    const failure = failureOf(error, `orb ${safeText(name, 40)}`, isVerbose);
    world.stderr.write(`${failureLines(failure).join('\n')}\n`);
    return failure.exitCode;
  }
}

async function dispatch(name: string, argv: readonly string[], world: World): Promise<number> {
  const { columns } = world.stdout;
  if (name === 'help' || name === '') return help(argv[0], world);
  if (name === '--help' || name === '-h') return help(undefined, world);
  if (name === '--version' || name === '-V' || name === 'version') return version(world);
  const command = commandByName(name);
  if (command === undefined) return refuse([unknownCommand(name)], world);
  const asked = asksFor(argv);
  if (asked === 'version') return version(world);
  const isBare = ['audit', 'ring'].includes(command.name) && argv.length === 0;
  if (asked === 'help' || isBare) return write(helpText(command, columns), world);
  const resolution = await gatherSettings(command, argv, world);
  if ('mistakes' in resolution) return refuse(resolution.mistakes, world);
  const mistakes = [
    ...operandMistakes(command, resolution.seeds),
    ...formatMistakes(command, resolution),
  ];
  if (mistakes.length > 0) return refuse(mistakes, world);
  const ended = await run(command, argv, resolution, world);
  return typeof ended === 'number' ? ended : refuse(ended.mistakes, world);
}

async function run(
  command: Command,
  argv: readonly string[],
  resolution: Resolution,
  world: World,
): Promise<number | Refusal> {
  if (command.name === 'demo') {
    return (await import('./demo.ts')).demoCommand(argv, resolution, world);
  }
  const load = ACTS[command.name];
  if (load === undefined) throw new Error(`broken invariant: ${command.name} does something`);
  const act = await load();
  return act(resolution, world);
}

type Act = (resolution: Resolution, world: World) => Promise<number | Refusal>;

/** A command's file is loaded when it is chosen: the others would cost it a third of a second. */
const ACTS: Readonly<Record<string, () => Promise<Act>>> = {
  crawl: async () => (await import('./crawl.ts')).crawlCommand,
  status: async () => (await import('./read.ts')).statusCommand,
  pages: async () => (await import('./read.ts')).pagesCommand,
  links: async () => (await import('./read.ts')).linksCommand,
  why: async () => (await import('./read.ts')).whyCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  rank: async () => (await import('./rank.ts')).rankCommand,
  recrawl: async () => (await import('./recrawl.ts')).recrawlCommand,
  block: async () => (await import('./erase.ts')).blockCommand,
  erase: async () => (await import('./erase.ts')).eraseCommand,
  hold: async () => (await import('./hold.ts')).holdCommand,
  jobs: async () => (await import('./jobs.ts')).jobsCommand,
  complain: async () => (await import('./hold.ts')).complainCommand,
  changes: async () => (await import('./changes.ts')).changesCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  plan: async () => (await import('./capacity.ts')).capacityCommand,
  key: async () => (await import('./key.ts')).keyCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  ring: async () => (await import('./ring.ts')).ringCommand,
};

/** How many operands a command takes: the least and the most. */
const OPERANDS: Readonly<Record<string, readonly [number, number]>> = {
  crawl: [0, Number.POSITIVE_INFINITY],
  links: [0, 1],
  recrawl: [0, Number.POSITIVE_INFINITY],
  why: [1, 1],
  complain: [1, 1],
  audit: [1, 1],
  serve: [0, 3],
  export: [1, 1],
  ring: [1, Number.POSITIVE_INFINITY],
  key: [1, Number.POSITIVE_INFINITY],
  jobs: [0, 2],
};

const AUDITS = ['politeness', 'verify', 'list', 'rules'];

function operandMistakes(command: Command, operands: readonly string[]): Mistake[] {
  const [least, most] = OPERANDS[command.name] ?? [0, 0];
  const hint = `Write: orb ${command.name} ${command.operands}`.trimEnd();
  const mistake = (message: string): Mistake[] => [{ code: 'E_USAGE', message, hint }];
  if (operands.length < least) return mistake(`orb ${command.name} needs ${command.operands}.`);
  if (operands.length > most) {
    const extra = safeText(operands[most] as string, 60);
    return mistake(`orb ${command.name} does not know what to do with '${extra}'.`);
  }
  const isOther = command.name === 'audit' && !AUDITS.includes(operands[0] as string);
  return isOther ? mistake(`There is no audit of '${safeText(operands[0] as string, 60)}'.`) : [];
}

/** Only pages have a text; a settings file may ask for it all the same. */
function formatMistakes(command: Command, { settings, explicit }: Resolution): Mistake[] {
  const isOfPages = command.takes.includes('readable') || command.takes.includes('output');
  const isAsked = explicit.get('output.format') === 'flag';
  if (isOfPages || !isAsked || settings.output.format !== 'markdown') return [];
  const message = `orb ${command.name} has no pages to write as Markdown.`;
  return [{ code: 'E_USAGE', message, hint: 'Choose text, json or csv, or: orb pages' }];
}

function unknownCommand(name: string): Mistake {
  const names = COMMANDS.map((command) => command.name).join(', ');
  const isSeed = /^[a-z]+:\/\/|^[\w-]+(\.[\w-]+)+/i.test(name);
  const shown = safeText(name, 60);
  const hint = isSeed ? `Did you mean: orb crawl ${shown}` : `The commands are ${names}.`;
  const what = name.startsWith('-') ? 'flag' : 'command';
  return { code: 'E_USAGE', message: `The ${what} '${shown}' is not known.`, hint };
}

async function help(name: string | undefined, world: World): Promise<number> {
  const { columns } = world.stdout;
  if (name === undefined) return write(overviewText(world.version, columns), world);
  const command = commandByName(name);
  if (command === undefined) return refuse([unknownCommand(name)], world);
  return write(helpText(command, columns), world);
}

function version(world: World): Promise<number> {
  return write(`${world.version}\n`, world);
}

async function write(text: string, world: World): Promise<number> {
  await world.stdout.write(text);
  return exitCode('complete');
}

function refuse(mistakes: readonly Mistake[], world: World): number {
  world.stderr.write(mistakesText(mistakes));
  return exitCodeOf(mistakes);
}
