/**
 * What is said at the end of an export.
 *
 *   Wrote 5,012 responses, 31 revisits and 204 heads without a body to news-warc (2 files, 1.2 GB).
 *   12 pages are only mentioned: their bodies were not kept or are not to be archived.
 */
import type { TableName } from '../../archive/index.ts';
import type { ExportTold, ShelfPlace } from '../../crawl/export/index.ts';
import { formatBytes, formatNumber, safeText } from './format.ts';

export interface ArchiveTold {
  readonly told: ExportTold;
  readonly files: readonly ShelfPlace[];
}

export function archiveText({ told, files }: ArchiveTold, path: string): string {
  const parts = [
    counted(told.whole, 'response'),
    ...(told.repeated > 0 ? [counted(told.repeated, 'revisit')] : []),
    ...(told.head > 0 ? [`${counted(told.head, 'head')} without a body`] : []),
  ];
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const size = `${counted(files.length, 'file')}, ${formatBytes(bytes)}`;
  const lines = [`Wrote ${listed(parts)} to ${safeText(path, 200)} (${size}).`];
  if (told.absent > 0) {
    const are =
      told.absent === 1
        ? 'is only mentioned: its body was'
        : 'are only mentioned: their bodies were';
    lines.push(`${counted(told.absent, 'page')} ${are} not kept, or not to be archived.`);
  }
  if (told.damaged > 0) {
    lines.push(
      `${counted(told.damaged, 'body', 'bodies')} could not be read: the store is damaged there.`,
    );
  }
  return lines.join('\n');
}

export function tableText(rows: number, what: TableName, path: string): string {
  const one = what.slice(0, -1);
  return `Wrote ${counted(rows, one)} to ${safeText(path, 200)}.`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
