/**
 * The words of a run of text, as numbers: the pieces that each is made of, and a hash of it.
 *
 *   ^word$    →   ^w  ^wo  ord      three letters a piece, the last of them the first of the next,
 *   ^words$   →   ^wo  ord  ds$     and of every word of an even length its first letter alone
 *
 * A page has thousands of words, and where each ends cannot be foretold: a loop that branches
 * there stalls once or twice a word. So edges between words are found first, by arithmetic
 * alone; then each word is read as whole numbers of four bytes, and what lies behind its end is
 * masked away. Words with letters beyond ASCII take the long way, to the same numbers.
 */
import { ALONE, CODE_BITS, letterOf } from './letters.ts';

/** Bytes looked through for edges at a time. */
const BLOCK_BYTES = 2_048;
/** Numbers kept until `onFull` has to take them. */
const GATHERED_MAX = 8_192;
const LOWER_CASE = 0x20202020;
const BEYOND_ASCII = 0x80808080 | 0;
/** The longest word that is read by numbers, and how far behind its start that may go. */
const READ_LENGTH_MAX = 13;
const READ_BYTES = 16;
/** Pieces of a word that are made without asking how long it is. */
const PIECES_MIN = 4;
const HASH_MAX = 0xffffffff;
/** The longest word that is three numbers. */
const WHOLE_LENGTH_MAX = 12;
/** Which bits of a number are a word's: by its length for the third, + 4 and + 8 for the others. */
const LETTERS = Int32Array.from({ length: READ_BYTES + 9 }, (_, i) => {
  return i <= 8 ? 0 : i >= 12 ? -1 : 2 ** (8 * (i - 8)) - 1;
});

/** 1 for letters, digits, and whatever is not ASCII. */
const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || letterOf(byte) !== 0 ? 1 : 0,
);

const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);
/** The end of one text at a time. */
const LAST = new Uint8Array(2 * READ_BYTES);

export class WordPieces {
  readonly pieces = new Int32Array(GATHERED_MAX);
  readonly words = new Int32Array(GATHERED_MAX);
  pieceCount = 0;
  wordCount = 0;
  /** Words that were there and not taken. */
  skipped = 0;
  /** Where words begin and end, in turns. */
  readonly #edges = new Int32Array(2 * BLOCK_BYTES + 2);
  #edgeCount = 0;
  #hashMax = HASH_MAX;
  /** 1 where a word is one piece, the whole of it. */
  #asWords = 0;
  #bytes: Uint8Array = NOTHING;
  #view: DataView = NO_VIEW;
  #last: DataView | undefined;
  readonly #onFull: () => void;

  /** `onFull` is to take what is gathered, and to set both counts to 0. */
  constructor(onFull: () => void) {
    this.#onFull = onFull;
  }

  /**
   * The text whose parts are added next. Of a long one only some words are taken, the same ones
   * wherever they stand: a half of its vocabulary, a quarter, as `halvings` says. It says as
   * much, and costs less. Only of whole words: pieces are for short texts.
   */
  begin(bytes: Uint8Array, asWords: boolean, halvings: number): void {
    this.#bytes = bytes;
    this.#asWords = asWords ? 1 : 0;
    this.#hashMax = HASH_MAX >>> halvings;
    this.skipped = 0;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#last = undefined;
    this.#edgeCount = 0;
  }

  /** Gathers the words of a part of the text; no word goes on beyond it. */
  add(from: number, to: number): void {
    const bytes = this.#bytes;
    const edges = this.#edges;
    let count = this.#edgeCount;
    let isWord = 0;
    for (let block = from; block < to; block += BLOCK_BYTES) {
      if (count >= BLOCK_BYTES) count = this.#read(count);
      const end = Math.min(to, block + BLOCK_BYTES);
      for (let at = block; at < end; at++) {
        const is = IS_WORD[bytes[at] as number] as number;
        edges[count] = at;
        count += is ^ isWord;
        isWord = is;
      }
    }
    if (isWord === 1) edges[count++] = to;
    this.#edgeCount = count;
  }

  end(): void {
    this.#read(this.#edgeCount);
    this.#bytes = NOTHING;
    this.#view = NO_VIEW;
  }

