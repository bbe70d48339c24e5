/**
 * Are near-duplicates found, and nothing else (C2)? Real documentation pages, each also in edited
 * copies (near-edits.ts), through the scanner, the fingerprints and the index as in a crawl.
 *
 *   npm run bench -- near [--every 4] [--copies-every 8]
 *
 * All pages are looked up one after another, then all copies. Labelled near: a copy, of its own
 * page. Labelled unrelated: any two pages of the documentation (most share a template and many a
 * vocabulary) that differ in more than a tenth of their words; pairs that differ in less are
 * counted apart as natural. Precision is of everything that was called a near-duplicate; also
 * given for fingerprints without the pairs of words that confirm them.
 *
 * The test web's mirrors, printer versions, syndicated and edited copies, paginated archives and
 * pages of one template are judged by their own labels (near-web.ts).
 */
import { parseArgs } from 'node:util';
import { MemoryNearIndex } from '../src/adapters/memory/index.ts';
import { hamming, type TextPrint, WORDS_MIN } from '../src/content/index.ts';
import { printOf } from '../src/content/simhash.ts';
import { scanHtml, sniffCharset, toUtf8 } from '../src/page/index.ts';
import type { Fingerprint } from '../src/ports/near-index.ts';
import { urlKeyOf } from '../src/record/index.ts';
import { type CorpusPage, corpusPages } from '../tools/corpus.ts';
import { type Emit, type Say, sayFor } from './measure.ts';
import { EDITS, editedPage, wordsOf } from './near-edits.ts';
import { judgeWeb } from './near-web.ts';

/** Pages that differ in less are not told apart by anybody: neither right nor wrong. */
const UNRELATED_SHARE = 0.1;
const SIZES = [64, 128, 256, 512, 1_024] as const;

interface Seen {
  readonly page: CorpusPage;
  readonly print: TextPrint;
  readonly fingerprint: Fingerprint;
}

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      every: { type: 'string', default: '4' },
      'copies-every': { type: 'string', default: '8' },
    },
  });
  const say = sayFor('near', emit);
  const all = corpusPages(Number.POSITIVE_INFINITY);
  if (all.length === 0) throw new Error('no corpus here: run `npm run corpus` first');
  const pages = all.filter((_, i) => i % Number(values.every) === 0).map((page) => see(page));
  const known = pages.filter(({ print }) => print.words >= WORDS_MIN);
  say('pages', pages.length, 'pages');
  say('pages_with_enough_words', known.length, 'pages');
  const confirmed = new Figures();
  const unconfirmed = new Figures();
  const step = Math.max(1, Math.round(Number(values['copies-every']) / Number(values.every)));
  await judgePages(known, [confirmed, unconfirmed]);
  await judgeCopies(known, step, [confirmed, unconfirmed]);
  confirmed.tell(say);
  say('hamming_alone_recall', 100 * unconfirmed.recall, '%');
  say('hamming_alone_precision', 100 * unconfirmed.precision, '%');
  await judgeWeb(say);
}

function see(page: CorpusPage, html: Buffer = page.body, name = page.url): Seen {
  const body = toUtf8(html, sniffCharset(html, 'text/html'));
  const print = printOf(scanHtml(body, page.url, { words: true }).words);
  const { simhash, pairs } = print;
  return { page, print, fingerprint: { key: urlKeyOf(name), simhash, pairs } };
}

/** What was called a near-duplicate, and whether it is. */
class Figures {
  readonly index = new MemoryNearIndex();
  readonly byEdit = new Map<string, Share>();
  readonly bySize = new Map<string, Share>();
  right = 0;
  copies = 0;
  natural = 0;
  wrong = 0;

  get recall(): number {
    return this.right / this.copies;
  }

  get precision(): number {
    return this.right / (this.right + this.wrong);
  }

  copy(edit: string, words: number, isFound: boolean): void {
    this.copies++;
    if (isFound) this.right++;
    const size = SIZES.filter((least) => words >= least).at(-1) ?? SIZES[0];
    for (const [shares, name] of [
      [this.byEdit, edit],
      [this.bySize, `${size}_words`],
    ] as const) {
      const share = shares.get(name) ?? { found: 0, of: 0 };
      shares.set(name, { found: share.found + (isFound ? 1 : 0), of: share.of + 1 });
    }
  }

