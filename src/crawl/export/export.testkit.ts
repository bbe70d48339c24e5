/** A crawl for tests of exports: pages with bodies, headers and flags, as its answers tell them. */
import { createHash } from 'node:crypto';
import { MemoryNewFiles } from '../../adapters/memory/new-files.ts';
import type { Capture } from '../../archive/index.ts';
import { blankRecord, NO_BYTES, type UrlRecord } from '../../record/index.ts';
import type { Answers } from '../answers.ts';
import type { ArchiveJob } from './wacz.ts';

export const NOW = Date.UTC(2026, 0, 31, 12);

export interface GivenPage {
  readonly url: string;
  readonly body?: string | Uint8Array;
  readonly record?: Partial<UrlRecord>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its hash is known, its body is not there. */
  readonly isLost?: boolean;
}

const ASKED = { 'user-agent': 'Orbweaver/9.9.9' };

export function captureFrom({ url, body, record, headers }: GivenPage): Capture {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const contentHash = bytes === undefined ? NO_BYTES : createHash('sha256').update(bytes).digest();
  const fetched = { state: 'indexed', httpStatus: 200, lastFetchedAt: NOW - 5_000 } as const;
  const facts = { contentHash, bodyBytes: bytes?.length ?? 0, contentType: 'text/html' };
  return {
    record: { ...blankRecord(url, NOW - 9_000), ...fetched, ...facts, ...record },
    headers: headers ?? { 'content-type': 'text/html; charset=utf-8' },
    asked: ASKED,
  };
}

export function bodiesOf(pages: readonly GivenPage[]): Answers['body'] {
  const bodies = new Map(pages.map((page) => [page.url, page]));
  return async (url) => {
    const page = bodies.get(url);
    return page?.body === undefined || page.isLost ? undefined : Buffer.from(page.body);
  };
}

export async function* each<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items;
}

export function jobOf(pages: readonly GivenPage[], more: Partial<ArchiveJob> = {}): ArchiveJob {
  return {
    answers: { body: bodiesOf(pages) } as unknown as Answers,
    captures: each(pages.map(captureFrom)),
    files: new MemoryNewFiles(),
    now: NOW,
    ...{ machine: 'here.test', software: 'Orbweaver/9.9.9', userAgent: ASKED['user-agent'] },
    ...{ seeds: ['https://example.com/'], title: 'A crawl', signal: new AbortController().signal },
    ...more,
  };
}
