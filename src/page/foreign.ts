/**
 * Where in SVG or MathML the scanner stands.
 *
 * There other rules hold: `<title>` isn't the page's, `/>` closes, CDATA is text. Islands
 * (`foreignObject`, `desc`, an SVG title, MathML's text elements) hold HTML again, and certain
 * HTML tags end the drawing, closed or not. Styles and scripts are ordinary elements here,
 * whose words don't count.
 */
import { BREAKOUT, MATH_ISLAND, SVG_ISLAND, TAG } from './tags.ts';

/** Deeper nesting than this is not told apart; it keeps a hostile page's stack small. */
const DEPTH_MAX = 256;

export class ForeignStack {
  readonly #open: number[] = [];
  /** True where foreign rules hold: in a drawing or formula, not on an island. */
  inside = false;
  empty = true;
  /** In a style or script, where words are code. */
  quiet = false;

  open(tag: number, selfClosing: boolean): void {
    if (selfClosing || this.#open.length >= DEPTH_MAX) return;
    if (tag === TAG.svg || tag === TAG.math || (this.inside && this.#isKept(tag))) {
      this.#open.push(tag);
      this.#look();
    }
  }

  /** An end tag closes the innermost element of its name with all that is in it. */
  close(tag: number): void {
    const at = this.#open.lastIndexOf(tag);
    if (at >= 0) this.#open.length = at;
    this.#look();
  }

  /** An HTML tag that can't be in a drawing ends it; so does the end tag of one around it. */
  breakOut(tag: number): void {
    if (BREAKOUT[tag] === 1) this.leave();
  }

  /** Back to the HTML around the drawing. */
  leave(): void {
    while (this.inside) {
      this.#open.pop();
      this.#look();
    }
  }

  #look(): void {
    const top = this.#open.at(-1);
    this.quiet = top === TAG.style || top === TAG.script;
    this.inside = this.quiet || top === TAG.svg || top === TAG.math;
    this.empty = top === undefined;
  }

  #isKept(tag: number): boolean {
    if (tag === TAG.style || tag === TAG.script) return true;
    if (this.#open.at(-1) === TAG.math) return MATH_ISLAND[tag] === 1;
    return SVG_ISLAND[tag] === 1;
  }
}
