/**
 * What belongs to the paper and not to the text: running titles, and the numbers of pages.
 *
 *   a line at one place on many pages                       → the document's name, a stamp
 *   the first or last line of a page, at one place on some  → a chapter's name
 *   the same with a number that goes up with the pages      → the page's number
 */
import type { Line } from './lines.ts';

/** On this share of the pages, wherever it stands. */
const SHARE = 0.3;
const PAGES_MIN = 3;

export function textOf({ spans }: Line): string {
  return spans
    .map(({ text }) => text)
    .join('')
    .trim();
}

export function withoutPaper(lines: readonly Line[]): Line[] {
  const pages = (lines.at(-1)?.page ?? 0) + 1;
  const keys = lines.map(keyOf);
  const counts = countOf(keys);
  const edges = edgesOf(lines);
  const offset = usualOffset(lines, edges);
  const kept = lines.filter((line, i) => {
    const count = counts.get(keys[i] as string) ?? 0;
    if (count >= Math.max(PAGES_MIN, SHARE * pages)) return false;
    if (!edges.has(i)) return true;
    return count < PAGES_MIN && (offset === undefined || !offsetsOf(line).includes(offset));
  });
  // All pages alike: then that is the text.
  return kept.length > 0 ? kept : [...lines];
}

function keyOf(line: Line): string {
  return `${Math.round(line.y / 2)} ${textOf(line).replace(/\d+/g, '#')}`;
}

function countOf<T>(values: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The topmost and the lowest line of each page, by their places in the list. */
function edgesOf(lines: readonly Line[]): Set<number> {
  const ends = new Map<number, { top: number; low: number }>();
  for (const [i, { page, y }] of lines.entries()) {
    const end = ends.get(page) ?? { top: i, low: i };
    if (y > (lines[end.top] as Line).y) end.top = i;
    if (y < (lines[end.low] as Line).y) end.low = i;
    ends.set(page, end);
  }
  return new Set([...ends.values()].flatMap(({ top, low }) => [top, low]));
}

/** How far the number at a line's start or end is from the page's own. */
function offsetsOf(line: Line): number[] {
  const text = textOf(line);
  const found = [/^\d{1,5}\b/.exec(text)?.[0], /\b\d{1,5}$/.exec(text)?.[0]];
  return found.flatMap((digits) => (digits === undefined ? [] : [Number(digits) - line.page]));
}

function usualOffset(lines: readonly Line[], edges: ReadonlySet<number>): number | undefined {
  const offsets = [...edges].flatMap((i) => [...new Set(offsetsOf(lines[i] as Line))]);
  const [best] = [...countOf(offsets)].sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= PAGES_MIN ? best[0] : undefined;
}
