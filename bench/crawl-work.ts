/**
 * One crawl in a process of its own: opened, run to its end and closed, as `orb crawl` does it.
 *
 * Everything is on: dedup, durable store, bodies compressed and hashed, links and headers kept,
 * events. Time counts from opening the folder until it is closed and synced.
 */

import { openCrawl } from '../src/compose.ts';
import { isRefusal, resolveSettings } from '../src/config/index.ts';
import { watch } from './measure.ts';

export interface CrawlTask {
  readonly dir: string;
  /** The command line after `orb crawl`, seeds included. */
  readonly argv: readonly string[];
}

export interface CrawlFigures {
  readonly end: string;
  readonly pages: number;
  readonly bytes: number;
  readonly known: number;
  readonly failed: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly wallSec: number;
  readonly cpuSec: number;
}

export async function work(task: CrawlTask): Promise<CrawlFigures> {
  const resolved = resolveSettings({ argv: task.argv });
  if (isRefusal(resolved)) throw new Error(resolved.mistakes.map(String).join('\n'));
  const { settings, seeds } = resolved;
  const elapsed = watch();
  const session = await openCrawl({ settings, seeds, dir: task.dir });
  const { end, progress } = await session.run();
  await session.close();
  const { pages, bytes, totals, failures } = progress;
  const { known, failed } = totals;
  return { end, pages, bytes, known, failed, failures, ...elapsed() };
}
