/**
 * The settings file and the options of the library: JSON values under the names of the table.
 *
 *   { "limits": { "depth": 3, "maxTime": "2h" }, "scope": { "include": ["/docs/"] } }
 *
 * In a file settings stand in their sections; as options they stand alone, named as the flags
 * are. Keys that begin with `$` or `//` are for editors and people, and are passed over.
 */
import { type Given, type Mistake, type Origin, quoted, unknownName } from './mistake.ts';
import { type Entry, entryByKey, entryByName, isBeside, SETTINGS } from './settings.ts';

export interface ConfigFile {
  /** As messages should call it: `orb.json`. */
  readonly name: string;
  readonly text: string;
}

interface Reading {
  readonly given: Given[];
  readonly mistakes: Mistake[];
}

export function readConfigFile({ name, text }: ConfigFile): Reading {
  const reading: Reading = { given: [], mistakes: [] };
  const parsed = parseObject(name, text.replace(/^\ufeff/, ''));
  if ('mistake' in parsed) {
    reading.mistakes.push(parsed.mistake);
    return reading;
  }
  for (const [section, value] of Object.entries(parsed.object)) {
    if (isComment(section)) continue;
    if (!Object.hasOwn(SETTINGS, section)) {
      reading.mistakes.push(unknownKey(section, name));
    } else if (!isObject(value)) {
      reading.mistakes.push({
        code: 'E_CONFIG',
        message: `${section} in ${name} is ${quoted(value)}, not a section.`,
        hint: `Write "${section}": { … } with the settings of the section inside.`,
      });
    } else readSection(section, value, name, reading);
  }
  return reading;
}

function readSection(section: string, values: object, file: string, reading: Reading): void {
  for (const [name, value] of Object.entries(values)) {
    if (isComment(name)) continue;
    const key = `${section}.${name}`;
    const place = `${key} in ${file}`;
    const entry = entryByKey(key);
    if (entry === undefined) reading.mistakes.push(unknownKey(key, file));
    else if (entry.setting.notInFile) {
      const hint = `Use the flag --${entry.flag} or the variable ${entry.environment}.`;
      const message = `${place} cannot be set in a settings file.`;
      reading.mistakes.push({ code: 'E_CONFIG', message, hint });
    } else reading.given.push({ entry, origin: 'file', place, value });
  }
}

/** Options of the library; undefined is as if not given. */
export function readOptions(options: Readonly<Record<string, unknown>>): Reading {
  const reading: Reading = { given: [], mistakes: [] };
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const entry = entryByName(name);
    const place = `option ${name}`;
    const isOption = entry !== undefined && !isBeside(entry);
    if (isOption) reading.given.push({ entry, origin: 'option', place, value });
    else {
      const what = `The option ${quoted(name)}`;
      reading.mistakes.push(unknownName(what, name, 'option', (known) => known.name));
    }
  }
  return reading;
}

function unknownKey(key: string, file: string): Mistake {
  const say = (entry: Entry): string => entry.key;
  const origin: Origin = 'file';
  return unknownName(`The setting ${quoted(key)} in ${file}`, key, origin, say);
}

function parseObject(name: string, text: string): { object: object } | { mistake: Mistake } {
  const hint = 'Write one JSON object, such as { "limits": { "depth": 3 } }.';
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { object: value };
    const message = `${name} holds ${quoted(value)}, not an object of sections.`;
    return { mistake: { code: 'E_CONFIG', message, hint } };
  } catch (cause) {
    const why = cause instanceof Error ? quoted(cause.message).slice(1, -1) : 'broken';
    return { mistake: { code: 'E_CONFIG', message: `${name} is not JSON: ${why}.`, hint } };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isComment(key: string): boolean {
  return key.startsWith('$') || key.startsWith('//');
}
