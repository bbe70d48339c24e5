/**
 * Politeness, proved from the crawl's own log (P7): add every event, then ask for the report.
 *
 *   request A            first byte       end            request B
 *   ──startedAt─────────answeredAt───────endedAt─────────startedAt──▶
 *      │                    └──────── gap, owed: A's delayMs ──┤
 *      └───────────────────── start gap ───────────────────────┤
 *
 * A violation is a gap shorter than what the host was owed, or a request that began before the
 * last one had ended. Where nothing is owed (`--rate max` on one's own machines) there is nothing
 * to violate. What never reached a host (its name was not found, its address may not be asked)
 * is left out; robots.txt counts like a page. An event that is told twice counts once.
 *
 * Memory: a fixed number of bytes a host, whatever the number of events.
 */
import type { Instant } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';

export interface HostAudit {
  readonly host: string;
  readonly requests: number;
  /** Smallest pause from an answer to the next request, of those that something was owed for. */
  readonly smallestGapMs: number | undefined;
  /** What was owed at that smallest gap. */
  readonly owedMs: number;
  /** Smallest time from the start of one request to the start of the next. */
  readonly smallestStartGapMs: number | undefined;
  /** Most requests begun within any ten seconds. */
  readonly mostInWindow: number;
  readonly violations: number;
  /** The first violation, for whoever wants to look. */
  readonly firstViolation?: string;
}

export const AUDIT_WINDOW_MS = 10_000;
/** Starts kept for the window; more than this within ten seconds is counted by fixed windows. */
const STARTS_KEPT = 32;
/** Sums of instants near 2^41 ms are exact to a four-thousandth of a millisecond. */
const ROUNDING_MS = 0.01;
const NEVER_SENT: ReadonlySet<string> = new Set(['dns', 'refused']);

export class PolitenessAuditor {
  readonly #hosts = new Map<string, HostLedger>();
  #requests = 0;
  #violations = 0;

  add(event: FetchEvent): void {
    if (event.failure !== undefined && NEVER_SENT.has(event.failure)) return;
    let ledger = this.#hosts.get(event.host);
    if (ledger === undefined) {
      ledger = new HostLedger(event.host);
      this.#hosts.set(event.host, ledger);
    }
    const before = ledger.violations;
    if (!ledger.add(event)) return;
    this.#requests++;
    this.#violations += ledger.violations - before;
  }

  /** The worst hosts first: violations, then the gap that was tightest for what was owed. */
  report(limit = Number.POSITIVE_INFINITY): {
    readonly requests: number;
    readonly hostCount: number;
    readonly violations: number;
    readonly hosts: readonly HostAudit[];
  } {
    const ledgers = [...this.#hosts.values()].sort(
      (a, b) => b.violations - a.violations || a.slack - b.slack || (a.host < b.host ? -1 : 1),
    );
    return {
      requests: this.#requests,
      hostCount: ledgers.length,
      violations: this.#violations,
      hosts: ledgers.slice(0, limit).map((ledger) => ledger.report()),
    };
  }
}

/** The part of an event that the next one is measured by. */
type Request = Pick<FetchEvent, 'id' | 'startedAt' | 'answeredAt' | 'delayMs'>;

class HostLedger {
  readonly host: string;
  violations = 0;
  /** Gap less debt, at its tightest. */
  slack: number = Number.POSITIVE_INFINITY;
  #requests = 0;
  #smallestGap: number | undefined;
  #owedThen = 0;
  #smallestStartGap: number | undefined;
  #firstViolation: string | undefined;
  #last: Request | undefined;
  /** The last to end: with several at a time that need not be the last to begin. */
  #endedAt: Instant = 0;
  readonly #starts: Instant[] = [];
  #fixedWindow = 0;
  #inFixedWindow = 0;
  #mostInWindow = 0;

  constructor(host: string) {
    this.host = host;
  }

  /** False for an event that was told before. */
  add(event: FetchEvent): boolean {
    const last = this.#last;
    if (last?.id === event.id) return false;
    // A log that was told again after a crash repeats what came just before.
    if (this.#starts.includes(event.startedAt)) return false;
    this.#requests++;
    this.#countWindow(event.startedAt);
    if (last !== undefined) this.#compare(last, event);
    const { id, startedAt, answeredAt, delayMs } = event;
    this.#last = { id, startedAt, answeredAt, delayMs };
    this.#endedAt = Math.max(this.#endedAt, event.endedAt);
    return true;
  }

  #compare(last: Request, next: FetchEvent): void {
    const startGap = next.startedAt - last.startedAt;
    if (startGap >= 0 && startGap < (this.#smallestStartGap ?? Number.POSITIVE_INFINITY)) {
      this.#smallestStartGap = startGap;
    }
    const owed = last.delayMs;
    if (owed <= 0) return;
    const gap = next.startedAt - last.answeredAt;
    if (gap < (this.#smallestGap ?? Number.POSITIVE_INFINITY)) {
      this.#smallestGap = gap;
      this.#owedThen = owed;
    }
    this.slack = Math.min(this.slack, gap - owed);
    const isHasty = gap < owed - ROUNDING_MS;
    const isOverlap = next.startedAt < this.#endedAt - ROUNDING_MS;
    if (!isHasty && !isOverlap) return;
    this.violations++;
    const what = isHasty
      ? `${gap.toFixed(1)} ms after the last answer, ${owed.toFixed(1)} ms were owed`
      : `${(this.#endedAt - next.startedAt).toFixed(1)} ms before the last request had ended`;
    const at = new Date(next.startedAt).toISOString();
    this.#firstViolation ??= `${at} ${next.url} was asked ${what}`;
  }

  #countWindow(at: Instant): void {
    const window = Math.floor(at / AUDIT_WINDOW_MS);
    this.#inFixedWindow = window === this.#fixedWindow ? this.#inFixedWindow + 1 : 1;
    this.#fixedWindow = window;
    this.#starts.push(at);
    if (this.#starts.length > STARTS_KEPT) this.#starts.shift();
    let within = 0;
    for (const start of this.#starts) if (start > at - AUDIT_WINDOW_MS) within++;
    this.#mostInWindow = Math.max(this.#mostInWindow, within, this.#inFixedWindow);
  }

  report(): HostAudit {
    return {
      host: this.host,
      requests: this.#requests,
      smallestGapMs: this.#smallestGap,
      owedMs: this.#owedThen,
      smallestStartGapMs: this.#smallestStartGap,
      mostInWindow: this.#mostInWindow,
      violations: this.violations,
      ...(this.#firstViolation !== undefined && { firstViolation: this.#firstViolation }),
    };
  }
}
