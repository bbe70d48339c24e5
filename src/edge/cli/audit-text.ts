/** `orb audit politeness`: how gently each host was asked, the worst first (P7). */

import type { PolitenessAudit } from '../../crawl/answers.ts';
import { AUDIT_WINDOW_MS, type HostAudit } from '../../frontier/audit.ts';
import { formatNumber, safeText } from './format.ts';
import type { RowShape } from './rows.ts';

const HOSTS_SHOWN = 40;
const WINDOW_SECONDS = AUDIT_WINDOW_MS / 1_000;

export const AUDIT_ROW: RowShape<HostAudit> = {
  text: (audit) => line(audit),
  json: (audit) => audit,
  columns: [
    ...['host', 'requests', 'smallestGapMs', 'owedMs', 'smallestStartGapMs'],
    ...[`mostIn${WINDOW_SECONDS}s`, 'violations', 'firstViolation'],
  ],
  cells: (a) => [
    ...[a.host, a.requests, a.smallestGapMs, a.owedMs, a.smallestStartGapMs],
    ...[a.mostInWindow, a.violations, a.firstViolation],
  ],
};

export function auditText(audit: PolitenessAudit): string {
  const { requests, hostCount, violations } = audit;
  const what = violations === 0 ? 'no host was asked too soon' : `${violations} asked too soon`;
  const lines = [
    `${formatNumber(requests)} requests to ${formatNumber(hostCount)} hosts: ${what}.`,
    `${'host'.padEnd(32)} requests   smallest gap       owed  most in ${WINDOW_SECONDS} s`,
    ...audit.hosts.slice(0, HOSTS_SHOWN).map(line),
  ];
  const rest = hostCount - Math.min(HOSTS_SHOWN, audit.hosts.length);
  if (rest > 0) lines.push(`and ${formatNumber(rest)} more hosts; --format csv lists them`);
  const first = audit.hosts.find((host) => host.firstViolation !== undefined)?.firstViolation;
  if (first !== undefined) lines.push(`first: ${safeText(first, 500)}`);
  return `${lines.join('\n')}\n`;
}

function line(audit: HostAudit): string {
  const host = safeText(audit.host, 32).padEnd(32);
  const mark = audit.violations > 0 ? `  ${audit.violations} too soon` : '';
  const columns = [
    formatNumber(audit.requests).padStart(8),
    msText(audit.smallestGapMs).padStart(14),
    msText(audit.smallestGapMs === undefined ? undefined : audit.owedMs).padStart(10),
    formatNumber(audit.mostInWindow).padStart(12),
  ];
  return `${host} ${columns.join(' ')}${mark}`;
}

/** To the tenth of a millisecond: rounding up must not hide what was too soon. */
function msText(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(Math.floor(ms * 10) / 10).toFixed(1)} ms`;
}
