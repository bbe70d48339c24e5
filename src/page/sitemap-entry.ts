/**
 * One entry of a sitemap or feed: from the texts that were read to what is handed out.
 *
 * Addresses are made absolute here and only http(s) ones are kept; a page is not refused
 * because one of its pictures has a bad address.
 */
export interface SitemapUrl {
  /** Absolute; as written where it was absolute already. */
  readonly loc: string;
  /** As written, W3C date or RFC 822; for whoever needs an instant to parse. */
  readonly lastmod?: string;
  readonly changefreq?: string;
  /** Between 0 and 1. */
  readonly priority?: number;
  readonly alternates?: readonly Alternate[];
  readonly images?: readonly string[];
  readonly videos?: readonly string[];
  readonly news?: { readonly title?: string; readonly publishedAt?: string };
}

export interface Alternate {
  readonly href: string;
  readonly hreflang?: string;
}

export type Field =
  | 'loc'
  | 'guid'
  | 'lastmod'
  | 'published'
  | 'changefreq'
  | 'priority'
  | ExtraField;
type ExtraField = 'image' | 'video' | 'newsTitle' | 'newsDate';
/** An entry as it is being read: texts as they stood, nothing resolved. */
export type Draft = Partial<Record<Field, string>> & {
  alternates?: Alternate[];
  images?: string[];
  videos?: string[];
};

/** Pictures, films and translations of one page. */
const EXTRAS_MAX = 1_000;

export function pushTo<K extends 'images' | 'videos' | 'alternates'>(
  draft: Draft,
  list: K,
  item: NonNullable<Draft[K]>[number],
): void {
  const items: (string | Alternate)[] = draft[list] ?? [];
  if (items.length < EXTRAS_MAX) items.push(item);
  draft[list] = items as Draft[K];
}

/** A guid is an address only when it looks like one, whatever `isPermaLink` says. */
export function permalink(guid: string | undefined): string {
  return guid !== undefined && /^https?:\/\//i.test(guid) ? guid : '';
}

/** Only http and https; kept as written when it was absolute, for the canonicaliser to judge. */
export function absolute(href: string, base: string): string | undefined {
  if (href === '') return undefined;
  if (/^https?:\/\/\S+$/i.test(href)) return URL.canParse(href) ? href : undefined;
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

export function entryOf(loc: string, draft: Draft, base: string): SitemapUrl {
  const lastmod = draft.lastmod ?? draft.published;
  const priority = draft.priority === undefined ? Number.NaN : Number(draft.priority);
  const alternates = draft.alternates?.flatMap((alternate) => {
    const href = absolute(alternate.href.trim(), base);
    return href === undefined ? [] : [{ ...alternate, href }];
  });
  return {
    loc,
    ...(lastmod === undefined ? {} : { lastmod }),
    ...(draft.changefreq === undefined ? {} : { changefreq: draft.changefreq.toLowerCase() }),
    ...(priority >= 0 && priority <= 1 ? { priority } : {}),
    ...(alternates === undefined ? {} : { alternates }),
    ...resolvedList('images', draft.images, base),
    ...resolvedList('videos', draft.videos, base),
    ...newsOf(draft),
  };
}

function resolvedList(key: 'images' | 'videos', hrefs: string[] | undefined, base: string): object {
  if (hrefs === undefined) return {};
  return { [key]: hrefs.map((href) => absolute(href, base)).filter((url) => url !== undefined) };
}

function newsOf(draft: Draft): object {
  const { newsTitle: title, newsDate: publishedAt } = draft;
  if (title === undefined && publishedAt === undefined) return {};
  const news = {
    ...(title === undefined ? {} : { title }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
  };
  return { news };
}
