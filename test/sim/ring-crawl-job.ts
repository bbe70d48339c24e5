/**
 * A process that does one crawl after the other for ring-crawl-jobs.ts, and ends with it.
 */
import { type CrawlTask, doTask } from './ring-crawl-task.ts';

process.on('message', (task: CrawlTask) => {
  process.send?.(doTask(task));
});
