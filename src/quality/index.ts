/**
 * Judgement: what a link, a URL and a host are worth.
 *
 *   link-context.ts   what a link's place says for it       score.ts        how soon a URL is worth a visit
 *   host-graph.ts     which hosts link to which             page-rank.ts    what that says for each
 *   host-rating.ts    authority and quality of a host
 */
export {
  DOMAIN_KEY_BYTES,
  decodeHostLinks,
  type HostLinks,
  HostTally,
  linkWeight,
  TARGETS_MAX,
  votesOf,
} from './host-graph.ts';
export {
  authorityOf,
  type HostEvidence,
  isLowQuality,
  LINKS_OF_LOW_MAX,
  type Rating,
  type RatingRules,
  rateHost,
  ratingSentence,
} from './host-rating.ts';
export {
  CONTEXT_LISTED,
  CONTEXT_MAX,
  contextOf,
  contextsOf,
  type LinkPlaces,
} from './link-context.ts';
export {
  changeOf,
  DAMPING,
  EDGE_BYTES,
  type FlowPart,
  floorOf,
  flowAlong,
  writeEdge,
} from './page-rank.ts';
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
