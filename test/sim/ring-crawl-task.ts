/**
 * A crawl as it is asked of another process, and what that answers.
 */
import { BUGS } from './ring-crawl-bugs.ts';
import { type Mode, ringCrawl } from './ring-crawl-once.ts';
import { type CrawlFigures, figuresOf } from './ring-crawl-sum.ts';

export interface CrawlTask {
  readonly nodes: number;
  readonly seed: string;
  readonly mode: Mode;
  /** The name of a planted one. */
  readonly bug?: string;
}

export type TaskDone = CrawlFigures | { readonly error: string };

export function doTask({ nodes, seed, mode, bug: name = '' }: CrawlTask): TaskDone {
  const bug = BUGS[name];
  try {
    return figuresOf(seed, ringCrawl({ nodes, seed, mode, ...(bug === undefined ? {} : { bug }) }));
  } catch (error) {
    return { error: error instanceof Error ? `${error.stack}` : `${error}` };
  }
}