  /** A word that has not ended yet is left, as the first edge; answers how many there are now. */
  #read(edgeCount: number): number {
    const open = edgeCount & 1;
    const whole = edgeCount - open;
    if (this.#view.byteLength < READ_BYTES) this.#readShort(whole);
    else if (this.#asWords === 1) this.#readWhole(whole);
    else this.#readPieces(whole);
    this.#edges[0] = this.#edges[whole] as number;
    return open;
  }

  /** Words that are one piece each; up to twelve letters three numbers are all of them. */
  #readWhole(edgeCount: number): void {
    const { pieces, words } = this;
    const edges = this.#edges;
    const view = this.#view;
    const safe = view.byteLength - READ_BYTES;
    const hashMax = this.#hashMax;
    const isSampled = hashMax < HASH_MAX;
    this.#makeRoom();
    let at = this.pieceCount;
    let word = this.wordCount;
    for (let i = 0; i < edgeCount; i += 2) {
      const start = edges[i] as number;
      const length = (edges[i + 1] as number) - start;
      const isInside = start <= safe;
      const from = isInside ? start : start - safe;
      const read = isInside ? view : this.#lastBytes();
      const one = read.getInt32(from, true) | LOWER_CASE;
      if (isSampled && sampleHash(one, length) > hashMax) {
        this.skipped++;
        continue;
      }
      const reach = Math.min(length, READ_BYTES);
      const a = one & (LETTERS[reach + 8] as number);
      const b = (read.getInt32(from + 4, true) | LOWER_CASE) & (LETTERS[reach + 4] as number);
      const c = (read.getInt32(from + 8, true) | LOWER_CASE) & (LETTERS[reach] as number);
      if (length > WHOLE_LENGTH_MAX || ((a | b | c) & BEYOND_ASCII) !== 0) {
        this.pieceCount = at;
        this.wordCount = word;
        this.#readOdd(this.#bytes, start, start + length);
        this.#makeRoom();
        at = this.pieceCount;
        word = this.wordCount;
        continue;
      }
      const hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
      pieces[at++] = hash;
      words[word++] = hash;
    }
    this.pieceCount = at;
    this.wordCount = word;
  }

