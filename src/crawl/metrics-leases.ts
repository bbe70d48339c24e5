/**
 * Leases as they were given: how many URLs robots.txt was asked about, and what it said.
 *
 * A URL that is forbidden comes along with the leases, marked: by robots.txt, or with a flag for
 * its record when it is part of a trap.
 */
import type { Lease } from '../frontier/index.ts';

export class LeaseCounts {
  robotsAsked = 0;
  robotsDisallowed = 0;
  trapsSkipped = 0;
  expired = 0;

  take(lease: Lease): void {
    if (lease.kind !== 'page' || lease.aside !== undefined) return;
    this.robotsAsked++;
    if (lease.forbidden === undefined) return;
    if (lease.forbidden.flags === undefined) this.robotsDisallowed++;
    else this.trapsSkipped++;
  }
}
