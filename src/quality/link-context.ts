/**
 * How much the place of a link says for its target (X4, F2), as one byte: 0 to 255.
 *
 *   kind of element     `a` in running text most, `link`, `iframe` and the like half
 *   anchor text         a description 1 · a word or two 0.8 · none, as around a picture 0.6 ·
 *                       "click here" 0.5
 *   part of the page    in navigation, header, footer, sidebar 0.2 of the same link in the text,
 *                       in a list of links anywhere 0.5
 *   position            the last link of a page counts 0.9 of the first
 *   rel                 nofollow, ugc and sponsored are 0: the author does not vouch for it
 *
 * Computed with the page's digest, where the words are at hand: no object and no string per link
 * but for the short texts that may be generic ones. It is a function of a page's columns alone, so
 * the stage can as well run over stored traces (`contextOf`), in another process.
 *
 * Not here: what the target's host is worth (score.ts).
 */
export const CONTEXT_MAX = 255;
/** For what a sitemap lists: the site itself names it, and says nothing about it. */
export const CONTEXT_LISTED = 128;

/** In running text: each time that it stands there it speaks for its target, a menu only once. */
export const CONTEXT_MEANT = 140;

/** A page's links as columns, as `page/scan.ts` finds them. */
export interface LinkPlaces {
  /** A line for each link, in one string. */
  readonly texts: string;
  /** Sparse, by the link's index. */
  readonly kinds: Readonly<Record<number, string>>;
  readonly rels: Readonly<Record<number, string>>;
  /** Bits for each link: 1 in a part that the site's pages share, 2 in a list of links. */
  readonly boilerplate: Uint8Array;
}

const DISOWNED = /(?:^|\s)(?:nofollow|ugc|sponsored)(?!\S)/;
const GENERIC_CHARS_MAX = 12;
const DESCRIPTIVE_CHARS_MIN = 12;
const WEIGHT = { described: 1, short: 0.8, silent: 0.6, generic: 0.5 } as const;
const ASIDE = 0.5;
/** By the bits of `boilerplate`. */
const PLACE_SHARE = [1, 0.2, 0.5, 0.2] as const;
const LAST = 0.9;

/** Says nothing about what is behind the link, in the languages that most pages are in. */
const GENERIC = new Set([
  ...['click here', 'click', 'here', 'more', 'read more', 'learn more', 'see more', 'details'],
  ...['link', 'this', 'this page', 'website', 'continue', 'go', 'view'],
  ...['hier', 'mehr', 'weiter', 'hier klicken', 'ici', 'plus', 'lire la suite', 'voir'],
  ...['aquí', 'más', 'leer más', 'qui', 'altro', 'leggi tutto', 'aqui', 'mais', 'leia mais'],
  ...['»', '>', '>>', '…', '...', '[link]', 'こちら', '続きを読む', '更多', '点击这里'],
]);

/** First letters and lengths of those: by them nearly every other text is told apart. */
const GENERIC_STARTS = new Set([...GENERIC].map((text) => startOf(text, 0, text.length)));

function startOf(texts: string, from: number, length: number): number {
  const code = texts.charCodeAt(from);
  const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
  return lower * (GENERIC_CHARS_MAX + 1) + length;
}

function isGeneric(texts: string, from: number, to: number): boolean {
  const isPlain = texts.charCodeAt(from) < 0x80;
  if (isPlain && !GENERIC_STARTS.has(startOf(texts, from, to - from))) return false;
  return GENERIC.has(texts.slice(from, to).toLowerCase());
}

/** One byte a link. */
export function contextsOf(page: LinkPlaces): Uint8Array {
  const { texts, kinds, rels, boilerplate } = page;
  const { length } = boilerplate;
  const contexts = new Uint8Array(length);
  const step = (1 - LAST) / Math.max(1, length - 1);
  let from = 0;
  for (let i = 0; i < length; i++) {
    const newline = from > texts.length ? -1 : texts.indexOf('\n', from);
    const to = newline < 0 ? Math.max(from, texts.length) : newline;
    const place = PLACE_SHARE[boilerplate[i] as number] ?? 1;
    contexts[i] = byteOf(textWeight(texts, from, to) * place * (1 - i * step));
    from = to + 1;
  }
  for (const i in kinds) contexts[i] = byteOf(ASIDE * (1 - Number(i) * step));
  for (const i in rels) if (DISOWNED.test(rels[i] as string)) contexts[i] = 0;
  return contexts;
}

/** The same for one link of a stored trace: its part of the page was not kept. */
export function contextOf(link: { text: string; rel: string; kind: string }, place = 0): number {
  if (DISOWNED.test(link.rel)) return 0;
  const own = link.kind === 'a' ? textWeight(link.text, 0, link.text.length) : ASIDE;
  return byteOf(own * (1 - place * (1 - LAST)));
}

function textWeight(texts: string, from: number, to: number): number {
  const length = to - from;
  if (length === 0) return WEIGHT.silent;
  if (length <= GENERIC_CHARS_MAX && isGeneric(texts, from, to)) return WEIGHT.generic;
  return length >= DESCRIPTIVE_CHARS_MIN ? WEIGHT.described : WEIGHT.short;
}

/** A followed link is never 0. */
function byteOf(weight: number): number {
  return Math.max(1, Math.round(weight * CONTEXT_MAX));
}
