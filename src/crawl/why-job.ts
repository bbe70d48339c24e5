/** Whose URL it is, where that says something: it belongs to a job, or all of the crawl is paused. */
import type { Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';
import type { Job } from './job-view.ts';
import { whenText } from './why-text.ts';

export function jobSentences(record: UrlRecord, job: Job | undefined, now: Instant): string[] {
  if (job === undefined) return [];
  const { id, name, pausedAt } = job;
  const isOpen = record.state === 'queued' || record.state === 'retrying';
  const since = isOpen && pausedAt !== undefined ? `paused since ${whenText(pausedAt, now)}` : '';
  const later = 'it is asked when that goes on';
  if (id === 0) return since === '' ? [] : [`The crawl itself is ${since}: ${later}.`];
  const whose = `It belongs to job ${id} (${name})`;
  if (since !== '') return [`${whose}, which is ${since}: ${later}.`];
  const hasEnded = isOpen && (job.state === 'done' || job.state === 'cancelled');
  return [
    hasEnded ? `${whose}, which has ended: it is forgotten when its turn comes.` : `${whose}.`,
  ];
}