  tell(say: Say): void {
    say('copies', this.copies, 'copies');
    say('recall', 100 * this.recall, '%');
    say('precision', 100 * this.precision, '%');
    say('pages_wrongly_called', this.wrong, 'pages');
    say('pages_naturally_near', this.natural, 'pages');
    for (const [name, { found, of }] of this.byEdit)
      say(`recall_${name}`, (100 * found) / of, `% of ${of} copies`);
    for (const size of SIZES) {
      const { found, of } = this.bySize.get(`${size}_words`) ?? { found: 0, of: 1 };
      say(`recall_from_${size}_words`, (100 * found) / of, `% of ${of} copies`);
    }
  }
}

interface Share {
  readonly found: number;
  readonly of: number;
}

/** Confirmed as in a crawl; the second figures are those of an index that takes all for confirmed. */
function asked(fingerprint: Fingerprint, nth: number): Fingerprint {
  return nth === 0 ? fingerprint : { ...fingerprint, pairs: 0n };
}

async function judgePages(known: readonly Seen[], figures: readonly Figures[]): Promise<void> {
  const byKey = new Map(known.map((seen) => [nameOf(seen.fingerprint), seen]));
  for (const seen of known) {
    for (const [nth, figure] of figures.entries()) {
      const mine = asked(seen.fingerprint, nth);
      const [original] = await figure.index.find([mine]);
      if (original === undefined) await figure.index.write([mine], []);
      else if (differs(seen, byKey.get(nameOf(original)) as Seen)) figure.wrong++;
      else figure.natural++;
    }
  }
}

function differs(a: Seen, b: Seen): boolean {
  return unlike(bagOf(a), bagOf(b)) > UNRELATED_SHARE;
}

/** A copy is found when it is called near to its own page, or to what that page is near to. */
async function judgeCopies(
  known: readonly Seen[],
  step: number,
  figures: readonly Figures[],
): Promise<void> {
  for (const [nth, seen] of known.entries()) {
    if (nth % step !== 0) continue;
    for (const edit of EDITS) {
      const html = editedPage(seen.page, edit);
      if (html === undefined) continue;
      const copy = see(seen.page, Buffer.from(html), `${seen.page.url}?${edit}`);
      for (const [which, figure] of figures.entries()) {
        const [original] =
          copy.print.words < WORDS_MIN
            ? []
            : await figure.index.find([asked(copy.fingerprint, which)]);
        const isFound = original !== undefined && isOwn(original, seen);
        figure.copy(edit, seen.print.words, isFound);
        if (original !== undefined && !isFound) figure.wrong++;
      }
    }
  }
}

function isOwn(original: Fingerprint, { fingerprint }: Seen): boolean {
  if (original.key.equals(fingerprint.key)) return true;
  return hamming(original.simhash, fingerprint.simhash) <= 3;
}

function nameOf({ key }: Fingerprint): string {
  return key.toString('latin1');
}

interface Bag {
  readonly words: ReadonlyMap<string, number>;
  readonly count: number;
}

const bags = new Map<Seen, Bag>();

/** The words of the whole page, with how often each is there. */
function bagOf(seen: Seen): Bag {
  const known = bags.get(seen);
  if (known !== undefined) return known;
  const words = new Map<string, number>();
  let count = 0;
  for (const { text } of wordsOf(seen.page.body.toString('utf8'))) {
    const word = text.toLowerCase();
    words.set(word, (words.get(word) ?? 0) + 1);
    count++;
  }
  const bag = { words, count };
  bags.set(seen, bag);
  return bag;
}

/** The share of the larger page's words that the other does not have. */
function unlike(a: Bag, b: Bag): number {
  let common = 0;
  for (const [word, times] of a.words) common += Math.min(times, b.words.get(word) ?? 0);
  return 1 - common / Math.max(a.count, b.count);
}
