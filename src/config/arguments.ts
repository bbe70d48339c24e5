/**
 * The command line, taken apart: flags by the table, the rest are seeds.
 *
 *   --depth 3   --depth=3   -d 3   -d3   -d=3     --fresh   --no-fresh   --fresh=false
 *   -qv         --          everything after it is a seed
 *
 * A flag may stand before or after seeds; a list flag may be repeated; of another flag the
 * last one counts. A value that begins with a dash needs the form `--exclude=-draft`.
 */
import { type Given, hintFor, type Mistake, quoted, unknownName } from './mistake.ts';
import { type Entry, entryByFlag, isSwitch } from './settings.ts';

export interface Arguments {
  readonly given: readonly Given[];
  readonly rest: readonly string[];
  readonly mistakes: readonly Mistake[];
}

/** What a command is asked for in place of its work. */
export function asksFor(argv: readonly string[]): 'help' | 'version' | undefined {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  if (flags.includes('--help') || flags.includes('-h')) return 'help';
  return flags.includes('--version') ? 'version' : undefined;
}

const HANDLED_ELSEWHERE = new Set(['--help', '-h', '--version']);

export function readArguments(
  argv: readonly string[],
  accepts: (entry: Entry) => boolean = () => true,
  command?: string,
): Arguments {
  const reader = new ArgumentReader(argv, accepts, command);
  reader.readAll();
  return reader;
}

class ArgumentReader implements Arguments {
  readonly given: Given[] = [];
  readonly rest: string[] = [];
  readonly mistakes: Mistake[] = [];
  readonly #argv: readonly string[];
  readonly #accepts: (entry: Entry) => boolean;
  readonly #command: string | undefined;
  #at = 0;

  constructor(argv: readonly string[], accepts: (entry: Entry) => boolean, command?: string) {
    this.#argv = argv;
    this.#accepts = accepts;
    this.#command = command;
  }

  readAll(): void {
    while (this.#at < this.#argv.length) {
      const argument = this.#argv[this.#at++] as string;
      if (argument === '--') {
        this.rest.push(...this.#argv.slice(this.#at));
        return;
      }
      if (HANDLED_ELSEWHERE.has(argument)) continue;
      if (argument.startsWith('--')) this.#long(argument.slice(2));
      else if (argument.length > 1 && argument.startsWith('-')) this.#short(argument.slice(1));
      else this.rest.push(argument);
    }
  }

  #long(argument: string): void {
    const at = argument.indexOf('=');
    const name = at === -1 ? argument : argument.slice(0, at);
    const inline = at === -1 ? undefined : argument.slice(at + 1);
    const entry = name.length > 1 ? entryByFlag(name) : undefined;
    const denied = name.startsWith('no-') ? entryByFlag(name.slice(3)) : undefined;
    if (entry !== undefined) this.#take(entry, `--${name}`, inline);
    else if (denied !== undefined && isSwitch(denied)) this.#deny(denied, name, inline);
    else this.#unknown(`--${name}`, name, inline);
  }

  /** `-d3`, `-d=3`, or several switches in one: `-qv`. */
  #short(argument: string): void {
    for (let at = 0; at < argument.length; at++) {
      const letter = argument[at] as string;
      const entry = entryByFlag(letter);
      const behind = argument.slice(at + 1);
      const inline = behind === '' ? undefined : behind.replace(/^=/, '');
      if (entry === undefined) {
        this.#unknown(`-${letter}`, letter, inline);
        return;
      }
      const isLast = !isSwitch(entry) || behind.startsWith('=');
      this.#take(entry, `-${letter}`, isLast ? inline : undefined);
      if (isLast) return;
    }
  }

  #take(entry: Entry, place: string, inline: string | undefined): void {
    const value = inline ?? (isSwitch(entry) ? 'true' : this.#next());
    if (!this.#accepts(entry)) this.#meaningless(place);
    else if (value !== undefined) this.#give(entry, place, value);
    else this.#mistake(`${place} has no value.`, hintFor(entry, 'flag', place));
  }

  #deny(entry: Entry, name: string, inline: string | undefined): void {
    if (!this.#accepts(entry)) this.#meaningless(`--${name}`);
    else if (inline === undefined) this.#give(entry, `--${name}`, 'false');
    else this.#mistake(`--${name} takes no value.`, `Write --${name} or --${entry.flag} alone.`);
  }

  #meaningless(place: string): void {
    this.#mistake(`${place} means nothing to this command.`, 'Leave it out.');
  }

  #give(entry: Entry, place: string, value: unknown): void {
    this.given.push({ entry, origin: 'flag', place, value });
  }

  /** The next argument as a value: not another flag, though `-` and negative numbers are values. */
  #next(): string | undefined {
    const next = this.#argv[this.#at];
    if (next === undefined || (/^-./.test(next) && !/^-[\d.]/.test(next))) return undefined;
    this.#at++;
    return next;
  }

  /** The unknown flag's value must not be taken for a seed; anything that looks like a URL is one. */
  #unknown(place: string, name: string, inline: string | undefined): void {
    const next = this.#argv[this.#at];
    if (inline === undefined && next !== undefined && !/^-|:\/\//.test(next)) this.#at++;
    const what = `The flag ${quoted(place).slice(1, -1)}`;
    const say = (entry: Entry) => `--${entry.flag}`;
    this.mistakes.push(unknownName(what, name, 'flag', say, this.#command));
  }

  #mistake(message: string, hint: string): void {
    this.mistakes.push({ code: 'E_USAGE', message, hint });
  }
}
