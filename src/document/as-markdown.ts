/**
 * How documents that are not HTML are written as Markdown (X5): lines, lists of entries and fences.
 * Text is escaped as everywhere (../readable/escape.ts), so nothing in a document becomes markup
 * that its author did not write; addresses are absolute and canonical.
 */
import { toUSVString } from 'node:util';
import { escapeText, fenceOf, withoutUnseen } from '../readable/escape.ts';
import { linkText, targetsOn } from '../readable/links.ts';
import { parseLooseDate } from '../robots/date.ts';
import { line, TITLE_CHARS_MAX } from './text-tools.ts';

/** Far enough below what is kept of a document that a fence is never cut off at its end. */
const FENCED_CHARS_MAX = 2_000_000;
/** Of the text of one entry. */
const ENTRY_CHARS_MAX = 20_000;
const ALONE = {
  ...{ before: '', after: '', isLineStart: true, isLineEnd: true },
  ...{ inLink: false, inTable: false, tildes: true },
};

/** What any plugin wrote: bounded, without what no reader sees, with one line end at its end. */
export function asMarkdown(written: string, charsMax: number): string {
  const text = withoutUnseen(written.slice(0, charsMax)).replace(/\r\n?/g, '\n').trimEnd();
  const whole = toUSVString(text);
  return whole === '' ? '' : `${whole.replace(/^\n+/, '')}\n`;
}

/** Text that means itself, on one line. */
export function plainLine(text: string): string {
  return escapeText(withoutUnseen(text).replace(/\s+/g, ' ').trim(), ALONE);
}

export function heading(text: string, level: number): string {
  const flat = withoutUnseen(text).replace(/\s+/g, ' ').trim();
  const words = escapeText(flat, { ...ALONE, isLineStart: false }).replace(
    /(^|[^\\])(#+)$/,
    '$1\\$2',
  );
  return words === '' ? '' : `${'#'.repeat(level)} ${words}\n`;
}

/** Its title, and each line a paragraph. */
export function plainMarkdown(title: string, text: string): string {
  const head = heading(line(title, TITLE_CHARS_MAX), 1);
  const lines = text.split('\n').map(plainLine);
  const kept = lines.filter((one) => one !== '');
  // Most texts begin with their own title.
  if (kept[0] === head.slice(2, -1)) kept.shift();
  return [head.trimEnd(), ...kept]
    .filter((one) => one !== '')
    .join('\n\n')
    .concat('\n');
}

/** Its lines are its form: they stay as they are. */
export function fenced(text: string, language = ''): string {
  const cut = text.slice(0, FENCED_CHARS_MAX);
  const seen = withoutUnseen(cut).replace(/\r\n?/g, '\n').trimEnd();
  // A fence is longer than what it holds: nobody wants one of megabytes.
  const lines = seen.replace(/(`{100})`+/g, '$1');
  if (lines.trim() === '') return '';
  const fence = fenceOf(lines);
  return `${fence}${language}\n${lines}\n${fence}\n`;
}

/** What a feed or a sitemap names. */
export interface ListedEntry {
  readonly title: string;
  readonly href: string;
  readonly base?: string | undefined;
  /** In any form; one that is no date is passed over. */
  readonly date: string;
  readonly text: string;
}

interface Bounds {
  readonly url: string;
  readonly textCharsMax: number;
}

/** A heading, and a list of links with their dates, each with its text below. */
export function entryList(title: string, entries: readonly ListedEntry[], page: Bounds): string {
  const items: string[] = [];
  let room = page.textCharsMax;
  const targets = new Map<string, (href: string) => string | undefined>();
  for (const entry of entries) {
    const base = entry.base ?? page.url;
    const targetOf = targets.get(base) ?? targetsOn(base, page.textCharsMax);
    targets.set(base, targetOf);
    const item = listItem(entry, entry.href === '' ? undefined : targetOf(entry.href));
    room -= item.length + 1;
    if (room < 0) break;
    if (item !== '') items.push(item);
  }
  const head = heading(line(title, TITLE_CHARS_MAX), 1);
  const list = items.join('\n');
  return head === '' || list === '' ? `${head}${list}\n` : `${head}\n${list}\n`;
}

function listItem({ title, date, text }: ListedEntry, target: string | undefined): string {
  const words = line(withoutUnseen(title), TITLE_CHARS_MAX);
  const at = date === '' ? undefined : parseLooseDate(date);
  const day = at === undefined ? '' : ` (${new Date(at).toISOString().slice(0, 10)})`;
  const body = plainLine(text.slice(0, ENTRY_CHARS_MAX));
  const name = target === undefined ? plainLine(words) : linkTo(words, target);
  if (name === '' && body === '') return '';
  return name === '' ? `- ${body}` : `- ${name}${day}${body === '' ? '' : `\n\n  ${body}\n`}`;
}

function linkTo(words: string, target: string): string {
  if (words !== '') return `[${linkText(words)}](${target})`;
  return /^https?:/.test(target) ? `<${target}>` : `[${linkText(target)}](${target})`;
}
