/**
 * What a person got wrong, as two sentences: what happened, and what to do.
 *
 * Mistakes are collected, never thrown: whoever mends one should not find the next one only
 * then (L4). The code follows from the place: the command line is usage (exit 2), the
 * environment and the settings file are configuration (exit 4).
 */
import { ERRORS, type ErrorCode } from '../base/errors.ts';
import { nearest } from './nearest.ts';
import { ENTRIES, type Entry, isSwitch } from './settings.ts';

/** Weakest first; a later one wins over an earlier one. */
export const ORIGINS = ['file', 'environment', 'flag', 'option'] as const;
export type Origin = (typeof ORIGINS)[number];

export interface Mistake {
  readonly code: Extract<ErrorCode, 'E_USAGE' | 'E_CONFIG' | 'E_SEED'>;
  readonly message: string;
  readonly hint: string;
}

/** One value that somebody gave, still as written. */
export interface Given {
  readonly entry: Entry;
  readonly origin: Origin;
  /** How the place is called in a message: `--depth`, `ORB_LIMITS_DEPTH`, `limits.depth in x.json`. */
  readonly place: string;
  /** Text from flags and environment; a JSON value from files and options. */
  readonly value: unknown;
}

export function codeOf(origin: Origin): 'E_USAGE' | 'E_CONFIG' {
  return origin === 'flag' ? 'E_USAGE' : 'E_CONFIG';
}

/** The exit code of a command that ends with these mistakes: usage before configuration. */
export function exitCodeOf(mistakes: readonly Mistake[]): number {
  return Math.min(...mistakes.map(({ code }) => ERRORS[code].exit), ERRORS.E_CONFIG.exit);
}

export function wrongValue(given: Given, problem: string): Mistake {
  const { entry, origin, place, value } = given;
  const shown = entry.setting.secret ? 'the value' : quoted(value);
  return {
    code: codeOf(origin),
    message: `${place}: ${shown} ${problem}.`,
    hint: hintFor(entry, origin),
  };
}

/** What to give in that place; `flag` is how the person wrote the flag. */
export function hintFor(entry: Entry, origin: Origin, flag = `--${entry.flag}`): string {
  return `Give ${entry.kind.expects}: ${exampleFor(entry, origin, flag)}.`;
}

/** The example of a setting, in the form of the place where it was wrong. */
function exampleFor(entry: Entry, origin: Origin, flag: string): string {
  const { example } = entry.setting;
  if (origin === 'environment') return `${entry.environment}=${example}`;
  if (origin !== 'flag') return `"${entry.name}": ${jsonExample(entry)}`;
  if (!isSwitch(entry)) return `${flag} ${example}`;
  return `--${entry.flag} or --no-${entry.flag}`;
}

function jsonExample({ kind, setting }: Entry): string {
  const bare = setting.example.replace(/^'(.*)'$/, '$1');
  if (kind.separator !== undefined) return JSON.stringify(bare.split(kind.separator));
  const isBare =
    kind.json.some((type) => type !== 'string') && /^[\d._]+$|^(true|false)$/.test(bare);
  return isBare ? bare.replaceAll('_', '') : JSON.stringify(bare);
}

/** Names that people try, and why they lead nowhere here. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  ['ignore-robots', 'robots', 'obey-robots', 'respect-robots', 'ignore-robots-txt'].map((name) => [
    name,
    "robots.txt is always obeyed; a host that is yours can name the crawler's token there.",
  ]),
);

/** Refuses a name that no setting has; `say` writes a setting's name in the form of the place. */
export function unknownName(
  what: string,
  name: string,
  origin: Origin,
  say: (entry: Entry) => string,
  command = 'crawl',
): Mistake {
  const bare = name.replace(/^no-/, '');
  const meant = meantBy(bare, (entry) => say(entry).replace(/^--/, ''));
  const why = REFUSED.get(bare);
  const more =
    origin === 'flag' ? `See 'orb ${command} --help'.` : 'See docs/reference/settings.md.';
  return {
    code: codeOf(origin),
    message: `${what} is not known.`,
    hint: why ?? (meant === undefined ? more : `Did you mean ${say(meant)}? ${more}`),
  };
}

function meantBy(name: string, say: (entry: Entry) => string): Entry | undefined {
  const names = new Map<string, Entry>();
  for (const entry of ENTRIES) {
    for (const alias of entry.setting.aliases ?? []) names.set(alias, entry);
  }
  for (const entry of ENTRIES) {
    for (const one of [entry.name, entry.flag, entry.key, say(entry)]) names.set(one, entry);
  }
  const exact = names.get(name) ?? names.get(name.replaceAll('_', '-'));
  const near = exact === undefined ? nearest(name, names.keys()) : undefined;
  return exact ?? (near === undefined ? undefined : names.get(near));
}

const QUOTED_LENGTH_MAX = 60;

/** A given value inside a sentence: short, one line, nothing that a terminal would obey. */
export function quoted(value: unknown): string {
  const written = typeof value === 'string' ? value : writeJson(value);
  const oneLine = written
    .slice(0, QUOTED_LENGTH_MAX * 2)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return `'${oneLine.length > QUOTED_LENGTH_MAX ? `${oneLine.slice(0, QUOTED_LENGTH_MAX)}…` : oneLine}'`;
}

function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value;
  }
}
