/**
 * From what was given to what holds: option > flag > environment > file > default (L4).
 *
 * Every place is read to its end and every value checked, also one that a stronger place
 * overrides, so that all mistakes come out at once. Never throws, whatever it is given.
 */
import { readArguments } from './arguments.ts';
import { type ConfigFile, readConfigFile, readOptions } from './config-file.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { isProblem, type Parsed, parseJson } from './kind.ts';
import { type Given, type Mistake, ORIGINS, wrongValue } from './mistake.ts';
import { type Draft, type Explicit, relate } from './relations.ts';
import { seedMistake } from './seeds.ts';
import {
  ENTRIES,
  type Entry,
  type SettingKey,
  type SettingOptions,
  type Settings,
} from './settings.ts';

export interface Sources {
  /** The command line after the command's own word. */
  readonly argv?: readonly string[];
  readonly env?: Environment;
  readonly file?: ConfigFile;
  /** The library's options, under the names of the flags in camelCase. */
  readonly options?: SettingOptions;
  /** The settings whose flags the command takes; all of them unless told. */
  readonly accepts?: (entry: Entry) => boolean;
  /** Whose help explains them; that of `crawl` unless told. */
  readonly command?: string;
  /** What the arguments are that are no flags: seeds, unless the command says otherwise. */
  readonly operands?: 'seeds' | 'any';
}

export interface Resolution {
  readonly settings: Settings;
  /** The arguments that are no flags, as given. */
  readonly seeds: readonly string[];
  /** Which settings were given, and the strongest place that gave them. */
  readonly explicit: Explicit;
}

export interface Refusal {
  readonly mistakes: readonly Mistake[];
}

export function resolveSettings(sources: Sources): Resolution | Refusal {
  const argument = readArguments(sources.argv ?? [], sources.accepts, sources.command);
  const environment = readEnvironment(sources.env ?? {});
  const file = sources.file ? readConfigFile(sources.file) : { given: [], mistakes: [] };
  const options = readOptions((sources.options ?? {}) as Record<string, unknown>);
  const readings = [argument, environment, file, options];
  const mistakes = readings.flatMap((reading) => reading.mistakes);
  const checked = checkAll(readings.flatMap((reading) => reading.given));
  mistakes.push(...checked.mistakes);
  if (sources.operands !== 'any') mistakes.push(...argument.rest.flatMap(seedMistake));
  const draft = draftOf(checked.values);
  mistakes.push(...relate(draft, checked.explicit, checked.broken));
  if (mistakes.length > 0) return { mistakes };
  return { settings: draft, seeds: argument.rest, explicit: checked.explicit };
}

export function isRefusal(result: Resolution | Refusal): result is Refusal {
  return 'mistakes' in result;
}

/** The settings that hold when nothing is given. */
export function defaultSettings(): Settings {
  const result = resolveSettings({});
  if (isRefusal(result)) throw new Error('broken invariant: the defaults resolve');
  return result.settings;
}

interface Checked {
  readonly values: ReadonlyMap<SettingKey, unknown>;
  readonly explicit: Explicit;
  /** Settings with a value that was refused. */
  readonly broken: ReadonlySet<SettingKey>;
  readonly mistakes: readonly Mistake[];
}

/** Checks each value and keeps the strongest; values of one list from one place are joined. */
function checkAll(given: readonly Given[]): Checked {
  const values = new Map<SettingKey, unknown>();
  const explicit = new Map<SettingKey, Given['origin']>();
  const broken = new Set<SettingKey>();
  const mistakes: Mistake[] = [];
  const weakestFirst = [...given].sort((a, b) => strength(a) - strength(b));
  for (const one of weakestFirst) {
    const { entry, origin } = one;
    const parsed = parseGiven(one);
    if (isProblem(parsed)) {
      mistakes.push(wrongValue(one, parsed.problem));
      broken.add(entry.key);
      continue;
    }
    const isMore = entry.kind.separator !== undefined && explicit.get(entry.key) === origin;
    const before = isMore ? (values.get(entry.key) as readonly unknown[]) : [];
    values.set(entry.key, isMore ? [...before, ...(parsed.value as unknown[])] : parsed.value);
    explicit.set(entry.key, origin);
  }
  return { values, explicit, broken, mistakes };
}

function strength({ origin }: Given): number {
  return ORIGINS.indexOf(origin);
}

function parseGiven({ entry, origin, value }: Given): Parsed<unknown> {
  const isText = origin === 'flag' || origin === 'environment';
  return isText ? entry.kind.parse(String(value)) : parseJson(entry.kind, value);
}

function draftOf(values: ReadonlyMap<SettingKey, unknown>): Draft {
  const draft: Record<string, Record<string, unknown>> = {};
  for (const { key, section, property, setting } of ENTRIES) {
    draft[section] ??= {};
    draft[section][property] = values.has(key) ? values.get(key) : setting.default;
  }
  return draft as unknown as Draft;
}

/** The settings file that the command line or the environment names; to be read first. */
export function configFileName(argv: readonly string[], env: Environment): string | undefined {
  const named = readArguments(argv).given.filter(({ entry }) => entry.key === 'crawl.config');
  const last = named.at(-1)?.value ?? env.ORB_CRAWL_CONFIG;
  return typeof last === 'string' && last !== '' ? last : undefined;
}
