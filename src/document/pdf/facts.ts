/**
 * What a PDF says of itself: the title from its XMP packet or its Info, and who made it with what.
 */

import { decodeXml } from '../../page/xml-decode.ts';
import { decodeEntities } from '../../page/xml-text.ts';
import { line, TITLE_CHARS_MAX } from '../text-tools.ts';
import { textString } from './encodings.ts';
import type { PdfFile } from './file.ts';
import { Stream } from './objects.ts';

const XMP_CHARS_MAX = 200_000;
const FIELDS = { author: 'Author', subject: 'Subject', keywords: 'Keywords', creator: 'Creator' };

export interface PdfFacts {
  readonly title: string;
  readonly metadata: Record<string, string>;
}

export function factsOf(file: PdfFile): PdfFacts {
  const { facts } = file;
  const said = (key: string) => {
    const value = file.resolve(facts.get(key));
    return value instanceof Uint8Array ? line(textString(value), TITLE_CHARS_MAX) : '';
  };
  const metadata = Object.fromEntries(
    Object.entries(FIELDS).flatMap(([name, key]) => (said(key) === '' ? [] : [[name, said(key)]])),
  );
  const language = file.resolve(file.catalog.get('Lang'));
  if (language instanceof Uint8Array) metadata.language = line(textString(language));
  const fromXmp = xmpTitle(file);
  const isTitle = fromXmp !== '' && !/^untitled$/i.test(fromXmp);
  return { title: isTitle ? fromXmp : said('Title'), metadata };
}

function xmpTitle(file: PdfFile): string {
  const packet = file.resolve(file.catalog.get('Metadata'));
  const bytes = packet instanceof Stream ? file.unfiltered(packet) : undefined;
  if (bytes === undefined) return '';
  const xml = decodeXml(bytes.subarray(0, XMP_CHARS_MAX));
  const title = /<dc:title\b[^>]*>([\s\S]{0,20000}?)<\/dc:title>/.exec(xml)?.[1] ?? '';
  const item = /<rdf:li\b[^>]*>([\s\S]{0,10000}?)<\/rdf:li>/.exec(title)?.[1] ?? title;
  return line(decodeEntities(item.replace(/<[^>]*>/g, ' ')), TITLE_CHARS_MAX);
}
