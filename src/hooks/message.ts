/**
 * One message for a batch of events: `{ type, timestamp, data: { events } }`, as the Standard
 * Webhooks specification has it. The id is made of the events, so a batch that is sent again
 * after a crash has the id that it had, and its reader can leave it out.
 */
import { createHash } from 'node:crypto';
import type { Instant } from '../base/instant.ts';
import type { FetchEvent } from '../events/index.ts';

export interface HookMessage {
  readonly id: string;
  readonly body: string;
}

const ID_CHARS = 32;

export function messageOf(events: readonly FetchEvent[], now: Instant): HookMessage {
  const hash = createHash('sha256');
  for (const { id } of events) hash.update(id).update('\n');
  const timestamp = new Date(Math.round(now)).toISOString();
  return {
    id: `msg_${hash.digest('hex').slice(0, ID_CHARS)}`,
    body: JSON.stringify({ type: 'pages.fetched', timestamp, data: { events } }),
  };
}
