/** Metrics of a hand that works for other nodes (O1, K3): what came of pages, and the process. */
import { CONTENT_TYPE, counter, expose, gauge, labelled } from '../metrics/index.ts';
import type { Vitals } from '../ports/vitals.ts';
import type { HandCounts, HandSession } from './hand.ts';
import { processFamilies } from './metrics-process.ts';

export function handMetrics(
  hand: { readonly counts: HandCounts; readonly open: number },
  vitals: Vitals,
): HandSession['metrics'] {
  const text = (version: string) =>
    expose([
      counter(
        'orb_hand_pages_total',
        'Of a parser or renderer: pages that it leased, by what became of them.',
        labelled('end', { ...hand.counts }),
      ),
      gauge('orb_hand_pages_open', 'Of such: pages under way.', hand.open),
      ...processFamilies(vitals.read(), version),
    ]);
  return { contentType: CONTENT_TYPE, text };
}
