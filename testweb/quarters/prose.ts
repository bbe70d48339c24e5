/**
 * Texts with a known distance: a text is a row of sentences drawn from a seed, and an edit
 * replaces an exact share of its words, so that 'under 3% changed' is counted, not guessed.
 */
import { Dice, mix } from '../hash.ts';
import { capital, sentences, word } from '../words.ts';

const SENTENCES_PER_PARAGRAPH = 4;
const SYLLABLES =
  'ba den fo gri hul ika jor ka len mo nar pel qui ros sto tam ur vek wil zan'.split(' ');
const NAMES = 6;

/** The same seed gives the same paragraphs; some 15 words a sentence. */
export function proseOf(seed: number, count: number): string[] {
  const dice = new Dice(mix(seed, 0x7e87));
  const names = namesOf(seed);
  const paragraphs: string[] = [];
  let paragraph = '';
  for (let n = 1; n <= count; n++) {
    const draw = dice.next();
    const sentence = sentences[draw & 2047]!;
    paragraph += named(sentence, names, draw >>> 16);
    if (n % SENTENCES_PER_PARAGRAPH !== 0 && n !== count) continue;
    paragraphs.push(paragraph.trimEnd());
    paragraph = '';
  }
  return paragraphs;
}

/** Whom and what a text is about: names that come again in it, and hardly in any other. */
function namesOf(seed: number): string[] {
  const dice = new Dice(mix(seed, 0x4a3e));
  const syllable = () => SYLLABLES[dice.below(SYLLABLES.length)]!;
  return Array.from({ length: NAMES }, () => capital(syllable() + syllable() + syllable()));
}

/** Three sentences in four end in a name; the first name as often as all the others. */
function named(sentence: string, names: readonly string[], draw: number): string {
  if (draw % 4 === 0) return sentence;
  const rank = Math.min(NAMES - 1, Math.clz32(((draw >>> 2) & 0xff) | 1) - 24);
  return `${sentence.slice(0, -2)} ${names[rank]}. `;
}

/** Replaces this share of all words, rounded down, at places that `seed` draws. */
export function editedProse(
  paragraphs: readonly string[],
  share: number,
  seed: number,
): { readonly paragraphs: string[]; readonly edited: number } {
  const rows = paragraphs.map((text) => text.split(' '));
  const words = rows.reduce((sum, row) => sum + row.length, 0);
  const wanted = Math.floor(words * share);
  const dice = new Dice(mix(seed, 0xed17));
  const places = new Set<number>();
  while (places.size < wanted) places.add(dice.below(words));
  let at = 0;
  const changed = rows.map((row) => {
    const next = row.map((old) => (places.has(at++) ? otherWord(old, dice) : old));
    return next.join(' ');
  });
  return { paragraphs: changed, edited: words === 0 ? 0 : wanted / words };
}

/** Keeps the full stop and the capital, so that only the word differs. */
function otherWord(old: string, dice: Dice): string {
  const stop = old.endsWith('.') ? '.' : '';
  const bare = stop === '' ? old : old.slice(0, -1);
  let next = word(dice.next());
  while (next === bare.toLowerCase()) next = word(dice.next());
  return (/^[A-Z]/.test(bare) ? capital(next) : next) + stop;
}

export function titleOf(seed: number): string {
  const dice = new Dice(mix(seed, 0x717e));
  return `${capital(word(dice.next()))} ${word(dice.next())} ${word(dice.next())}`;
}

/** For a path: lower case, hyphens. */
export function slugOf(seed: number): string {
  return titleOf(seed).toLowerCase().replaceAll(' ', '-');
}

export function textHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at));
  return hash;
}
