/**
 * Text that means itself in CommonMark: what would be read as markup gets a backslash.
 *
 * Only where it would be: `snake_case`, `a * b`, `list[0]` and `AT&T` stay as they are, since
 * neither CommonMark nor GFM sees markup there. That keeps documentation readable.
 */

export interface Surroundings {
  /** The characters before and behind, empty at the edges of a block. */
  readonly before: string;
  readonly after: string;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
  readonly inLink: boolean;
  readonly inTable: boolean;
  /** More than one `~` in the whole run: two of them could strike out what is between. */
  readonly tildes: boolean;
}

const SPECIAL = /[\\`*_<&[\]!~|]/;
const EACH_SPECIAL = /[\\`*_<&[\]!~|]/g;
const WORD = /[\p{L}\p{N}]/u;
const REFERENCE = /^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{0,31});/;
/** The longest reference that CommonMark knows. */
const REFERENCE_CHARS_MAX = 34;

export function escapeText(text: string, around: Surroundings): string {
  const inner = SPECIAL.test(text)
    ? text.replace(EACH_SPECIAL, (char, at: number) =>
        isMarkup(char, text, at, around) ? `\\${char}` : char,
      )
    : text;
  return around.isLineStart ? escapeLineStart(inner, around.isLineEnd) : inner;
}

function isMarkup(char: string, text: string, at: number, around: Surroundings): boolean {
  const next = text[at + 1] ?? around.after;
  const last = at > 0 ? (text[at - 1] as string) : around.before;
  switch (char) {
    case '\\':
      return next === '' || /[!-/:-@[-`{-~\n]/.test(next);
    case '`':
      return true;
    case '*':
      return !(isGap(last) && isGap(next)) || last === '';
    case '_':
      return !(WORD.test(last) && WORD.test(next)) && !(isGap(last) && isGap(next));
    case '<':
      return at === text.length - 1 || /[a-zA-Z/!?]/.test(next);
    case '&':
      return REFERENCE.test(text.slice(at, at + REFERENCE_CHARS_MAX));
    case '[':
      return around.inLink || next === '^' || (last === '' && /[ xX]/.test(next));
    case ']':
      return around.inLink || next === '(' || next === '[' || next === ':';
    case '!':
      return next === '[';
    case '~':
      return around.tildes;
    default:
      return around.inTable;
  }
}

function isGap(char: string): boolean {
  return char === '' || char === ' ';
}

/** What begins a block where a line begins: headings, lists, quotes, rules, tables, fences. */
function escapeLineStart(text: string, isWholeLine: boolean): string {
  const number = /^(\d{1,9})([.)])(?= |$)/.exec(text);
  if (number !== null) return `${number[1]}\\${text.slice((number[1] as string).length)}`;
  if (/^(?:#{1,6}(?: |$)|[-+](?: |$)|>|~~~)/.test(text)) return `\\${text}`;
  if (isWholeLine && /^[-=:|_][-=:|_ ]*$/.test(text)) return `\\${text}`;
  return text;
}

/** Between so many backticks as nowhere stand together inside. */
export function codeSpan(text: string, inTable: boolean): string {
  if (!text.includes('`') && !inTable) return `\`${text}\``;
  const runs = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const fence = '`'.repeat(length);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  const body = inTable ? text.replaceAll('|', '\\|') : text;
  return fence + space + body + space + fence;
}

export function fenceOf(code: string): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Invisible to readers, and not harmless on a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNSEEN = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u00ad\u200b\u2060\ufeff]|\ufffe|\uffff/g;

export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '');
}
