/**
 * Webhooks (A5): what the crawl tells a server of yours, in requests that it can trust.
 *
 *   events of the log ─ message.ts ─▶ body, id ─ signature.ts ─▶ signed fields
 *   what came of it   ─ patience.ts ─▶ delivered, again later, or never again
 *
 * Not here: reading the log and waiting (../crawl/webhooks.ts), and posting (../ports/poster.ts).
 */
export { type HookMessage, messageOf } from './message.ts';
export { type PostEnd, patienceAfter, type Verdict, verdictOn } from './patience.ts';
export { isHookSecret, signedFields } from './signature.ts';
