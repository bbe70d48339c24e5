/**
 * One document through its plugin: whatever comes out of it is checked here, so that a plugin of
 * anybody's making hands on strings of bounded length, and a reason when it failed.
 */
import { asMarkdown, plainMarkdown } from './as-markdown.ts';
import type { DocumentLink, DocumentPage, DocumentPlugin, FoundDocument } from './plugin.ts';
import { line, TITLE_CHARS_MAX } from './text-tools.ts';

const METADATA_MAX = 32;
const METADATA_CHARS_MAX = 500;
const TROUBLE_CHARS_MAX = 300;

/** With every field, each of its type. */
export type ReadDocument = Required<FoundDocument>;

/** Never throws: what a plugin throws is its trouble. */
export function readDocument(plugin: DocumentPlugin, page: DocumentPage): ReadDocument {
  try {
    const found: unknown = plugin.read(page);
    if (typeof found !== 'object' || found === null) return nothing(plugin, 'it found no document');
    if ('then' in found) return nothing(plugin, 'it answered with a promise: read must not wait');
    return checked(plugin, found as FoundDocument, page);
  } catch (error) {
    return nothing(plugin, error instanceof Error ? error.message : String(error));
  }
}

function nothing({ name }: DocumentPlugin, why: string): ReadDocument {
  const trouble = line(`${name}: ${why}`, TROUBLE_CHARS_MAX);
  return { title: '', text: '', links: [], markdown: '', metadata: {}, trouble };
}

function checked(plugin: DocumentPlugin, found: FoundDocument, page: DocumentPage): ReadDocument {
  const { title, text, links, metadata, trouble } = found;
  return {
    title: typeof title === 'string' ? line(title, TITLE_CHARS_MAX) : '',
    text: typeof text === 'string' ? text.slice(0, page.textCharsMax) : '',
    links: Array.isArray(links) ? links.filter(isLink) : [],
    markdown: page.wantsMarkdown ? written(found, page) : '',
    metadata: facts(metadata),
    trouble: trouble ? line(`${plugin.name}: ${trouble}`, TROUBLE_CHARS_MAX) : '',
  };
}

/** What its plugin wrote; else its title and its lines, as they are. */
function written({ markdown, title, text }: FoundDocument, { textCharsMax }: DocumentPage): string {
  if (typeof markdown === 'string') return asMarkdown(markdown, textCharsMax);
  const words = typeof text === 'string' ? text.slice(0, textCharsMax) : '';
  return asMarkdown(plainMarkdown(typeof title === 'string' ? title : '', words), textCharsMax);
}

function isLink(link: unknown): link is DocumentLink {
  return (
    typeof link === 'object' && link !== null && typeof (link as DocumentLink).href === 'string'
  );
}

function facts(metadata: unknown): Readonly<Record<string, string>> {
  if (typeof metadata !== 'object' || metadata === null) return {};
  const entries = Object.entries(metadata).slice(0, METADATA_MAX);
  const kept = entries.flatMap(([name, value]): [string, string][] => {
    const text = typeof value === 'object' ? '' : line(String(value ?? ''), METADATA_CHARS_MAX);
    return text === '' ? [] : [[line(name), text]];
  });
  return Object.fromEntries(kept);
}
