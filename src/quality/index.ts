/**
 * Judgement: what a link, a URL and a host are worth.
 *
 *   link-context.ts   what a link's place says for it       score.ts        how soon a URL is worth a visit
 *   host-graph.ts     which hosts link to which             page-rank.ts    what that says for each
 *   host-rating.ts    authority and quality of a host
 *
 *   families.ts   shape and kin of a URL          sketch.ts      what was noticed about a host
 *   naming.ts     a page names its links          traps.ts       what has no end (Q1), and steps.ts
 *   host-watch.ts what the sketch makes of a URL  soft-404.ts    'not found' with status 200 (C3)
 *   family.ts     evidence on one family          farm.ts        near-copies by the hundred (C4)
 *   trap-policy.ts  the numbers                   domain-budget.ts   attention that links earn
 */
export { DOMAINS, type DomainPolicy, DomainShare, PARKED_PRIORITY } from './domain-budget.ts';
export { familiesOf, parametersIn } from './families.ts';
export { FARM, type FarmPolicy, judgeFarm } from './farm.ts';
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
  dampedClaim,
  isAllowed,
  noteFetched,
  noteKnown,
  PROBE_PRIORITY,
  passOver,
  type Regard,
  regard,
  trapSentence,
} from './host-watch.ts';
export {
  CONTEXT_LISTED,
  CONTEXT_MAX,
  CONTEXT_MEANT,
  contextOf,
  contextsOf,
  type LinkPlaces,
} from './link-context.ts';
export { Naming } from './naming.ts';
export {
  changeOf,
  DAMPING,
  type Edges,
  edgeRoom,
  edgesIn,
  type FlowPart,
  floorOf,
  flowAlong,
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
export { shapeTest } from './shape-test.ts';
export { HostSketch, type Probe, type Verdict } from './sketch.ts';
export { decodeSketch, encodeSketch } from './sketch-codec.ts';
export {
  isNearProbe,
  judgeSoft404,
  MISSING_REASON,
  MISSING_WORDS_MAX,
  SOFT_404,
  type Soft404Policy,
  saysMissing,
  wantsProbe,
} from './soft-404.ts';
export { TRAPS, type TrapPolicy } from './trap-policy.ts';
