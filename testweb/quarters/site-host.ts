/** A host whose pages are articles and nothing else; the simplest member of a quarter. */
import type { WebAnswer } from '../exchange.ts';
import { mix } from '../hash.ts';
import type { Articles } from './articles.ts';
import { notFound } from './layout.ts';
import { textHash } from './prose.ts';
import type { QuarterHost, QuarterName, QuarterOrder } from './quarter.ts';

export function articleHost(kind: QuarterName, label: string, articles: Articles): QuarterHost {
  return {
    ...{ kind, label, popular: false },
    answer(path): WebAnswer {
      const place = articles.placeOf(path);
      return place === undefined ? notFound() : articles.answer(place);
    },
    labelOf(path) {
      const place = articles.placeOf(path);
      return place === undefined ? undefined : articles.labelOf(place);
    },
    paths: () => articles.paths(),
  };
}

/** The seed of host n (from 1) of an order. */
export function seedOf(order: QuarterOrder, n: number): number {
  return mix(mix(order.seed, textHash(order.kind)), n);
}

/** One host a number, 1 to `order.hosts`. */
export function eachHost<T>(order: QuarterOrder, make: (n: number) => T): T[] {
  return Array.from({ length: order.hosts }, (_, at) => make(at + 1));
}
