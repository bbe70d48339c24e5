/**
 * What a WACZ 1.1.1 holds besides WARC files: the list of pages for people, and the package
 * that names every file with its size and hash.
 *
 *   archive/*.warc.gz   indexes/index.cdx.gz, index.idx   pages/pages.jsonl
 *   datapackage.json    datapackage-digest.json
 */
import { createHash } from 'node:crypto';
import type { Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';
import { capturedAt } from './capture.ts';
import { sha256Of, warcDate } from './warc-record.ts';

export const PAGES_HEAD = `${JSON.stringify({
  ...{ format: 'json-pages-1.0', id: 'pages', title: 'All Pages', hasText: false },
})}\n`;

/** Only what a person would open: a page of text that was answered well. */
export function isOpenable({ httpStatus, contentType, kind }: UrlRecord): boolean {
  return kind === 'page' && httpStatus === 200 && isOpenableType(contentType);
}

export function isOpenableType(mediaType: string): boolean {
  return /^(?:text\/(?:html|plain|markdown)|application\/(?:xhtml\+xml|pdf))$/.test(mediaType);
}

export function pageLine(record: UrlRecord): string {
  const { url, title, bodyBytes, depth } = record;
  return pageText(url, capturedAt(record), title, bodyBytes, depth === 0);
}

export function pageText(
  url: string,
  at: Instant,
  title: string,
  size: number,
  isSeed: boolean,
): string {
  const ts = warcDate(at);
  const id = createHash('sha256').update(`${url}\n${ts}`).digest('hex').slice(0, 32);
  const seed = isSeed ? { seed: true } : {};
  return `${JSON.stringify({ id, url, ts, title: title || url, size, ...seed })}\n`;
}

export interface WaczFile {
  readonly path: string;
  readonly bytes: number;
  /** `sha256:` and hex. */
  readonly hash: string;
}

export interface WaczFacts {
  readonly title: string;
  readonly createdAt: Instant;
  readonly software: string;
  readonly mainPageUrl?: string | undefined;
}

export function datapackage(files: readonly WaczFile[], facts: WaczFacts): Buffer {
  const { title, createdAt, software, mainPageUrl } = facts;
  const resources = files.map(({ path, hash, bytes }) => {
    const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    return { name, path, hash, bytes };
  });
  const created = warcDate(createdAt);
  const about = { profile: 'data-package', wacz_version: '1.1.1', title, created, software };
  const json = { ...about, ...(mainPageUrl && { mainPageUrl }), resources };
  return Buffer.from(`${JSON.stringify(json, undefined, 2)}\n`);
}

export function datapackageDigest(packageBytes: Uint8Array): Buffer {
  const json = { path: 'datapackage.json', hash: sha256Of(packageBytes) };
  return Buffer.from(`${JSON.stringify(json, undefined, 2)}\n`);
}
