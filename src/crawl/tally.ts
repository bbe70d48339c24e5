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
    if (event.failure !== undefined) count(this.failures, event.failure);
    else if (event.status >= 400) count(this.failures, `http ${event.status}`);
    this.recent.push(event.url);
    if (this.recent.length > RECENT_PAGES) this.recent.shift();
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
