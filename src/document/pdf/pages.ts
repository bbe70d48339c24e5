/**
 * The pages of a file in order: the leaves of its tree of pages, with what they inherit. A tree
 * that is lost or turns in circles is replaced by every page object that there is.
 */
import type { PdfFile } from './file.ts';
import { type Dict, isDict, nameIn, Ref, type Value } from './objects.ts';

export const PAGES_MAX = 10_000;
const DEPTH_MAX = 64;

export interface PdfPage {
  readonly dict: Dict;
  readonly resources: Value | undefined;
}

export function pagesOf(file: PdfFile): PdfPage[] {
  const pages: PdfPage[] = [];
  const seen = new Set<number>();
  const walk = (value: Value | undefined, inherited: Value | undefined, depth: number): void => {
    if (pages.length >= PAGES_MAX || depth > DEPTH_MAX) return;
    if (value instanceof Ref) {
      if (seen.has(value.num)) return;
      seen.add(value.num);
    }
    const dict = file.resolve(value);
    if (!isDict(dict)) return;
    const resources = dict.get('Resources') ?? inherited;
    const kids = file.resolve(dict.get('Kids'));
    if (Array.isArray(kids)) for (const kid of kids) walk(kid, resources, depth + 1);
    else pages.push({ dict, resources });
  };
  walk(file.catalog.get('Pages'), undefined, 0);
  return pages.length > 0 ? pages : loosePages(file);
}

function loosePages(file: PdfFile): PdfPage[] {
  const pages: PdfPage[] = [];
  for (const value of file.objects()) {
    if (!isDict(value) || nameIn(file.resolve(value.get('Type'))) !== 'Page') continue;
    if (pages.length < PAGES_MAX) pages.push({ dict: value, resources: value.get('Resources') });
  }
  return pages;
}
