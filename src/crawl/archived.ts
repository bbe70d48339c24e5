/**
 * What a visit gives to the archive, where one is written (B6): the request, the answer as it
 * came, and what the visit made of it.
 *
 * The body is looked after before the page is read: reading may move it to another thread. Where
 * it is not under an encoding, the bytes that reading gives back are the same, and their hash is
 * known; else they are copied.
 */
import type { Exchanged } from '../archive/index.ts';
import { aboutPage, withheldFor } from '../archive/warc-capture.ts';
import type { Digest } from '../content/index.ts';
import type { Answered, Outcome, Validators } from '../fetch/index.ts';
import type { Body } from '../ports/blob-store.ts';
import type { UrlRecord } from '../record/index.ts';
import type { Walk } from './context.ts';

/** To be called before the body is read; undefined when nobody will ask for it. */
export function keepSent(outcome: Outcome, { rules }: Walk): Uint8Array | undefined {
  if (!rules.archives || outcome.kind !== 'answered') return undefined;
  const { body, headers } = outcome;
  const isSame = !headers['content-encoding'] && body.length <= rules.decodedBytesMax;
  return isSame ? undefined : Buffer.from(body);
}

export interface ArchivedVisit {
  readonly outcome: Outcome;
  readonly digest: Digest | undefined;
  readonly record: UrlRecord;
  readonly before: UrlRecord | undefined;
  /** The body as it was sent, and the picture that was taken, if one was. */
  readonly rendering?: { readonly bodies: readonly Body[] };
}

export function archivedPage(
  { outcome, digest, record, before, rendering }: ArchivedVisit,
  sent: Uint8Array | undefined,
  validators: Validators | undefined,
  walk: Walk,
): { readonly archived?: Exchanged } {
  if (!walk.rules.archives || outcome.kind !== 'answered') return {};
  const withheld = withheldFor(record);
  const read = sent === undefined && digest !== undefined ? digest : undefined;
  const picture = rendering?.bodies[1]?.bytes;
  const archived = {
    ...exchangedOf(record.url, outcome, read?.body ?? sent ?? outcome.body, validators, walk),
    about: { kind: record.kind === 'page' ? undefined : record.kind, ...aboutPage(record) },
    ...(read && read.contentHash.length > 0 && { bodyHash: read.contentHash }),
    ...(withheld !== undefined && { withheld }),
    parent: record.parent,
    outlinks: { redirectTo: record.redirectTo },
    ...(picture && { picture }),
    ...namesOf(outcome, digest),
    ...(before && { before: before.lastChangedAt || before.lastFetchedAt }),
    ...(before && before.contentHash.length > 0 && { beforeHash: before.contentHash }),
  };
  return { archived };
}

/** What a 304 will tell of it, where one may come and the body says something else by itself. */
function namesOf({ headers }: Answered, digest: Digest | undefined) {
  const isAskable = headers.etag !== undefined || headers['last-modified'] !== undefined;
  const isPacked = headers['content-encoding'] !== undefined;
  if (!isAskable || !isPacked || !digest || digest.contentHash.length === 0) return undefined;
  return { contentHash: digest.contentHash };
}

/** What is asked for besides pages: a robots.txt, or what a page needed to be rendered. */
export function archivedAside(
  kind: 'robots' | 'asset',
  url: string,
  outcome: Outcome,
  walk: Walk,
): { readonly archived?: Exchanged } {
  if (!walk.rules.archives || outcome.kind !== 'answered') return {};
  const exchanged = exchangedOf(url, outcome, outcome.body, undefined, walk);
  return { archived: { ...exchanged, about: { kind } } };
}

/** Secrets go to no origin that has no name. */
function exchangedOf(
  url: string,
  outcome: Answered,
  body: Uint8Array,
  validators: Validators | undefined,
  { rules }: Walk,
) {
  const { body: _, ...answer } = outcome;
  return { url, answer, body, asked: rules.headersOf('', validators) };
}
