/**
 * Where in SVG or MathML the scanner stands.
 *
 * There other rules hold: `<title>` isn't the page's, `/>` closes, CDATA is text. Islands
 * (`foreignObject`, `desc`, an SVG title, MathML's text elements) hold HTML again, and certain
 * HTML tags end the drawing, closed or not. Styles and scripts are ordinary elements here,
 * whose words don't count.
 */
import {
  BREAKOUT_AT,
  FOREIGN_AT,
  FOREIGN_MAX,
  MATH_ISLAND_AT,
  SVG_ISLAND_AT,
} from '../src/page/kernel-layout';
import { TAG_MATH, TAG_SCRIPT, TAG_STYLE, TAG_SVG } from '../src/page/kernel-tags';

/** True where foreign rules hold: in a drawing or formula, not on an island. */
export let isForeign: bool = false;
/** In a style or script, where words are code. */
export let isQuiet: bool = false;
/** Elements that are open; deeper nesting than `FOREIGN_MAX` is not told apart. */
export let foreignDepth: i32 = 0;

export function clearForeign(): void {
  foreignDepth = 0;
  look();
}

export function openForeign(tag: i32, isClosed: bool): void {
  if (isClosed || foreignDepth >= FOREIGN_MAX) return;
  if (tag !== TAG_SVG && tag !== TAG_MATH && !(isForeign && isKept(tag))) return;
  store<u8>(FOREIGN_AT + foreignDepth++, tag as u8);
  look();
}

/** An end tag closes the innermost element of its name with all that is in it. */
export function closeForeign(tag: i32): void {
  for (let at = foreignDepth - 1; at >= 0; at--) {
    if ((load<u8>(FOREIGN_AT + at) as i32) !== tag) continue;
    foreignDepth = at;
    break;
  }
  look();
}

/** An HTML tag that can't be in a drawing ends it; so does the end tag of one around it. */
export function breakOut(tag: i32): void {
  if (load<u8>(BREAKOUT_AT + tag) === 1) leaveForeign();
}

/** Back to the HTML around the drawing. */
export function leaveForeign(): void {
  while (isForeign) {
    foreignDepth--;
    look();
  }
}

function top(): i32 {
  return foreignDepth === 0 ? 0 : (load<u8>(FOREIGN_AT + foreignDepth - 1) as i32);
}

function look(): void {
  const tag = top();
  isQuiet = tag === TAG_STYLE || tag === TAG_SCRIPT;
  isForeign = isQuiet || tag === TAG_SVG || tag === TAG_MATH;
}

function isKept(tag: i32): bool {
  if (tag === TAG_STYLE || tag === TAG_SCRIPT) return true;
  return load<u8>((top() === TAG_MATH ? MATH_ISLAND_AT : SVG_ISLAND_AT) + tag) === 1;
}
