/**
 * Any stored body as Markdown, by its media type: HTML by its main part, plain text in a fence,
 * Markdown as it is. Others (images, archives, PDF) have none.
 */
import { decode, parseContentType, sniffCharset } from '../page/index.ts';
import { fenceOf, withoutUnseen } from './escape.ts';
import { type MarkdownOptions, toMarkdown } from './to-markdown.ts';

export interface StoredPage {
  readonly url: string;
  readonly contentType: string;
}

/** Undefined when the body is of a kind that cannot be read so. */
export function pageToMarkdown(
  body: Uint8Array,
  { url, contentType }: StoredPage,
  options: MarkdownOptions = {},
): string | undefined {
  const type = parseContentType(contentType)?.essence ?? '';
  if (type === 'text/html' || type === 'application/xhtml+xml' || (type === '' && isHtml(body))) {
    return toMarkdown(body, url, { ...options, contentType });
  }
  if (type === 'text/markdown' || type === 'text/x-markdown') return linesOf(body, contentType);
  return type === 'text/plain' ? fenced(linesOf(body, contentType)) : undefined;
}

function isHtml(body: Uint8Array): boolean {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 512));
  return /^\s*<(?:!--|!doctype\s+html|html|head|body|title|meta)/i.test(start.toString('latin1'));
}

function linesOf(body: Uint8Array, contentType: string): string {
  const text = withoutUnseen(decode(body, sniffCharset(body, contentType)));
  const lines = text.replace(/\r\n?/g, '\n').trimEnd();
  return lines === '' ? '' : `${lines}\n`;
}

/** Its lines are its form: they stay as they are. */
function fenced(lines: string): string {
  if (lines.trim() === '') return '';
  const fence = fenceOf(lines);
  return `${fence}\n${lines}${fence}\n`;
}
