/**
 * Help, printed from the table of settings: examples first, then the flags by section.
 *
 * Meant to be enough without any other page: each flag with its form, one sentence, and its
 * default. At most 100 columns wide; narrower on a narrow terminal.
 */
import {
  ENTRIES,
  type Entry,
  EXIT_CODES,
  isSwitch,
  type Mistake,
  SECTION_TITLES,
  writeValue,
} from '../../config/index.ts';
import { safeText } from './format.ts';
import { COMMANDS, type Command, takes } from './help-commands.ts';

const WIDTH_MAX = 100;
const WIDTH_MIN = 50;
const FLAG_COLUMN = 32;
const MISTAKE_LENGTH_MAX = 400;

/** The help of one command. */
export function helpText(command: Command, width = WIDTH_MAX): string {
  const columns = clamp(width);
  const operands = command.operands === '' ? '' : ` ${command.operands}`;
  const lines = [
    `orb ${command.name}${operands} [flags]`,
    '',
    ...wrap(command.summary, columns),
    '',
  ];
  lines.push('Examples', ...exampleLines(command, columns), ...flagLines(command, columns), '');
  lines.push(
    ...(command.name === 'crawl' ? closingLines(columns) : CLOSING.flatMap(wrapTo(columns))),
  );
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

/** The help of `orb` itself. */
export function overviewText(version: string, width = WIDTH_MAX): string {
  const columns = clamp(width);
  const names = COMMANDS.map((command) => `${command.name} ${command.operands}`.trim());
  const room = Math.max(...names.map((name) => name.length)) + 6;
  const lines = [`Orbweaver ${version}: a polite web crawler`, '', 'Start with'];
  lines.push('  orb crawl https://example.com/', '  orb demo', '', 'Commands');
  for (const [index, command] of COMMANDS.entries()) {
    lines.push(...twoColumns(`  orb ${names[index]}`, command.summary, room + 2, columns));
  }
  lines.push(
    '',
    ...wrap("'orb COMMAND --help' explains a command; 'orb --version' says which.", columns),
  );
  return `${lines.join('\n')}\n`;
}

/** Everything that was wrong with what was given, for stderr. */
export function mistakesText(mistakes: readonly Mistake[]): string {
  const lines = mistakes.flatMap(({ message, hint }) => [
    `orb: ${safeText(message, MISTAKE_LENGTH_MAX)}`,
    `     ${safeText(hint, MISTAKE_LENGTH_MAX)}`,
  ]);
  return `${lines.join('\n')}\n`;
}

function exampleLines(command: Command, columns: number): string[] {
  const room = Math.max(...command.examples.map(([line]) => line.length));
  return command.examples.flatMap(([line, what]) => {
    const oneLine = `  ${line.padEnd(room)}  ${what}`;
    return oneLine.length <= columns ? [oneLine] : [`  ${line}`, `      ${what}`];
  });
}

function flagLines(command: Command, columns: number): string[] {
  const lines: string[] = [];
  let section = '';
  for (const entry of ENTRIES) {
    if (!takes(command, entry)) continue;
    if (entry.section !== section) lines.push('', SECTION_TITLES[entry.section]);
    section = entry.section;
    lines.push(...twoColumns(flagForm(entry), sentence(entry), FLAG_COLUMN, columns));
  }
  return lines;
}

/** `  -d, --depth N`; a switch that is on by default is shown with its opposite. */
export function flagForm(entry: Entry): string {
  const { flag, kind, setting } = entry;
  const short = setting.short === undefined ? '    ' : `-${setting.short}, `;
  const name = isSwitch(entry) && setting.default === true ? `[no-]${flag}` : flag;
  return `  ${short}--${name}${kind.form === '' ? '' : ` ${kind.form}`}`;
}

function sentence(entry: Entry): string {
  const text = defaultText(entry);
  return text === '' ? entry.setting.help : `${entry.setting.help} [${text}]`;
}

/** The default as one would write it; empty for what is off or not set. */
export function defaultText(entry: Entry): string {
  const { setting } = entry;
  if (setting.defaultText !== undefined) return setting.defaultText;
  if (isSwitch(entry)) return setting.default === true ? 'on' : '';
  return writeValue(entry, setting.default).replaceAll(',', ', ');
}

const CLOSING: readonly string[] = [
  'Each flag can also be set in the environment (--max-time is ORB_LIMITS_MAX_TIME) and in a JSON' +
    ' file ({ "limits": { "maxTime": "2h" } }). A flag wins over the environment, the environment' +
    ' over the file. Brackets show the default. Repeat a flag to give' +
    ' several values.',
];

function closingLines(columns: number): string[] {
  const codes = Object.values(EXIT_CODES).flatMap(({ code, what }) =>
    twoColumns(`  ${String(code).padStart(3)}`, what, 7, columns),
  );
  return [...CLOSING.flatMap(wrapTo(columns)), '', 'Exit codes', ...codes];
}

/** Left text, then right text wrapped beside it; under it, where the left one is too long. */
export function twoColumns(left: string, right: string, room: number, columns: number): string[] {
  const beside = wrap(right, columns - room);
  const indent = ' '.repeat(room);
  if (left.length + 2 > room) return [left, ...beside.map((line) => indent + line)];
  return beside.map((line, index) => (index === 0 ? left.padEnd(room) : indent) + line);
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

function wrapTo(columns: number): (text: string) => string[] {
  return (text) => wrap(text, columns);
}

function clamp(width: number): number {
  return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, Math.floor(width) || WIDTH_MAX));
}
