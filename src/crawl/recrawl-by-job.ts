/**
 * Pages of a cluster that a command wants again (T4): a command owns no arcs, so it may not make
 * them due itself. It writes a job into the book, as a node does that is asked, and hands the URLs
 * to their owners; those find the job, and that it wants pages anew (job-shared.ts).
 *
 * When it resolves, the URLs are in the broker's log: whoever owns the arcs, now or after the next
 * start, asks for them at their hosts' turns.
 */
import type { Mention } from '../events/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { JobBook, JobEntry } from '../ports/job-book.ts';
import { SEED_PRIORITY } from '../quality/index.ts';
import { seedMention } from './admit.ts';

export interface ByJobPorts {
  readonly book: JobBook;
  readonly hand: (mentions: readonly Mention[]) => Promise<void>;
  readonly clock: Clock;
}

export async function askByJob(ports: ByJobPorts, urls: readonly string[]): Promise<JobEntry> {
  const { book, hand, clock } = ports;
  const entry = await opened(ports, urls.length);
  // Before anything of it is sent: whoever has read the book after that knows its scope.
  await book.addSeeds(entry.id, urls);
  const { high } = SEED_PRIORITY;
  await hand(urls.map((url) => seedMention(url, 'page', high, entry.id)));
  const counts = { queued: urls.length, known: 0, refusedCount: 0, refused: [] };
  const told = { ...entry, receipt: { ...counts, startAt: clock.now() } };
  await book.put(told);
  return told;
}

/** Others open jobs at the same instant. */
async function opened({ book, clock }: ByJobPorts, seeds: number): Promise<JobEntry> {
  const jobs = await book.all();
  const scope = jobs.find(({ id }) => id === 0)?.scope ?? 'host';
  const facts = { name: 'asked again', createdAt: clock.now(), seeds, scope };
  for (let id = Math.max(0, ...jobs.map((job) => job.id)) + 1; ; id++) {
    const entry: JobEntry = { id, ...facts, priority: 'high', depth: 0, ttlHours: 0 };
    if (await book.open(entry)) return entry;
  }
}
