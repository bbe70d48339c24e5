/**
 * The words of a page as the kernel gathers them (../../kernel/text.ts): UTF-8 bytes with single
 * spaces between them, and marks that say whose they are: the page's own, those of a link, or those
 * of a part that all pages of the site share.
 *
 * Bytes and not a string: links and title are ranges of them, and a fingerprint can read words
 * from them without decoding.
 */

/** Bits. `text` is what the page itself marks as its text: `main` and `article`. */
export const VOICE = { own: 0, link: 1, shared: 2, text: 4 } as const;

/** Valid until the next page is scanned. */
export interface Words {
  readonly bytes: Buffer;
  /** In the order of the text: where a voice begins, times eight, and which it is. */
  readonly marks: ArrayLike<number>;
}
