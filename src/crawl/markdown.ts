/**
 * The Markdown of a stored body (X5), made where bodies are read: a document that is hostile is
 * then read under the same limits as in the crawl, and the service goes on answering meanwhile.
 */
import { type StoredPage, UNPACKED_BYTES_MAX } from '../content/index.ts';
import type { ParserPool } from '../ports/parser-pool.ts';
import type { MarkdownOptions } from '../readable/index.ts';

/** Undefined when the body has no text, or could not be read within the limits. */
export async function storedMarkdown(
  pool: Pick<ParserPool, 'digest'>,
  body: Uint8Array,
  { url, contentType }: StoredPage,
  options: MarkdownOptions,
): Promise<string | undefined> {
  const { markdown } = await pool.digest({
    ...{ url, kind: 'page', body, headers: { 'content-type': contentType } },
    ...{ decodedBytesMax: Math.max(body.length, UNPACKED_BYTES_MAX), agent: '', markdown: options },
  });
  return markdown;
}
