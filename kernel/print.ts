/**
 * Both fingerprints of a page's words (../src/content/simhash.ts says what they are for).
 *
 * Only the page's own words count: not those of navigation, header, footer and sidebar, nor the
 * labels of links; where the page says what its text is (`main`, `article`), only those.
 */
import { MARKS_AT, RESULT_AT } from '../src/page/kernel-layout';
import { clearPairs, pairBits, wordsPaired } from './pairs';
import { leftOut } from './sample';
import { clearSums, majority } from './sums';
import { VOICE_BITS, VOICE_LINK, VOICE_SHARED, VOICE_TEXT } from './text';
import { addWords, beginWords, endWords } from './words';

/** A marked text of fewer bytes is not what the page is about. */
const MARKED_BYTES_MIN: i32 = 400;
/** Links of fewer words are labels that say where one can go; longer ones are titles. */
const TITLE_WORDS_MIN: i32 = 4;
/** And this many bytes of a script whose words are not apart. */
const TITLE_BYTES_MIN: i32 = 24;
/** A piece counts once for so many bytes of text at most … */
const BYTES_PER_REPEAT: i32 = 64;
/** … and so often in any. */
const REPEATS_MIN: i32 = 8;
/**
 * Of longer texts a part of the vocabulary is read, halved until it is about as much as this.
 * Steps, not a share that slides: two texts of nearly one length must take the same words.
 */
const WHOLE_BYTES: i32 = 24_000;
const HALVINGS_MAX: i32 = 8;
/** In longer texts whole words are common enough. */
const PIECES_BYTES_MAX: i32 = 6_000;
const SPACE: u8 = 0x20;

let own: i32 = 0;
let marked: i32 = 0;

/** The words at `from`, with so many marks; answers how many words were counted. */
export function print(from: i32, length: i32, marks: i32): i32 {
  measure(length, marks);
  const isMarked = marked >= MARKED_BYTES_MIN;
  const counted = isMarked ? marked : own + marked;
  let halvings: i32 = 0;
  while (halvings < HALVINGS_MAX && counted > WHOLE_BYTES << halvings) halvings++;
  clearPairs();
  clearSums(max(REPEATS_MIN, counted / BYTES_PER_REPEAT));
  beginWords(from + length, counted > PIECES_BYTES_MAX, halvings);
  let start: i32 = 0;
  let voice: i32 = 0;
  for (let i = 0; i <= marks; i++) {
    const stop = stopOf(i, marks, length);
    if (counts(from + start, from + stop, voice, isMarked)) addWords(from + start, from + stop);
    start = stop;
    voice = voiceAfter(i);
  }
  endWords();
  store<u64>(RESULT_AT, majority());
  store<u64>(RESULT_AT, pairBits(), 8);
  return leftOut + wordsPaired();
}

/** Where the part that ends with the nth mark ends, or the text. */
function stopOf(nth: i32, marks: i32, length: i32): i32 {
  if (nth === marks) return length;
  return min(load<u32>(MARKS_AT + (nth << 2)) >>> VOICE_BITS, length);
}

function voiceAfter(nth: i32): i32 {
  return load<i32>(MARKS_AT + (nth << 2)) & ((1 << VOICE_BITS) - 1);
}

/** The bytes of what the page marks as its text, and of what else is not a link and its own. */
function measure(length: i32, marks: i32): void {
  own = marked = 0;
  let start: i32 = 0;
  let voice: i32 = 0;
  for (let i = 0; i <= marks; i++) {
    const stop = stopOf(i, marks, length);
    if (voice === 0) own += stop - start;
    else if (voice === VOICE_TEXT) marked += stop - start;
    start = stop;
    voice = voiceAfter(i);
  }
}

function counts(from: i32, to: i32, voice: i32, isMarked: bool): bool {
  if (from >= to || (voice & VOICE_SHARED) !== 0) return false;
  if (isMarked && (voice & VOICE_TEXT) === 0) return false;
  return (voice & VOICE_LINK) === 0 || isTitle(from, to);
}

function isTitle(from: i32, to: i32): bool {
  if (spacesIn(from + 1, to - 1) >= TITLE_WORDS_MIN - 1) return true;
  return to - from >= TITLE_BYTES_MIN && load<u8>(to - 1) >= 0xe0;
}

function spacesIn(from: i32, to: i32): i32 {
  let spaces: i32 = 0;
  for (let at = from; at < to; at += 16) {
    const isSpace = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(SPACE as i8)));
    const left = to - at;
    spaces += popcnt(left < 16 ? isSpace & ((1 << left) - 1) : isSpace);
  }
  return spaces;
}
