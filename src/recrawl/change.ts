/**
 * What became of a page since an instant, or from one crawl to another (B7).
 *
 *   new      it was not there before              gone    404, 410, 451, or not found any more
 *   changed  its text is another, beyond noise    moved   it leads elsewhere now
 *
 * A page that is gone while its very text is new under another URL has moved, too: that takes a
 * look at all of them (../crawl/changes.ts).
 */
import type { Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';
import { isSameButNoise } from './noise.ts';

export type ChangeKind = 'new' | 'changed' | 'gone' | 'moved';

export interface Change {
  readonly change: ChangeKind;
  readonly url: string;
  /** When it was found; 0 when nobody can say. */
  readonly at: Instant;
  /** Where it is now; empty when it has not moved. */
  readonly to: string;
  readonly title: string;
  readonly status: number;
  /** Of the text that it has, or had: the same text elsewhere is where it went. */
  readonly contentHash: Uint8Array;
}

/** Undefined when nothing happened to it since. */
export function changeSince(record: UrlRecord, since: Instant): Change | undefined {
  const { visits, changes, lastChangedAt, firstSeenAt, state } = record;
  if (record.kind !== 'page' || visits === 0 || lastChangedAt <= since) return undefined;
  if (state === 'dead') return firstSeenAt > since ? undefined : toldOf('gone', record);
  if (state !== 'indexed') return undefined;
  const isNew = firstSeenAt > since || changes === 0;
  if (record.redirectTo !== '') return isNew ? undefined : toldOf('moved', record);
  return toldOf(isNew ? 'new' : 'changed', record);
}

/** The same URL in two crawls; undefined on one side: that crawl does not know it. */
export function changeBetween(
  before: UrlRecord | undefined,
  after: UrlRecord | undefined,
): Change | undefined {
  const [was, is] = [pageIn(before), pageIn(after)];
  if (was === undefined) return is && is.redirectTo === '' ? toldOf('new', is) : undefined;
  if (is === undefined) return wentAway(was, after);
  if (is.redirectTo !== '') return was.redirectTo === '' ? toldOf('moved', is) : undefined;
  if (was.redirectTo !== '') return toldOf('new', is);
  const isSame = Buffer.compare(was.contentHash, is.contentHash) === 0;
  const isQuiet = isSame || isSameButNoise(was, is);
  return isQuiet ? undefined : toldOf('changed', is);
}

/** A page that only failed, or waits, is not gone. */
function wentAway(was: UrlRecord, after: UrlRecord | undefined): Change | undefined {
  if (was.redirectTo !== '') return undefined;
  if (after === undefined) return { ...toldOf('gone', was), at: 0, status: 0 };
  if (after.state !== 'dead') return undefined;
  return { ...toldOf('gone', after), title: was.title, contentHash: was.contentHash };
}

function pageIn(record: UrlRecord | undefined): UrlRecord | undefined {
  return record?.state === 'indexed' && record.kind === 'page' ? record : undefined;
}

function toldOf(change: ChangeKind, record: UrlRecord): Change {
  const { url, lastChangedAt: at, redirectTo: to, title, httpStatus: status, contentHash } = record;
  return { change, url, at, to, title, status, contentHash };
}
