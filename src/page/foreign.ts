/**
 * Where in SVG or MathML the scanner stands.
 *
 * There other rules hold: `<title>` isn't the page's, `/>` closes, CDATA is text. Islands
 * (`foreignObject`, `desc`, an SVG title, MathML's text elements) hold HTML again, and certain
 * HTML tags end the drawing, closed or not.
 */
import { BREAKOUT, ISLAND, TAG } from './tags.ts';

/** Deeper nesting than this is not told apart; it keeps a hostile page's stack small. */
const DEPTH_MAX = 256;

export class ForeignStack {
  readonly #open: number[] = [];

  /** True where foreign rules hold: in a drawing or formula, not on an island. */
  get inside(): boolean {
    const top = this.#open[this.#open.length - 1];
    return top === TAG.svg || top === TAG.math;
  }

  get empty(): boolean {
    return this.#open.length === 0;
  }

  open(tag: number, selfClosing: boolean): void {
    if (selfClosing || this.#open.length >= DEPTH_MAX) return;
    if (tag === TAG.svg || tag === TAG.math) this.#open.push(tag);
    else if (this.inside && this.#isIsland(tag)) this.#open.push(tag);
  }

  /** An end tag closes the innermost element of its name with all that is in it. */
  close(tag: number): void {
    const at = this.#open.lastIndexOf(tag);
    if (at >= 0) this.#open.length = at;
  }

  /** An HTML tag that can't be in a drawing ends it. */
  breakOut(tag: number): void {
    if (BREAKOUT[tag] !== 1) return;
    while (this.inside) this.#open.pop();
  }

  #isIsland(tag: number): boolean {
    return ISLAND[tag] === 1 || (tag === TAG.title && this.#open.at(-1) === TAG.svg);
  }
}
