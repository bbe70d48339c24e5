/**
 * A page as Markdown: its main part, in CommonMark with the tables, strikes and footnotes of GFM.
 *
 * Promises: any input ends, in time and memory linear in its length; no HTML of the page is left
 * as HTML; what is written reads the same once CommonMark has read it; no input throws.
 */
import { toUSVString } from 'node:util';
import { decode, inCharset, sniffCharset } from '../page/index.ts';
import { joined, writeBlocks } from './blocks.ts';
import { factsOf, type PageFacts } from './facts.ts';
import { targetsOn } from './links.ts';
import { mainPart, wholePage } from './main-part.ts';
import { Notes } from './notes.ts';
import { buildTree, type HtmlTree } from './tree.ts';
import type { Block, ImageStyle, Writing } from './writing.ts';

export interface MarkdownOptions {
  /** The whole page in place of its main part. */
  readonly whole?: boolean;
  /** `link` (unless told), `text` for their words alone, or `none`. */
  readonly images?: ImageStyle;
  /** Title, URL, date and language as YAML above the text. */
  readonly frontMatter?: boolean;
  /** As the server sent it; for bytes, and to tell HTML from plain text. */
  readonly contentType?: string;
}

/** Addresses may make a page this much longer, and a short one by this many characters. */
const TARGET_GROWTH_MAX = 4;
const TARGET_CHARS_FREE = 65_536;

/** Ends with one newline; empty when there is nothing to read. */
export function toMarkdown(
  page: string | Uint8Array,
  url: string,
  options: MarkdownOptions = {},
): string {
  const charset = typeof page === 'string' ? 'UTF-8' : sniffCharset(page, options.contentType);
  const html = typeof page === 'string' ? page : decode(page, charset);
  const tree = buildTree(html);
  const targetChars = html.length * TARGET_GROWTH_MAX + TARGET_CHARS_FREE;
  const targetOf = targetsOn(baseOf(tree, url, charset), targetChars, charset);
  const text = written(tree, url, targetOf, options);
  const facts = options.frontMatter ? frontMatter(factsOf(tree), url) : '';
  // To cut a long value may cut a pair of surrogates.
  return toUSVString(text === '' ? facts : `${facts}${facts === '' ? '' : '\n'}${text}\n`);
}

function baseOf({ elements }: HtmlTree, url: string, charset: string): string {
  const base = elements.find(({ tag, attributes }) => tag === 'base' && attributes?.has('href'));
  return base === undefined ? url : absolute(inCharset(base.get('href'), charset), url);
}

function written(
  tree: HtmlTree,
  url: string,
  targetOf: Writing['targetOf'],
  options: MarkdownOptions,
): string {
  const part = options.whole ? wholePage(tree) : mainPart(tree, url);
  const writing: Writing = {
    doubt: part.doubt,
    notes: new Notes(tree.elements, part.doubt),
    images: options.images ?? 'link',
    nest: 0,
    around: undefined,
    targetOf,
  };
  const blocks: Block[] = [];
  if (part.heading !== undefined) writeBlocks([part.heading], writing, blocks);
  writeBlocks([part.root], writing, blocks);
  while (blocks.at(-1)?.kind === 'rule') blocks.pop();
  return joined(blocks);
}

function absolute(href: string, url: string): string {
  return URL.canParse(href, url) ? new URL(href, url).href : url;
}

/** JSON strings are YAML strings. */
export function frontMatter({ title, date, language }: PageFacts, url: string): string {
  const lines = [
    ...(title === '' ? [] : [`title: ${JSON.stringify(title)}`]),
    `url: ${JSON.stringify(url)}`,
    ...(date === '' ? [] : [`date: ${JSON.stringify(date)}`]),
    ...(language === '' ? [] : [`language: ${JSON.stringify(language)}`]),
  ];
  return `---\n${lines.join('\n')}\n---\n`;
}

/** Does a body without a type begin as HTML does? */
export function isHtmlBody(body: Uint8Array): boolean {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 512));
  return /^\s*<(?:!--|!doctype\s+html|html|head|body|title|meta)/i.test(start.toString('latin1'));
}
