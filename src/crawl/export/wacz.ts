/**
 * One WACZ: WARC files, index and pages in a ZIP. Written from front to back; the list of pages
 * and the lines of the index wait on disk until their turn.
 */
import {
  type Capture,
  datapackage,
  datapackageDigest,
  PAGES_HEAD,
  ZipNum,
} from '../../archive/index.ts';
import { CrawlError } from '../../base/errors.ts';
import type { Instant } from '../../base/instant.ts';
import type { ArchiveFiles } from '../../ports/archive.ts';
import type { NewFiles, ScratchFiles } from '../../ports/new-files.ts';
import type { RunWriter } from '../../ports/run-files.ts';
import type { Answers } from '../answers.ts';
import { fillShelf } from './fill.ts';
import { SortedLines } from './sorted-lines.ts';
import type { ExportTold } from './walk.ts';
import type { ShelfPlace } from './warc-series.ts';
import { ZipShelf } from './zip-shelf.ts';

export interface ArchiveJob {
  readonly answers: Answers;
  /** In the order of their keys. */
  readonly captures: AsyncIterable<Capture>;
  readonly files: NewFiles;
  readonly now: Instant;
  readonly machine: string;
  readonly software: string;
  readonly userAgent: string;
  readonly seeds: readonly string[];
  readonly title: string;
  readonly signal: AbortSignal;
  /** What was archived as the crawl went: captures are made only of what is not there. */
  readonly archived?: { readonly files: ArchiveFiles; readonly host?: string };
}

export interface ArchiveEnd {
  readonly told: ExportTold;
  readonly files: readonly ShelfPlace[];
}

export async function exportWacz(job: ArchiveJob, path: string): Promise<ArchiveEnd> {
  const { files, now } = job;
  const file = await files.create(path);
  try {
    const scratch = await files.scratch(path);
    try {
      const zip = new ZipShelf(file, now);
      const told = await fill(zip, job, scratch);
      const bytes = await zip.close();
      const end = endOf(told, [{ name: path, bytes }]);
      await file.done();
      return end;
    } finally {
      await scratch.close();
    }
  } catch (error) {
    await file.cancel();
    throw error;
  }
}

async function fill(zip: ZipShelf, job: ArchiveJob, { runs }: ScratchFiles): Promise<ExportTold> {
  const { now, software, seeds, title } = job;
  const lines = new SortedLines(runs);
  const pages = await runs.write('pages');
  const notes = {
    indexed: (line: string) => lines.add(line),
    page: (line: string) => pages.add(Buffer.from(line)),
  };
  const told = await fillShelf(job, zip.in('archive/'), notes, runs).catch(async (error) => {
    await pages.cancel();
    throw error;
  });
  await putIndex(zip.in('indexes/'), lines);
  await putPages(zip.in('pages/'), pages, runs);
  const facts = { title, createdAt: now, software, mainPageUrl: seeds[0] };
  const files = zip.done.map(({ name, bytes, hash }) => ({ path: name, bytes, hash }));
  const described = datapackage(files, facts);
  zip.in('');
  await zip.add('datapackage.json', described);
  await zip.add('datapackage-digest.json', datapackageDigest(described));
  return told;
}

async function putIndex(zip: ZipShelf, lines: SortedLines): Promise<void> {
  const blocks = new ZipNum();
  await zip.begin('index.cdx.gz');
  for await (const line of lines.read()) {
    const block = blocks.add(line);
    if (block !== undefined) await zip.write(block);
  }
  const { block, summary } = blocks.end();
  if (block !== undefined) await zip.write(block);
  await zip.end();
  await zip.add('index.idx', Buffer.from(summary));
}

async function putPages(
  zip: ZipShelf,
  pages: RunWriter,
  runs: ScratchFiles['runs'],
): Promise<void> {
  await pages.done();
  await zip.begin('pages.jsonl');
  await zip.write(Buffer.from(PAGES_HEAD));
  for await (const chunk of (await runs.read('pages')) ?? []) await zip.write(chunk);
  await zip.end();
}

/** An archive without an answer is none. */
export function endOf(told: ExportTold, files: readonly ShelfPlace[]): ArchiveEnd {
  if (told.whole + told.repeated + told.head + told.absent > 0) return { told, files };
  const what = 'There is nothing to archive: no URL of this crawl was answered yet.';
  throw new CrawlError('E_NOTHING_FETCHED', what, 'Crawl first; `orb status` says how far it is.');
}
