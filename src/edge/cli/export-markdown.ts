/**
 * `orb export markdown`: a folder with a file for each page, under its host and path.
 *
 *   https://example.org/docs/?p=2  →  example.org/docs/index%3Fp=2.md
 *
 * Names hold nothing that a file system could take for more than a name; two pages that would
 * share one are told apart by the hash of their URL.
 */
import { CrawlError } from '../../base/errors.ts';
import type { PageAnswer } from '../../crawl/answers.ts';
import type { NewFiles } from '../../ports/new-files.ts';
import type { MarkdownOptions } from '../../readable/index.ts';
import { formatUrlHash, urlHash } from '../../url/index.ts';
import { markdownOf, type Texts } from './markdown.ts';

export interface MarkdownJob {
  readonly pages: AsyncIterable<PageAnswer>;
  readonly texts: Texts;
  readonly files: NewFiles;
  readonly options: MarkdownOptions;
  readonly signal: AbortSignal;
}

export interface MarkdownTold {
  readonly written: number;
  readonly damaged: number;
}

export async function exportMarkdown(job: MarkdownJob, folder: string): Promise<MarkdownTold> {
  const { pages, texts, files, options, signal } = job;
  await files.claimFolder(folder);
  let [written, damaged] = [0, 0];
  for await (const { url, text } of markdownOf(pages, texts, options)) {
    signal.throwIfAborted();
    if (text === undefined) damaged++;
    if (text === undefined || text.trim() === '') continue;
    await writeNew(files, folder, url, Buffer.from(text));
    written++;
  }
  return { written, damaged };
}

async function writeNew(files: NewFiles, folder: string, url: string, bytes: Buffer) {
  const file = await files.create(`${folder}/${markdownPath(url)}`).catch((error: unknown) => {
    if (!(error instanceof CrawlError) || error.code !== 'E_OUTPUT_EXISTS') throw error;
    return files.create(`${folder}/${markdownPath(url, formatUrlHash(urlHash(url)))}`);
  });
  try {
    await file.write(bytes);
    await file.done();
  } catch (error) {
    await file.cancel();
    throw error;
  }
}

const PART_CHARS_MAX = 120;
const PARTS_MAX = 24;

/** Relative, with forward slashes. */
export function markdownPath(url: string, hash = ''): string {
  const { host, pathname, search } = new URL(url);
  const parts = pathname.split('/').slice(1);
  const last = `${parts.pop() || 'index'}${search}`;
  const folders = parts.slice(0, PARTS_MAX).filter((part) => part !== '');
  const tail = hash === '' ? '' : `-${hash.slice(0, 16)}`;
  return [host, ...folders, last].map(safePart).join('/').concat(tail, '.md');
}

/** No dots alone, no separators, no signs that some file system refuses. */
function safePart(part: string): string {
  const safe = part.replace(/[^\w.%=&+,@~-]/g, escapeByte);
  const named = /^\.+$/.test(safe) ? safe.replaceAll('.', '%2E') : safe;
  return named.slice(0, PART_CHARS_MAX);
}

/** A URL holds ASCII alone. */
function escapeByte(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
