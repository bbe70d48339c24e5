/** Metrics of a parser that works for other nodes (O1, K3): what came of pages, and the process. */
import { CONTENT_TYPE, counter, expose, gauge, labelled } from '../metrics/index.ts';
import type { Vitals } from '../ports/vitals.ts';
import { processFamilies } from './metrics-process.ts';
import type { Parser, ParserSession } from './parser.ts';

export function parserMetrics(parser: Parser, vitals: Vitals): ParserSession['metrics'] {
  const text = (version: string) =>
    expose([
      counter(
        'orb_parser_pages_total',
        'Pages that were leased and brought back, by what became of them.',
        labelled('end', { ...parser.counts }),
      ),
      gauge(
        'orb_parser_pages_open',
        'Pages that are being read, or are on their way.',
        parser.open,
      ),
      ...processFamilies(vitals.read(), version),
    ]);
  return { contentType: CONTENT_TYPE, text };
}