  /** For the words of a block. */
  #makeRoom(): void {
    const gathered = Math.max(this.pieceCount, this.wordCount);
    if (gathered > GATHERED_MAX - BLOCK_BYTES - 1) this.#onFull();
  }

  /** The end of the text with nothing behind it, so that numbers can be read there, too. */
  #lastBytes(): DataView {
    if (this.#last === undefined) {
      LAST.fill(0);
      LAST.set(this.#bytes.subarray(this.#bytes.length - READ_BYTES));
      this.#last = new DataView(LAST.buffer);
    }
    return this.#last;
  }

  /** One loop without calls: it sees every word of every short page. */
  #readPieces(edgeCount: number): void {
    const { pieces, words } = this;
    const edges = this.#edges;
    const bytes = this.#bytes;
    const view = this.#view;
    const safe = view.byteLength - READ_BYTES;
    let at = this.pieceCount;
    let word = this.wordCount;
    for (let i = 0; i < edgeCount; i += 2) {
      const start = edges[i] as number;
      const length = (edges[i + 1] as number) - start;
      const isInside = start <= safe;
      const isShort = isInside && length <= READ_LENGTH_MAX && at <= GATHERED_MAX - READ_BYTES;
      const from = isInside ? start : safe;
      const one = view.getInt32(from, true) | LOWER_CASE;
      const two = view.getInt32(from + 3, true) | LOWER_CASE;
      const three = view.getInt32(from + 5, true) | LOWER_CASE;
      const rest = length > 8 ? view.getInt32(from + 9, true) : 0;
      if (!isShort || ((one | two | three | rest) & BEYOND_ASCII) !== 0) {
        this.pieceCount = at;
        this.wordCount = word;
        this.#readOdd(bytes, start, start + length);
        at = this.pieceCount;
        word = this.wordCount;
        continue;
      }
      const first = (one << 8) & 0x00ffff00 & ~(((length - 2) >> 31) & 0x00ff0000);
      const second = piece(one >>> 8, length, 3);
      const third = piece(two, length, 5);
      const fourth = piece(three, length, 7);
      pieces[at] = initialOf(first);
      at += ~length & 1;
      pieces[at++] = first;
      pieces[at] = second;
      at += (2 - length) >>> 31;
      pieces[at] = third;
      at += (4 - length) >>> 31;
      pieces[at] = fourth;
      at += (6 - length) >>> 31;
      let hash = chain(chain(chain(first, second), third), fourth);
      for (let letter = 9; letter <= length; letter += 2) {
        const next = piece(view.getInt32(start + letter - 2, true) | LOWER_CASE, length, letter);
        pieces[at++] = next;
        hash = chain(hash, next);
      }
      words[word++] = hash;
    }
    this.pieceCount = at;
    this.wordCount = word;
  }

  /** A text too short to be read by numbers. */
  #readShort(edgeCount: number): void {
    for (let i = 0; i < edgeCount; i += 2) {
      this.#readOdd(this.#bytes, this.#edges[i] as number, this.#edges[i + 1] as number);
    }
  }

  /** The same for words of any letters and any length, and whatever else is between edges. */
  #readOdd(bytes: Uint8Array, start: number, end: number): void {
    let window = 0;
    let initial = 0;
    let length = 0;
    let hash = 0;
    let neighbour = 0;
    for (let at = start; at < end; at++) {
      let letter = (bytes[at] as number) | 0x20;
      if (letter >= 0x80) {
        const code = codeAt(bytes, at);
        at += code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        letter = letterOf(code);
      }
      if (letter !== 0 && letter < ALONE) {
        window = (window >>> 8) | (byteOf(letter) << 16);
        length++;
        if (length === 1) initial = window >>> 8;
        if ((length & 1) === 0) hash = this.#addPiece(window, hash);
        continue;
      }
      if (length > 0) this.#endOdd(window, initial, length, hash);
      window = length = hash = 0;
      neighbour = letter === 0 ? 0 : this.#addAlone(letter & CODE_BITS, neighbour);
    }
    if (length > 0) this.#endOdd(window, initial, length, hash);
  }

  #addPiece(piece: number, hash: number): number {
    if (this.#asWords === 0) this.#keep(piece);
    return chain(hash, piece);
  }

  #keep(piece: number): void {
    if (this.pieceCount === GATHERED_MAX) this.#onFull();
    this.pieces[this.pieceCount++] = piece;
  }

  #endOdd(window: number, initial: number, length: number, hash: number): void {
    let whole = hash;
    if ((length & 1) === 0) this.#addPiece(initialOf(initial), 0);
    else whole = this.#addPiece(window >>> 8, whole);
    for (let i = (length + 1) >> 1; i < PIECES_MIN; i++) whole = chain(whole, 0);
    if (this.#asWords === 1) this.#keep(whole);
    this.#addWord(whole);
  }

  /** A character that is a word: with the one before, if that stands beside it, and twice alone. */
  #addAlone(code: number, neighbour: number): number {
    this.#keep(aloneOf(code));
    this.#keep(aloneOf(code));
    this.#keep(Math.imul(neighbour, 0x9e3779b1) ^ code);
    this.#addWord(Math.imul(code, 0x01000193));
    return code;
  }

  #addWord(hash: number): void {
    if (this.wordCount === GATHERED_MAX) this.#onFull();
    this.words[this.wordCount++] = hash;
  }
}

/** Of a word's first letters, and where those are not all of it, of its length. */
function sampleHash(first: number, length: number): number {
  const letters = length < 4 ? first & ((1 << (8 * length)) - 1) : first ^ length;
  const hash = Math.imul(letters ^ (letters >>> 15), 0x2c1b3c6d);
  return Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) >>> 0;
}

/** A piece that words of `min` letters have; the shortest of them end in it. */
function piece(read: number, length: number, min: number): number {
  const isThere = (min - 1 - length) >> 31;
  const end = ((length - min - 1) >> 31) & 0x00ff0000;
  return read & 0x00ffffff & isThere & ~end;
}

/** The first letter. The lowest byte tells it from pieces, which have the word's edge there. */
function initialOf(first: number): number {
  return (first & 0x0000ff00) | 1;
}

/** A character that is a word. */
function aloneOf(code: number): number {
  return (code << 8) | 2;
}

function chain(hash: number, piece: number): number {
  return Math.imul(hash, 31) ^ piece;
}

/** Letters beyond ASCII share the upper half of a byte's values. */
function byteOf(letter: number): number {
  return letter < 0x80 ? letter : 0x80 | ((letter ^ (letter >> 7)) & 0x7f);
}

/** The code point beyond ASCII that starts here; of broken bytes, something. */
function codeAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  const second = (bytes[at + 1] ?? 0) & 0x3f;
  if (first < 0xe0) return ((first & 0x1f) << 6) | second;
  const third = (bytes[at + 2] ?? 0) & 0x3f;
  if (first < 0xf0) return ((first & 0x0f) << 12) | (second << 6) | third;
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | ((bytes[at + 3] ?? 0) & 0x3f);
}
