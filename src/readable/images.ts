/**
 * Images: `![what it shows](where it is)`, or the words alone.
 *
 * Left out: what the page itself calls decoration (an empty alt), and pixels that count
 * readers. An image that is only in the page's own bytes (data:) is its words.
 */
import type { InlineRun } from './inline.ts';
import { linkText } from './links.ts';
import type { HtmlElement } from './tree.ts';
import type { Writing } from './writing.ts';

export function writeImage(element: HtmlElement, run: InlineRun, writing: Writing): void {
  const alt = element.get('alt').replace(/\s+/g, ' ').trim();
  if (writing.images === 'none' || isDecoration(element, alt)) return;
  const source = sourceOf(element);
  const target = writing.images === 'link' ? writing.targetOf(source) : undefined;
  if (target === undefined || !/^https?:/.test(target)) run.text(alt);
  else run.image(linkText(alt), target);
}

function isDecoration(element: HtmlElement, alt: string): boolean {
  if (alt === '' && element.has('alt')) return true;
  return isPixel(element.get('width')) && isPixel(element.get('height'));
}

function isPixel(size: string): boolean {
  return /^[01](?:px)?$/.test(size.trim());
}

/** Pages that load images late keep the address beside. */
function sourceOf(element: HtmlElement): string {
  const source = element.get('src');
  const late = element.get('data-src');
  return late !== '' && (source === '' || source.startsWith('data:')) ? late : source;
}
