/**
 * Pages as Markdown on stdout: `orb pages --format markdown`, `orb crawl --markdown` (X5).
 *
 * One page follows another, so each begins with a line that names it and that no reader of
 * Markdown shows, `[//]: # (URL)`, or with its front matter. It is made from the body as it is
 * stored: what was erased, or may not be shown, has none.
 */
import { CrawlError } from '../../base/errors.ts';
import type { Settings } from '../../config/index.ts';
import type { Answers, PageAnswer } from '../../crawl/answers.ts';
import { storedMarkdown } from '../../crawl/markdown.ts';
import { markdownFrom } from '../../crawl/plan.ts';
import type { ParserPool } from '../../ports/parser-pool.ts';
import type { MarkdownOptions } from '../../readable/index.ts';
import { many } from './format.ts';
import { PAGE_ROW } from './page-row.ts';
import { type RowShape, withOutput } from './rows.ts';
import type { World } from './world.ts';

/** Where the texts of pages come from. */
export interface Texts {
  readonly answers: Pick<Answers, 'body'>;
  readonly reader: Pick<ParserPool, 'digest'>;
}

/** With the line that names the page; empty when there is nothing to read. */
export function markdownEntry(url: string, text: string, options: MarkdownOptions): string {
  if (text.trim() === '') return '';
  return options.frontMatter ? `${text}\n` : `${markdownMark(url)}\n\n${text}\n`;
}

function markdownMark(url: string): string {
  const safe = url.replace(/[()\\\s]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `[//]: # (${safe})`;
}

/** Answers how many pages were written. */
export async function printMarkdown(
  pages: AsyncIterable<PageAnswer>,
  texts: Texts,
  settings: Settings,
  world: World,
): Promise<number> {
  const options = markdownFrom(settings);
  let damaged = 0;
  const count = await withOutput(settings, world, async (output) => {
    let written = 0;
    for await (const { url, text } of markdownOf(pages, texts, options)) {
      if (text === undefined) damaged++;
      const entry = markdownEntry(url, text ?? '', options);
      if (entry === '') continue;
      await output.write(entry);
      written++;
    }
    return written;
  });
  if (damaged > 0) world.stderr.write(`${damagedText(damaged)}\n`);
  return count;
}

export function damagedText(count: number): string {
  return `${many(count, 'page')} left out: the stored body is damaged.`;
}

/** The rows of `--json --markdown`. */
export const MARKDOWN_ROW: RowShape<PageAnswer & { readonly markdown?: string }> = {
  ...PAGE_ROW,
  json: (row) => {
    const { markdown } = row;
    return { ...PAGE_ROW.json(row), ...(markdown !== undefined && { markdown }) };
  },
};

export async function* withMarkdown(
  pages: AsyncIterable<PageAnswer>,
  texts: Texts,
  options: MarkdownOptions,
): AsyncIterable<PageAnswer & { readonly markdown?: string }> {
  for await (const page of pages) {
    const text = await textOf(page, texts, options);
    yield typeof text === 'object' ? { ...page, ...text } : page;
  }
}

export interface MarkdownPage {
  readonly url: string;
  /** Undefined when the stored body is damaged. */
  readonly text: string | undefined;
}

/** Those that have a text, one after the other; a damaged body costs its page only. */
export async function* markdownOf(
  pages: AsyncIterable<PageAnswer>,
  texts: Texts,
  options: MarkdownOptions,
): AsyncIterable<MarkdownPage> {
  for await (const page of pages) {
    const text = await textOf(page, texts, options);
    if (text === 'damaged') yield { url: page.url, text: undefined };
    else if (text !== undefined) yield { url: page.url, text: text.markdown };
  }
}

type Text = { readonly markdown: string } | 'damaged' | undefined;

async function textOf(
  page: PageAnswer,
  { answers, reader }: Texts,
  options: MarkdownOptions,
): Promise<Text> {
  if (page.kind !== 'page' || page.contentHash.length === 0) return undefined;
  try {
    const body = await answers.body(page.url);
    const markdown = body && (await storedMarkdown(reader, body, page, options));
    return markdown === undefined ? undefined : { markdown };
  } catch (error) {
    if (!(error instanceof CrawlError) || error.code !== 'E_STORE_DAMAGED') throw error;
    return 'damaged';
  }
}
