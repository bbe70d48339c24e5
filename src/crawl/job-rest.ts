/** The jobs of a folder at rest: they can be looked at, and wait for a crawl to go on with. */
import { CrawlError } from '../base/errors.ts';
import type { JobEntry } from '../ports/job-book.ts';
import type { JobBoard } from './job-board.ts';
import { type JobAct, jobView } from './job-view.ts';
import type { Jobs } from './jobs.ts';

export function restingJobs(board: JobBoard, dir: string): Pick<Jobs, 'list' | 'one' | 'steer'> {
  const view = (entry: JobEntry) => jobView(entry, board.countsOf(entry.id), board.endOf(entry.id));
  return {
    list: () => board.all().map(view),
    one: (id) => {
      const entry = board.get(id);
      return entry && view(entry);
    },
    steer: (_: number, act: JobAct) => Promise.reject(notRunning(act, dir)),
  };
}

function notRunning(act: JobAct, dir: string): CrawlError {
  const hint = `Begin to serve it first: orb serve --dir ${dir}`;
  return new CrawlError('E_USAGE', `No crawl runs in ${dir}: there is nothing to ${act}.`, hint);
}
