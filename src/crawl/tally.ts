/** What this run has seen so far, for progress and summary: counts, and the last few pages. */
import type { FetchEvent } from '../events/index.ts';

const RECENT_PAGES = 5;

export class Tally {
  pages = 0;
  bytes = 0;
  readonly statuses: Record<string, number> = {};
  readonly failures: Record<string, number> = {};
  readonly recent: string[] = [];

  note(event: FetchEvent): void {
    if (event.kind === 'page') this.pages++;
    this.bytes += event.bytes;
    if (event.status > 0) count(this.statuses, `${Math.floor(event.status / 100)}xx`);
    const failure = failureOf(event);
    if (failure !== undefined) count(this.failures, failure);
    this.recent.push(event.url);
    if (this.recent.length > RECENT_PAGES) this.recent.shift();
  }

  /** A robots.txt that cannot be read holds its host up; that there is none is no failure. */
  noteRobots(event: FetchEvent): void {
    const failure = failureOf(event);
    const holdsUp = event.status === 0 || event.status === 429 || event.status >= 500;
    if (failure !== undefined && holdsUp) count(this.failures, `robots.txt ${failure}`);
  }
}

function failureOf({ failure, status }: FetchEvent): string | undefined {
  return failure ?? (status >= 400 ? `http ${status}` : undefined);
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
