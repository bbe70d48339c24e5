/**
 * Copies as the web has them, each page labelled with the text that it holds (C2).
 *
 *   mirror      a whole host under another name, byte by byte
 *   printer     /print/… of every article: the text without its template
 *   syndicated  three sites, three templates, one agency's texts (0, 1 and 2% edited), and own ones
 *   edited      every text in seven versions: 0, 1, 2, 2.9, 5, 10 and 30% of its words replaced
 *   archive     (archive.ts) lists of excerpts, the same list under two addresses
 */
import { mix } from '../hash.ts';
import { Articles, type Text } from './articles.ts';
import { pageAnswer } from './layout.ts';
import { editedProse, proseOf, titleOf } from './prose.ts';
import type { QuarterHost, QuarterOrder } from './quarter.ts';
import { articleHost, eachHost, seedOf } from './site-host.ts';

export const EDITS = [0, 0.01, 0.02, 0.029, 0.05, 0.1, 0.3] as const;
const SYNDICATED_EDITS = [0, 0.01, 0.02];
const SENTENCES = 40;
const PRINT = '/print';

export function mirrorHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const articles = new Articles({ seed: seedOf(order, n), count: order.pages, flat: true });
    const labels = [`mirror-${n}`, `mirror-${n}-copy`];
    return labels.map((label) => articleHost('mirror', label, articles));
  }).flat();
}

export function printerHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const articles: Articles = new Articles({
      ...{ seed: seedOf(order, n), count: order.pages, flat: true },
      extraAt: (article) =>
        article === 0 ? [] : [{ href: PRINT + articles.pathOf(article), text: 'Print' }],
    });
    const host = articleHost('printer', `printer-${n}`, articles);
    const printed = (path: string) => {
      const place = path.startsWith(`${PRINT}/`)
        ? articles.placeOf(path.slice(PRINT.length))
        : undefined;
      return place?.kind === 'article' && place.n > 0 ? articles.textOf(place.n) : undefined;
    };
    return {
      ...host,
      answer(path, ...rest) {
        const text = printed(path);
        if (text === undefined) return host.answer(path, ...rest);
        return pageAnswer({ ...text, links: [], frame: { ...articles.frame, template: 'print' } });
      },
      labelOf: (path) => printed(path)?.label ?? host.labelOf(path),
      *paths() {
        yield* articles.paths();
        for (let at = 1; at <= articles.count; at++) yield PRINT + articles.pathOf(at);
      },
    };
  });
}

/** Two thirds of each site's articles are the agency's. */
export function syndicatedHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const agency = seedOf(order, n);
    return SYNDICATED_EDITS.map((share, site) => {
      const seed = mix(agency, site + 1);
      const textAt = (article: number): Text =>
        article % 3 === 0
          ? textWith(mix(seed, article), `own:${seed}:${article}`, 0, 0)
          : textWith(mix(agency, article), `agency:${agency}:${article}`, share, site);
      const label = `syndicated-${n}-${'abc'.charAt(site)}`;
      const articles = new Articles({ seed, count: order.pages, flat: true, textAt });
      return articleHost('syndicated', label, articles);
    });
  }).flat();
}

export function editedHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const seed = seedOf(order, n);
    const textAt = (article: number): Text => {
      const base = Math.floor((article - 1) / EDITS.length);
      const share = EDITS[(article - 1) % EDITS.length]!;
      return textWith(mix(seed + 1, base), `edited:${seed}:${base}`, share, article);
    };
    const articles = new Articles({ seed, count: order.pages, flat: true, textAt });
    return articleHost('edited', `edited-${n}`, articles);
  });
}

function textWith(seed: number, text: string, share: number, editor: number): Text {
  const prose = proseOf(seed, SENTENCES);
  const { paragraphs, edited } = editedProse(prose, share, mix(seed, editor));
  return { title: titleOf(seed), paragraphs, label: { role: 'honest', text, edited } };
}
