/**
 * Prints docs/reference/ from the source, so that the pages cannot be wrong.
 *
 *   node tools/reference.ts           writes the pages
 *   node tools/reference.ts --check   says which pages differ, and ends with 1 if any does
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TABLE_NAMES, TABLES } from '../src/archive/index.ts';
import { ERRORS } from '../src/base/errors.ts';
import {
  ENTRIES,
  type Entry,
  EXIT_CODES,
  isSwitch,
  SECTION_TITLES,
  type SectionName,
} from '../src/config/index.ts';
import { defaultText, flagForm } from '../src/edge/cli/help.ts';
import { EVENTS_SCHEMA } from '../src/events/index.ts';

const FOLDER = join(import.meta.dirname, '..', 'docs', 'reference');
const PRINTED = '<!-- Printed by tools/reference.ts from the source; edit the source instead. -->';

export function referencePages(): ReadonlyMap<string, string> {
  return new Map([
    ['settings.md', settingsPage()],
    ['errors.md', errorsPage()],
    ['exit-codes.md', exitCodesPage()],
    ['columns.md', columnsPage()],
    ['events.schema.json', `${JSON.stringify(EVENTS_SCHEMA, null, 2)}\n`],
  ]);
}

/** The names of committed pages that are not what the source says. */
export function stalePages(folder = FOLDER): string[] {
  const stale = [...referencePages()].filter(([name, text]) => read(join(folder, name)) !== text);
  return stale.map(([name]) => name);
}

function settingsPage(): string {
  const sections = (Object.keys(SECTION_TITLES) as SectionName[]).flatMap((section) => {
    const rows = ENTRIES.filter((entry) => entry.section === section);
    return [`## ${SECTION_TITLES[section]}: \`${section}\``, '', ...rows.flatMap(settingLines)];
  });
  return page(['# Settings', '', ...SETTINGS_OPENING, '', ...sections]);
}

const SETTINGS_OPENING: readonly string[] = [
  'Every setting has one place in one table and follows from it as a flag, an environment variable,',
  'a key of the settings file and an option of the library:',
  '',
  '| place | form | example |',
  '|---|---|---|',
  '| option of the library | name | `crawl({ seeds, maxTime: "2h" })` |',
  '| flag | `--name` | `--max-time 2h` |',
  '| environment | `ORB_SECTION_NAME` | `ORB_LIMITS_MAX_TIME=2h` |',
  '| settings file (JSON) | section, then name | `{ "limits": { "maxTime": "2h" } }` |',
  '',
  'A row wins over the rows below it, and all of them over the default. Unknown names are refused.',
  '`orb.config.json` in the current folder is read, or the file that `--config` names.',
  '',
  '- **Durations** are `500ms`, `10s`, `5m`, `2h`, `1d` or `1h30m`. A bare number is seconds on the',
  '  command line and in the environment, and refused in JSON.',
  '- **Sizes** are `64kb`, `10mb`, `2gb`; 1 kb is 1,024 bytes, a bare number is bytes.',
  '- **Switches** are `--name`, `--no-name` or `--name=false`; elsewhere `true` and `false`.',
  '- **Lists** repeat the flag, or are a JSON array; a stronger place replaces the whole list. In one',
  '  text, items stand between commas; patterns, prefixes and headers stand on lines of their own.',
  '- **Part of the folder** marks what a crawl folder is made with: to change it is another crawl.',
];

function settingLines(entry: Entry): string[] {
  const { kind, setting } = entry;
  const facts = [
    `- value: ${kind.expects}${kind.separator === undefined ? '' : ' (list)'}`,
    `- default: ${defaultOf(entry)}`,
    `- environment: \`${entry.environment}\``,
    `- example: ${code(setting.example)}`,
  ];
  if (kind.unit !== '') facts.push(`- resolved: \`${entry.property}\`, in ${kind.unit}`);
  if (setting.identity) facts.push('- part of the folder');
  if (setting.secret) facts.push('- secret: never repeated in a message');
  if (setting.notInFile) facts.push('- not in a settings file');
  return [
    `### \`${entry.key}\``,
    '',
    `\`${flagForm(entry).trim()}\``,
    '',
    setting.help,
    '',
    ...facts,
    '',
  ];
}

function defaultOf(entry: Entry): string {
  const text = defaultText(entry);
  if (entry.setting.defaultText !== undefined) return text;
  if (text !== '') return code(text);
  return isSwitch(entry) ? 'off' : 'none';
}

function code(text: string): string {
  return `\`${text}\``;
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([name, { exit, what }]) => `| \`${name}\` | ${what} | ${exit} |`,
  );
  return page([
    '# Errors',
    '',
    'What can go wrong on our side. Each error is printed with what happened and what to do next.',
    'What web servers do is never an error here: it is in the record of the page.',
    '',
    '| code | what happened | exit code |',
    '|---|---|---|',
    ...rows,
  ]);
}

function columnsPage(): string {
  const tables = TABLE_NAMES.flatMap((what) => [
    `## ${what}`,
    '',
    '| column | type | what it says |',
    '|---|---|---|',
    ...TABLES[what].map(
      ({ name, kind, what: says }) => `| \`${name}\` | ${TYPES[kind]} | ${says} |`,
    ),
    '',
  ]);
  return page(['# Columns', '', ...COLUMNS_OPENING, '', ...tables]);
}

const COLUMNS_OPENING: readonly string[] = [
  'The tables that `orb export jsonl|csv|parquet --what pages|hosts|links` writes. JSON lines have the',
  'same names as keys and leave out what is empty; there, `flags` is a list and instants are ISO texts.',
];

/** As Parquet has them; CSV has texts. */
const TYPES = {
  ...{ text: 'text', whole: 'integer', real: 'number', flag: 'boolean', time: 'instant (UTC)' },
  names: 'text, words with a space between',
} as const;

function exitCodesPage(): string {
  const rows = Object.values(EXIT_CODES).map(({ code: number, what }) => `| ${number} | ${what} |`);
  return page(['# Exit codes', '', '| code | meaning |', '|---|---|', ...rows]);
}

function page(lines: readonly string[]): string {
  return `${[PRINTED, ...lines].join('\n').trimEnd()}\n`;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function run(isCheck: boolean): void {
  const stale = stalePages();
  if (isCheck) {
    for (const name of stale)
      console.error(`docs/reference/${name} differs; run 'npm run reference'`);
    process.exitCode = stale.length > 0 ? 1 : 0;
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of referencePages()) writeFileSync(join(FOLDER, name), text);
  console.log(stale.length === 0 ? 'nothing changed' : `written: ${stale.join(', ')}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  run(process.argv.includes('--check'));
