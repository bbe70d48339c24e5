/**
 * Metrics: numbers that others come and read, in the Prometheus text format.
 *
 *   family.ts      a named number with its help: counter, gauge or histogram
 *   counts.ts      a count for each of a closed set of words
 *   histogram.ts   how many were at most so large
 *   text.ts        families as text, one line a sample; nothing in a label can end its line
 *
 * A count is a plain number that whoever counts adds to; text is made when somebody asks.
 * Not here: what of a crawl is measured (../crawl/metrics.ts).
 */
export { type Counts, count, counts, labelled, OTHER } from './counts.ts';
export {
  counter,
  type Family,
  gauge,
  histogram,
  type Labels,
  type Sample,
} from './family.ts';
export { bounds, Histogram } from './histogram.ts';
export { CONTENT_TYPE, expose } from './text.ts';
