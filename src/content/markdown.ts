/**
 * Any body as Markdown (X5): HTML by its main part (../readable/), everything else by the plugin
 * that reads it (../document/). Images, archives and whatever has no plugin have none.
 */
import { BUILT_IN } from '../document/index.ts';
import { mediaTypeOf } from '../fetch/index.ts';
import { frontMatter, isHtmlBody, type MarkdownOptions, toMarkdown } from '../readable/index.ts';
import type { RawPage } from './digest.ts';
import { type DocumentLinks, documentLinks } from './document-links.ts';

export interface StoredPage {
  readonly url: string;
  readonly contentType: string;
}

/** Undefined when the body is of a kind that cannot be read so. */
export function bodyToMarkdown(
  body: Uint8Array,
  { url, contentType }: StoredPage,
  options: MarkdownOptions = {},
): string | undefined {
  const page: RawPage = {
    ...{ url, kind: 'page', body, headers: { 'content-type': contentType } },
    ...{ decodedBytesMax: UNPACKED_BYTES_MAX, agent: '', markdown: options },
  };
  return markdownOf(body, page, documentLinks(body, page, { plugins: BUILT_IN }));
}

/** What a gzipped document may unfold to: as much as a crawl lets through unless told. */
export const UNPACKED_BYTES_MAX = 30 * 1024 * 1024;

const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);

export function markdownOf(
  body: Uint8Array,
  { url, headers, markdown: options = {} }: RawPage,
  document: DocumentLinks | undefined,
): string | undefined {
  if (document !== undefined) return written(document, url, options);
  const contentType = headers['content-type'] ?? '';
  const type = mediaTypeOf(contentType);
  const isHtml = HTML_TYPES.has(type) || (type === '' && isHtmlBody(body));
  return isHtml ? toMarkdown(body, url, { ...options, contentType }) : undefined;
}

function written(
  { title, document, markdown }: DocumentLinks,
  url: string,
  options: MarkdownOptions,
) {
  if (!options.frontMatter) return markdown;
  const facts = frontMatter({ title, date: '', language: document?.language ?? '' }, url);
  // A text that brings its own has one too many.
  const own = /^---\n[\s\S]{0,20000}?\n---\n+/.exec(markdown)?.[0].length ?? 0;
  const text = markdown.slice(own);
  return text === '' ? facts : `${facts}\n${text}`;
}
