/**
 * The WARC files of an export. Those that the crawl wrote are copied; what the folder has and
 * they have not, because it was fetched without `--warc`, is made from records and bodies.
 *
 *   archived ─▶ copy.ts ─┬▶ shelf
 *                        └▶ already.ts ─┐
 *   captures ───────────────────────────┴▶ walk.ts ─▶ warc-series.ts ─▶ shelf
 */
import { isOpenable, Originals, pageLine, type WarcSeries } from '../../archive/index.ts';
import type { RunFiles } from '../../ports/run-files.ts';
import type { UrlRecord } from '../../record/index.ts';
import { Already } from './already.ts';
import { type CopyNotes, copyArchive } from './copy.ts';
import type { ArchiveJob } from './wacz.ts';
import { type ExportTold, walkCaptures } from './walk.ts';
import { type Shelf, WarcWriter } from './warc-series.ts';

export type FillNotes = Pick<CopyNotes, 'indexed' | 'page'>;

export async function fillShelf(
  job: ArchiveJob,
  shelf: Shelf,
  notes: FillNotes,
  runs: RunFiles,
): Promise<ExportTold> {
  const { captures, archived, signal } = job;
  if (archived === undefined) return make(job, captures, shelf, notes, new Originals());
  const [already, originals] = [new Already(runs), new Originals()];
  const heard: CopyNotes = { ...notes, exchanged: (url, one) => already.add(url, one), originals };
  const files = await archived.files.list();
  const copied = await copyArchive(archived.files, files, archived.host, shelf, heard, signal);
  const missing = already.missingFrom(captures);
  const made = await make(job, missing, shelf, notes, originals, files.length);
  return sumOf(copied, made);
}

function make(
  job: ArchiveJob,
  captures: ArchiveJob['captures'],
  shelf: Shelf,
  notes: FillNotes,
  originals: Originals,
  serial = 0,
): Promise<ExportTold> {
  const writer = new WarcWriter(shelf, seriesOf(job), { serial });
  const walked = {
    ...(notes.indexed && { indexed: notes.indexed }),
    archived: async (record: UrlRecord) => {
      if (isOpenable(record)) await notes.page?.(pageLine(record));
    },
  };
  const bodyOf = job.answers.body.bind(job.answers);
  return walkCaptures(captures, bodyOf, writer, { ...walked, originals }, job.signal);
}

function seriesOf({ now, ...job }: ArchiveJob): WarcSeries {
  const { machine, software, userAgent, seeds } = job;
  return { prefix: 'orb', begunAt: now, machine, software, userAgent, seeds };
}

function sumOf(a: ExportTold, b: ExportTold): ExportTold {
  const names = Object.keys(a) as (keyof ExportTold)[];
  const sums = names.map((name) => [name, a[name] + b[name]]);
  return Object.fromEntries(sums) as ExportTold;
}
