/**
 * Copies of real pages, as they are met: some words changed, printed, framed anew. Every edit
 * is drawn from the page's URL, so the sets are the same each time.
 *
 *   scattered   words here and there are others       paragraph   a run of words is another
 *   dates       numbers are others, a date is added   cut, added  a run is missing, or more
 *   printed     no navigation, a line in front        syndicated  the text in another site's frame
 *
 * Edits change less than 3% of the words of the text; `syndicated` and `printed` none of them.
 */
import { type SeededRandom, seededRandom } from '../src/base/random.ts';
import type { CorpusPage } from '../tools/corpus.ts';

export const EDITS = [
  'scattered',
  'dates',
  'paragraph',
  'cut',
  'added',
  'printed',
  'syndicated',
] as const;
export type Edit = (typeof EDITS)[number];

/** Of the words of the text; drawn up to here. */
const SHARE_MAX = 0.03;
const NO_TEXT = /<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<!--[\s\S]*?-->|<[^>]*>/gi;
const WORD = /(?<![&\p{L}\p{N}])[\p{L}\p{N}]+/gu;

/** The page with its text changed; undefined where it has no such place. */
export function editedPage(page: CorpusPage, edit: Edit): string | undefined {
  const html = page.body.toString('utf8');
  const parts = partsOf(html);
  if (parts === undefined) return undefined;
  const random = seededRandom(`${edit} ${page.url}`);
  const { before, main, after } = parts;
  if (edit === 'printed') return `<html><body><p>Print version</p>${main}</body></html>`;
  if (edit === 'syndicated') return framed(main, random);
  const words = [...wordsOf(main)];
  const budget = Math.floor(words.length * SHARE_MAX * (0.3 + 0.69 * random.next()));
  if (budget < 1) return undefined;
  return before + EDITORS[edit](main, words, budget, random) + after;
}

interface Parts {
  readonly before: string;
  readonly main: string;
  readonly after: string;
}

/** Where the text of a page of javadoc, Sphinx or DocBook begins and ends. */
const PLACES: readonly (readonly [RegExp, RegExp])[] = [
  [/<main[^>]*>/, /<\/main>/],
  [/<div class="body" role="main">/, /<div class="sphinxsidebar"/],
  [
    /<div [^>]*class="navheader">[\s\S]*?<hr[^>]*>\s*<\/hr>|<div [^>]*class="navheader">[\s\S]*?<hr[^>]*\/?>\s*<\/div>/,
    /<div [^>]*class="navfooter">/,
  ],
];

export function partsOf(html: string): Parts | undefined {
  for (const [begin, end] of PLACES) {
    const first = begin.exec(html);
    if (first === null) continue;
    const from = first.index + first[0].length;
    const length = html.slice(from).search(end);
    if (length < 0) continue;
    const to = from + length;
    return { before: html.slice(0, from), main: html.slice(from, to), after: html.slice(to) };
  }
  return undefined;
}

interface Word {
  readonly at: number;
  readonly text: string;
}

/** The words of the text between tags. */
export function* wordsOf(html: string): Generator<Word> {
  const blank = html.replace(NO_TEXT, (tag) => ' '.repeat(tag.length));
  for (const match of blank.matchAll(WORD)) yield { at: match.index, text: match[0] };
}

type Editor = (
  html: string,
  words: readonly Word[],
  budget: number,
  random: SeededRandom,
) => string;

const EDITORS: Readonly<Record<Exclude<Edit, 'printed' | 'syndicated'>, Editor>> = {
  scattered: (html, words, budget, random) => {
    const chosen = new Set<Word>();
    while (chosen.size < budget)
      chosen.add(words[Math.floor(random.next() * words.length)] as Word);
    return replaced(html, chosen, () => drawnWord(words, random));
  },
  dates: (html, words, budget, random) => {
    const numbers = words.filter(({ text }) => /^\d+$/.test(text)).slice(0, budget);
    const dated = replaced(html, new Set(numbers), () => String(Math.floor(random.next() * 5_000)));
    const day = 1 + Math.floor(random.next() * 28);
    return budget < 6 ? dated : `<p>Last updated ${day} March 2024</p>${dated}`;
  },
  paragraph: (html, words, budget, random) => {
    const from = Math.floor(random.next() * (words.length - budget));
    const run = new Set(words.slice(from, from + budget));
    return replaced(html, run, () => drawnWord(words, random));
  },
  cut: (html, words, budget, random) => {
    const from = Math.floor(random.next() * (words.length - budget));
    return replaced(html, new Set(words.slice(from, from + budget)), () => '');
  },
  added: (html, words, budget, random) => {
    const at = (words[Math.floor(random.next() * words.length)] as Word).at;
    const run = Array.from({ length: budget }, () => drawnWord(words, random));
    return `${html.slice(0, at)} ${run.join(' ')} ${html.slice(at)}`;
  },
};

/** A word of the page as often as not, else one that it does not have. */
function drawnWord(words: readonly Word[], random: SeededRandom): string {
  if (random.next() < 0.5) return (words[Math.floor(random.next() * words.length)] as Word).text;
  return Array.from({ length: 3 + Math.floor(random.next() * 8) }, () =>
    String.fromCharCode(97 + Math.floor(random.next() * 26)),
  ).join('');
}

function replaced(html: string, chosen: ReadonlySet<Word>, by: () => string): string {
  let out = '';
  let from = 0;
  for (const word of [...chosen].sort((a, b) => a.at - b.at)) {
    out += html.slice(from, word.at) + by();
    from = word.at + word.text.length;
  }
  return out + html.slice(from);
}

function framed(main: string, random: SeededRandom): string {
  const topics = Array.from({ length: 12 }, () => drawnWord([{ at: 0, text: 'News' }], random));
  const links = topics
    .map((topic) => `<li><a href="/${topic}">${topic} and more</a></li>`)
    .join('');
  return `<!doctype html><html><head><title>Daily copy</title></head><body>
<header><p>The Daily Copy, all that others write, every day</p></header>
<nav><ul>${links}</ul></nav><article>${main}</article>
<aside><h2>Read also</h2><ul>${links}</ul></aside>
<footer><p>All rights are those of others. Contact, imprint, terms of use, privacy.</p></footer>
</body></html>`;
}
