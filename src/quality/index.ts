/**
 * Judgement: what a link, a URL and a host are worth.
 *
 *   link-context.ts   what a link's place says for it       score.ts   how soon a URL is worth a visit
 */
export {
  CONTEXT_LISTED,
  CONTEXT_MAX,
  contextOf,
  contextsOf,
  type LinkPlaces,
} from './link-context.ts';
export {
  type Claim,
  claimOf,
  freshnessOf,
  type LinkFacts,
  NO_CLAIM,
  priorityOf,
  SEED_PRIORITY,
  STARVED_AUTHORITY,
  TRAP_SUSPICION,
  UNKNOWN_AUTHORITY,
} from './score.ts';
