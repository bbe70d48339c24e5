/**
 * Paginated archives: lists of excerpts, ten a page.
 *
 *   /archive/1 …     by number        /latest/1 …     the same lists under another address
 *
 * Two pages of an archive are different pages in one template; page k of both is one text. An
 * excerpt stands on its article's page as well, which makes neither a copy of the other.
 */
import { Articles } from './articles.ts';
import { pageAnswer } from './layout.ts';
import type { QuarterHost, QuarterOrder } from './quarter.ts';
import { articleHost, eachHost, seedOf } from './site-host.ts';

const EXCERPTS = 10;
const ADDRESSES = ['archive', 'latest'];

export function archiveHosts(order: QuarterOrder): QuarterHost[] {
  const pages = Math.ceil(order.pages / EXCERPTS);
  return eachHost(order, (n) => {
    const seed = seedOf(order, n);
    const entries = ADDRESSES.map((name) => ({ href: `/${name}/1`, text: name }));
    const articles = new Articles({
      ...{ seed, count: order.pages, flat: true },
      extraAt: (article) => (article === 0 ? entries : []),
    });
    const host = articleHost('archive', `archive-${n}`, articles);
    return {
      ...host,
      answer(path, ...rest) {
        const page = pageOf(path, pages);
        return page === undefined
          ? host.answer(path, ...rest)
          : archivePage(articles, page, path, pages);
      },
      labelOf(path) {
        const page = pageOf(path, pages);
        if (page === undefined) return host.labelOf(path);
        return { role: 'honest', text: `archive:${seed}:${page}`, edited: 0 };
      },
      *paths() {
        yield* host.paths();
        for (const name of ADDRESSES) {
          for (let page = 1; page <= pages; page++) yield `/${name}/${page}`;
        }
      },
    };
  });
}

function pageOf(path: string, pages: number): number | undefined {
  const match = /^\/(?:archive|latest)\/([1-9]\d*)$/.exec(path);
  return match !== null && Number(match[1]) <= pages ? Number(match[1]) : undefined;
}

function archivePage(articles: Articles, page: number, path: string, pages: number) {
  const paragraphs: string[] = [];
  for (let n = (page - 1) * EXCERPTS + 1; n <= Math.min(page * EXCERPTS, articles.count); n++) {
    const { title, paragraphs: text } = articles.textOf(n);
    paragraphs.push(`${title}: ${text[0]}`);
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const next = page < pages ? [{ href: `${folder}${page + 1}`, text: 'Older' }] : [];
  return pageAnswer({ title: `Archive ${page}`, paragraphs, links: next, frame: articles.frame });
}
