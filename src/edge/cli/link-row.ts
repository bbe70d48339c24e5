/** A link as a row of `orb links`: from where, to where, with which words. */
import type { LinkAnswer } from '../../crawl/answers.ts';
import type { RowShape } from './rows.ts';

export const LINK_ROW: RowShape<LinkAnswer> = {
  text: ({ source, target, text, rel }) =>
    `${source} → ${target}${text === '' ? '' : `  ${text}`}${rel === '' ? '' : `  [${rel}]`}`,
  json: ({ source, target, text, rel, kind }) => ({ source, target, text, rel, kind }),
  columns: ['source', 'target', 'text', 'rel', 'kind'],
  cells: ({ source, target, text, rel, kind }) => [source, target, text, rel, kind],
};
