/**
 * How much there is to read in each element: characters, and characters inside links.
 *
 * One pass from the last element to the first, so every child is summed before its parent.
 */
import { headingLevel } from './elements.ts';
import { type HtmlElement, type HtmlText, NO_HEADING } from './tree.ts';

/** Leaves out what is doubted this much or more. */
export function weigh(elements: readonly HtmlElement[], doubt: number): void {
  for (const element of elements) {
    element.chars = element.linkChars = 0;
    element.heading = NO_HEADING;
  }
  for (let i = elements.length - 1; i >= 0; i--) {
    const element = elements[i] as HtmlElement;
    if (element.doubt >= doubt) {
      element.chars = element.linkChars = 0;
      continue;
    }
    for (const child of element.children) {
      if (child.tag === '') element.chars += charsIn(child as HtmlText);
    }
    if (element.tag === 'a' && element.has('href')) element.linkChars = element.chars;
    const level = headingLevel(element.tag);
    if (level > 0 && element.chars > 0) element.heading = level;
    const { parent } = element;
    if (parent === undefined) continue;
    if (element.heading < parent.heading) parent.heading = element.heading;
    parent.chars += element.chars;
    parent.linkChars += element.linkChars;
  }
}

/** Text that is no link: what a writer wrote, a menu has little of it. */
export function prose({ chars, linkChars }: HtmlElement): number {
  return chars - linkChars;
}

export function linkDensity({ chars, linkChars }: HtmlElement): number {
  return chars === 0 ? 0 : linkChars / chars;
}

function charsIn(node: HtmlText): number {
  node.chars ??= visibleChars(node.text);
  return node.chars;
}

/** Without white space around it; a CJK character says about as much as two letters. */
function visibleChars(text: string): number {
  const length = text.trim().length;
  return length > 0 && text.charCodeAt(text.length >> 1) >= 0x2e80 ? length * 2 : length;
}
