/**
 * The links of a page: annotations that lead to a URI, or to another file on the same site.
 * `URI` of the catalog may name a base for them.
 */
import type { DocumentLink } from '../plugin.ts';
import { textString } from './encodings.ts';
import type { PdfFile } from './file.ts';
import type { LinkBox } from './lines.ts';
import { type Dict, isDict, nameIn, type Value } from './objects.ts';
import type { PdfPage } from './pages.ts';

/** Annotations of one page. */
const ANNOTATIONS_MAX = 5_000;
/** An action can name the next. */
const ACTIONS_MAX = 8;
const OUTLINE_MAX = 10_000;

export function linksOf(page: PdfPage, file: PdfFile, base: string | undefined): DocumentLink[] {
  const links: DocumentLink[] = [];
  for (const value of file.list(page.dict.get('Annots')).slice(0, ANNOTATIONS_MAX)) {
    const annotation = file.dict(value);
    const contents = textIn(annotation.get('Contents'), file);
    const more = file.dict(annotation.get('AA'));
    const action = annotation.get('A') ?? annotation.get('PA') ?? more.get('D') ?? more.get('U');
    for (const href of targetsOf(action, file)) {
      links.push({
        href,
        ...(base !== undefined && { base }),
        ...(contents !== '' && { text: contents }),
      });
    }
  }
  return links;
}

/** Where on the page its links lie. */
export function linkBoxes(page: PdfPage, file: PdfFile): LinkBox[] {
  return file
    .list(page.dict.get('Annots'))
    .slice(0, ANNOTATIONS_MAX)
    .flatMap((value): LinkBox[] => {
      const annotation = file.dict(value);
      const corners = file.list(annotation.get('Rect')).map((one) => file.resolve(one));
      const [a, b, c, d] = corners;
      const isBox = corners.length === 4 && corners.every((one) => typeof one === 'number');
      const [href] = isBox ? targetsOf(annotation.get('A') ?? annotation.get('PA'), file) : [];
      if (href === undefined) return [];
      const [xs, ys] = [[a, c] as number[], [b, d] as number[]];
      return [
        {
          ...{ href, left: Math.min(...xs), right: Math.max(...xs) },
          ...{ bottom: Math.min(...ys), top: Math.max(...ys) },
        },
      ];
    });
}

export function baseOf(file: PdfFile): string | undefined {
  const base = textIn(file.dict(file.catalog.get('URI')).get('Base'), file);
  return URL.canParse(base) ? base : undefined;
}

function targetsOf(action: Value | undefined, file: PdfFile): string[] {
  const targets: string[] = [];
  let next: Value = file.resolve(action);
  for (let i = 0; i < ACTIONS_MAX && isDict(next); i++) {
    const target = targetOf(next, file);
    if (target !== '') targets.push(target);
    const after: Value = file.resolve(next.get('Next'));
    next = Array.isArray(after) ? file.resolve(after[0]) : after;
  }
  return targets;
}

function targetOf(action: Dict, file: PdfFile): string {
  const kind = nameIn(file.resolve(action.get('S')));
  if (kind === 'URI') return addressIn(textIn(action.get('URI'), file));
  if (kind === 'JavaScript') return OPENED.exec(textIn(action.get('JS'), file))?.[1] ?? '';
  if (kind !== 'GoToR' && kind !== 'Launch') return '';
  const target = file.resolve(action.get('F'));
  const name = isDict(target)
    ? textIn(target.get('UF') ?? target.get('F'), file)
    : textIn(target, file);
  // A path on somebody's disk leads nowhere.
  return /^[^\\:/][^\\:]*\.pdf$/i.test(name) || /^https?:/i.test(name) ? name : '';
}

/** The only thing that a script in a link is for. */
const OPENED = /(?:app\.launchURL|window\.open)\(\s{0,9}["'](https?:[^"'\s]{1,2000})["']/;

/** `www.example.com` is meant as a browser's address line takes it. */
function addressIn(uri: string): string {
  const trimmed = uri.trim();
  return /^www\.[^/]/i.test(trimmed) ? `http://${trimmed}` : trimmed;
}

/** Entries of the table of contents that lead out of the file. */
export function outlineLinks(file: PdfFile): DocumentLink[] {
  const links: DocumentLink[] = [];
  const seen = new Set<Dict>();
  const waiting = [file.dict(file.catalog.get('Outlines')).get('First')];
  while (waiting.length > 0 && seen.size < OUTLINE_MAX) {
    const entry = file.dict(waiting.pop());
    if (entry.size === 0 || seen.has(entry)) continue;
    seen.add(entry);
    const text = textIn(entry.get('Title'), file);
    for (const href of targetsOf(entry.get('A'), file)) links.push({ href, text });
    waiting.push(entry.get('Next'), entry.get('First'));
  }
  return links;
}

function textIn(value: Value | undefined, file: PdfFile): string {
  const bytes = file.resolve(value);
  if (!(bytes instanceof Uint8Array)) return '';
  const text = textString(bytes);
  // Some writers put UTF-8 where ASCII belongs.
  return /[\u0080-\uffff]/.test(text) && bytes[0] !== 0xfe
    ? Buffer.from(bytes).toString('utf8')
    : text;
}
