/** What robots.txt says of one URL, in the words that its record will carry (R4). */
import type { Forbidden } from './lease.ts';
import { isRefusal } from './robots-record.ts';
import type { ReadRobots } from './robots-rules.ts';

/** Undefined when allowed. A line of the file holds for good; anything else until it is reread. */
export function robotsVerdict(
  { record, rules }: ReadRobots,
  agent: string,
  url: string,
): Forbidden | undefined {
  const { allowed, line, rule } = rules.isAllowed(agent, url);
  if (allowed) return undefined;
  if (line !== undefined)
    return { reason: `robots.txt line ${line} forbids it: ${rule}`, until: 0 };
  const { status, expiresAt, problem } = record;
  if (status >= 200 && status < 300) return { reason: `robots.txt: ${rule}`, until: expiresAt };
  if (isRefusal(problem)) return { reason: problem, until: expiresAt };
  const answer = status === 0 ? problem || 'no answer' : status;
  const reason = `robots.txt could not be read (${answer}): nothing is allowed`;
  return { reason, until: expiresAt };
}
