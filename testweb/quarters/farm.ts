/**
 * Hosts that look alike and are not:
 *
 *   farm       hundreds of pages from one text with 1% of the words replaced (C4)
 *   template   honest: 250 words of template on every page, and a short text of its own
 *   single     honest: a host that is one page, and so 100% one body
 */
import { mix } from '../hash.ts';
import { Articles, type Text } from './articles.ts';
import { editedProse, proseOf, titleOf } from './prose.ts';
import type { QuarterHost, QuarterOrder } from './quarter.ts';
import { articleHost, eachHost, seedOf } from './site-host.ts';

const FARM_SENTENCES = 40;
const FARM_EDIT = 0.01;

export function farmHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const seed = seedOf(order, n);
    const prose = proseOf(seed, FARM_SENTENCES);
    const textAt = (article: number): Text => {
      const { paragraphs, edited } = editedProse(prose, FARM_EDIT, mix(seed, article));
      const label = { role: 'farm', text: `farm:${seed}`, edited } as const;
      return { title: titleOf(mix(seed, article)), paragraphs, label };
    };
    const articles = new Articles({ seed, count: order.pages, flat: true, textAt });
    return articleHost('farm', `farm-${n}`, articles);
  });
}

export function templateHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const shared = { flat: true, sentences: 5, boilerplateWords: 250 };
    const articles = new Articles({ seed: seedOf(order, n), count: order.pages, ...shared });
    return articleHost('template', `template-${n}`, articles);
  });
}

export function singleHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const articles = new Articles({ seed: seedOf(order, n), count: 0 });
    return articleHost('single', `single-${n}`, articles);
  });
}
