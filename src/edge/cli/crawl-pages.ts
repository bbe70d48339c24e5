/**
 * Pages on stdout as they come (`--json`, `--format csv`, `-o FILE`): the crawl waits for the
 * reader, so that a slow one slows it down (L5) and one that has gone ends it.
 */
import type { Settings } from '../../config/index.ts';
import { keepsBody } from '../../content/directives.ts';
import type { VisitedPage } from '../../crawl/context.ts';
import { markdownFrom } from '../../crawl/plan.ts';
import type { MarkdownOptions } from '../../readable/index.ts';
import { isBrokenPipe } from './failure.ts';
import { MARKDOWN_ROW, markdownEntry } from './markdown.ts';
import { type Format, headText, rowText } from './rows.ts';
import type { Output, OutputFile, World } from './world.ts';

export class PageOutput {
  readonly #output: Output;
  readonly #file: OutputFile | undefined;
  readonly #format: Format | 'markdown';
  readonly #options: MarkdownOptions;
  readonly #onGone: () => void;
  /** Nobody reads any more. */
  isGone = false;

  private constructor(
    output: Output,
    file: OutputFile | undefined,
    settings: Settings,
    onGone: () => void,
  ) {
    this.#output = output;
    this.#file = file;
    const { format } = settings.output;
    this.#format = format === 'text' ? 'json' : format;
    this.#options = markdownFrom(settings);
    this.#onGone = onGone;
  }

  /** Undefined when no pages are wanted; a file without a named form gets JSON lines. */
  static async open(
    settings: Settings,
    world: World,
    onGone: () => void,
  ): Promise<PageOutput | undefined> {
    const { format, output: path } = settings.output;
    if (format === 'text' && path === undefined) return undefined;
    const file = path === undefined || path === '-' ? undefined : await world.openFile(path);
    const pages = new PageOutput(file ?? world.stdout, file, settings, onGone);
    if (format === 'csv') await pages.#write(headText(MARKDOWN_ROW, format));
    return pages;
  }

  /** Sitemaps are read on the way, but they are no pages. */
  add(page: VisitedPage): Promise<void> | undefined {
    if (this.isGone || page.record.kind !== 'page') return undefined;
    const text = this.#textOf(page);
    return text === '' ? undefined : this.#write(text);
  }

  #textOf({ record, digest }: VisitedPage): string {
    const markdown = keepsBody(record) ? digest?.markdown : undefined;
    if (this.#format !== 'markdown') {
      const row = markdown === undefined ? record : { ...record, markdown };
      return rowText(row, MARKDOWN_ROW, this.#format);
    }
    return markdownEntry(record.url, markdown ?? '', this.#options);
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #write(text: string): Promise<void> {
    try {
      await this.#output.write(text);
    } catch (error) {
      if (!isBrokenPipe(error)) throw error;
      this.isGone = true;
      this.#onGone();
    }
  }
}
