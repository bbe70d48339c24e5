/**
 * Links to a page. No index leads from a page to those that name it; what is known for certain
 * is the page that named it first. The others are looked for among the pages of its own host,
 * some of them at a time.
 */
import { FLAGS, type LinkEdge, type UrlKey, type UrlRecord } from '../record/index.ts';
import { hostOf } from '../url/index.ts';
import { firstKeyOf, HOST_BYTES } from './ask-pages.ts';
import type { AnswerSources } from './ask-sources.ts';

const PAGES_PER_LOOK = 100;
/** Pages whose links one slice may read, and links that are enough for one. */
const PAGES_PER_SLICE = 500;
const LINKS_PER_SLICE = 20;

export interface LinkIn extends Omit<LinkEdge, 'target'> {
  readonly source: string;
  /** Led here first. */
  readonly isFirst: boolean;
}

export interface LinksIn {
  readonly rows: readonly LinkIn[];
  /** Pages whose links were read for this slice. */
  readonly looked: number;
  readonly next: UrlKey | undefined;
}

type Sources = Pick<AnswerSources, 'store' | 'records'>;

export async function linksInto(
  sources: Sources,
  url: string,
  parent: Uint8Array,
  given: UrlKey | undefined,
): Promise<LinksIn> {
  const rows = given === undefined ? await firstLink(sources, url, parent) : [];
  const start = firstKeyOf(hostOf(url));
  let after = given ?? start;
  let looked = 0;
  while (looked < PAGES_PER_SLICE) {
    const pages = await sources.records.visited(after, PAGES_PER_LOOK);
    for (const { key, record, links } of pages) {
      if (key.compare(start, 0, HOST_BYTES, 0, HOST_BYTES) !== 0) {
        return { rows, looked, next: undefined };
      }
      looked++;
      after = key;
      if (key.equals(parent) || isErased(record)) continue;
      const link = links.find(({ target }) => target === url);
      if (link !== undefined) rows.push(linkIn(record.url, link, false));
      if (rows.length >= LINKS_PER_SLICE) return { rows, looked, next: key };
    }
    if (pages.length < PAGES_PER_LOOK) return { rows, looked, next: undefined };
  }
  return { rows, looked, next: after };
}

async function firstLink(
  { store, records }: Sources,
  url: string,
  parent: Uint8Array,
): Promise<LinkIn[]> {
  if (parent.length === 0) return [];
  const key = Buffer.from(parent);
  const [page] = await store.urls([key]);
  if (page === undefined || isErased(page)) return [];
  const link = (await records.trace(key))?.links.find(({ target }) => target === url);
  const kind = page.redirectTo === url ? 'redirect' : '';
  const unsaid: LinkEdge = { target: url, text: '', rel: '', kind };
  return [linkIn(page.url, link ?? unsaid, true)];
}

/** What was erased is in no list (G2). */
function isErased({ flags }: UrlRecord): boolean {
  return (flags & FLAGS.erased) !== 0;
}

function linkIn(source: string, { target: _target, ...link }: LinkEdge, isFirst: boolean): LinkIn {
  return { source, ...link, isFirst };
}
