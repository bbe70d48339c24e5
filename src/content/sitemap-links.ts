/**
 * The links of a sitemap or feed, as columns beside those of a page (links.ts), and when the
 * site says that each of them last changed (T3).
 *
 * A `lastmod` is a claim, kept as an instant and nothing more: what is believed of it is
 * decided where the URL's own last visit is known (../recrawl/hint.ts).
 */
import { parseSitemap } from '../page/index.ts';
import type { SitemapUrl } from '../page/sitemap-entry.ts';
import { parseLooseDate } from '../robots/date.ts';
import { canonicalize } from '../url/index.ts';

export interface SitemapLinks {
  /** Sitemaps first, then pages; each once. */
  readonly targets: readonly string[];
  readonly texts: string;
  readonly kinds: Readonly<Record<number, string>>;
  readonly contexts: Uint8Array;
  readonly sitemaps: number;
  /** By the link's index: when it last changed, 0 when unsaid; empty when no link says so. */
  readonly lastmods: Float64Array;
  readonly trouble: string;
}

export const NO_LASTMODS: Float64Array = new Float64Array(0);

export function sitemapLinks(body: Uint8Array, url: string, context: number): SitemapLinks {
  const map = parseSitemap(body, url);
  const maps = changedAtByUrl(map.index, url);
  const pages = changedAtByUrl(map.urls, url);
  const targets = [...maps.keys(), ...pages.keys()];
  const lastmods = Float64Array.from([...maps.values(), ...pages.values()]);
  return {
    targets,
    texts: '\n'.repeat(Math.max(0, targets.length - 1)),
    kinds: Object.fromEntries(targets.map((_, i) => [i, 'sitemap'])),
    contexts: new Uint8Array(targets.length).fill(context),
    sitemaps: maps.size,
    lastmods: lastmods.some((at) => at > 0) ? lastmods : NO_LASTMODS,
    trouble: map.flaw === undefined ? '' : `sitemap: ${map.flaw}`,
  };
}

/** A URL that stands there twice changed when the later of the two says. */
function changedAtByUrl(entries: readonly SitemapUrl[], base: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const { loc, lastmod } of entries) {
    const url = canonicalize(loc, base);
    if (url === undefined) continue;
    const at = lastmod === undefined ? 0 : (parseLooseDate(lastmod) ?? 0);
    found.set(url, Math.max(at, found.get(url) ?? 0));
  }
  return found;
}
