/**
 * The forms of an export, and where each goes when nothing else is said.
 *
 *   warc, cdxj   a folder     NAME-warc          wacz      a file   NAME.wacz
 *   jsonl, csv   stdout                          parquet   a file   NAME-pages.parquet
 *   markdown     a folder     NAME-markdown
 *
 * NAME is the last part of the crawl folder's own.
 */
import type { TableName } from '../../archive/index.ts';
import { type Mistake, nearest } from '../../config/index.ts';
import { safeText } from './format.ts';

export const ARCHIVE_FORMS = ['warc', 'cdxj', 'wacz'] as const;
export const TABLE_FORMS = ['jsonl', 'csv', 'parquet'] as const;
export type ArchiveForm = (typeof ARCHIVE_FORMS)[number];
export type TableForm = (typeof TABLE_FORMS)[number];

export const MARKDOWN_FORM = 'markdown';

const FORMS: readonly string[] = [...ARCHIVE_FORMS, ...TABLE_FORMS, MARKDOWN_FORM];

export function isArchiveForm(form: string): form is ArchiveForm {
  return (ARCHIVE_FORMS as readonly string[]).includes(form);
}

export function isTableForm(form: string): form is TableForm {
  return (TABLE_FORMS as readonly string[]).includes(form);
}

export function unknownForm(form: string): Mistake {
  const near = nearest(form, FORMS);
  const meant = near === undefined ? '' : `Did you mean ${near}? `;
  return {
    code: 'E_USAGE',
    message: `orb export has no form '${safeText(form, 60)}'.`,
    hint: `${meant}The forms are ${FORMS.join(', ')}.`,
  };
}

export function markdownFolder(dir: string, given: string | undefined): string {
  return given ?? `${nameOf(dir)}-markdown`;
}

export function archivePath(form: ArchiveForm, dir: string, given: string | undefined): string {
  return given ?? (form === 'wacz' ? `${nameOf(dir)}.wacz` : `${nameOf(dir)}-warc`);
}

/** Undefined is stdout. */
export function tablePath(
  form: TableForm,
  what: TableName,
  dir: string,
  given: string | undefined,
): string | undefined {
  if (given !== undefined) return given === '-' ? undefined : given;
  return form === 'parquet' ? `${nameOf(dir)}-${what}.parquet` : undefined;
}

function nameOf(dir: string): string {
  const last = dir.split(/[\\/]+/).findLast((part) => part !== '' && part !== '.') ?? '';
  return /^\.*$/.test(last) ? 'crawl' : last;
}
