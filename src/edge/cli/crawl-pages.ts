/**
 * Pages on stdout as they come (`--json`, `--format csv`, `-o FILE`): the crawl waits for the
 * reader, so that a slow one slows it down (L5) and one that has gone ends it.
 */
import type { Settings } from '../../config/index.ts';
import type { VisitedPage } from '../../crawl/context.ts';
import { isBrokenPipe } from './failure.ts';
import { PAGE_ROW } from './page-row.ts';
import { type Format, headText, rowText } from './rows.ts';
import type { Output, OutputFile, World } from './world.ts';

export class PageOutput {
  readonly #output: Output;
  readonly #file: OutputFile | undefined;
  readonly #format: Format;
  readonly #onGone: () => void;
  /** Nobody reads any more. */
  isGone = false;

  private constructor(
    output: Output,
    file: OutputFile | undefined,
    format: Format,
    onGone: () => void,
  ) {
    this.#output = output;
    this.#file = file;
    this.#format = format;
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
    const form = format === 'text' ? 'json' : format;
    const pages = new PageOutput(file ?? world.stdout, file, form, onGone);
    const head = headText(PAGE_ROW, form);
    if (head !== '') await pages.#write(head);
    return pages;
  }

  /** Sitemaps are read on the way, but they are no pages. */
  add(page: VisitedPage): Promise<void> | undefined {
    if (this.isGone || page.record.kind !== 'page') return undefined;
    return this.#write(rowText(page.record, PAGE_ROW, this.#format));
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
