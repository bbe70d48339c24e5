/**
 * Compliance (G1–G3): what may not be crawled any more, what must be kept, and the proof of who
 * decided it.
 *
 *   subject.ts   what a decision is about: a URL, a host, a pattern; and whom it meets
 *   rules.ts     denials and holds in force, quick to ask
 *   erased.ts    what is left of a record and of an event once it is erased
 *   retention.ts how long what is kept is kept
 *   trail.ts     a line of the audit trail, and the chain that it is part of
 *   state.ts     what the lines add up to: rules, complaints, what was begun and not ended
 */
export {
  blockedRecord,
  deniedReason,
  ERASED_URL,
  erasedEvent,
  erasedHost,
  erasedRecord,
} from './erased.ts';
export {
  bodyCutoff,
  type Cutoffs,
  cutoffsOf,
  dueOf,
  isPast,
  keepsAll,
  type RetentionPolicy,
} from './retention.ts';
export { fitsRule, type Rule, Rules } from './rules.ts';
export { Complied, type ComplyChange, type Counts, NO_COUNTS, ruleOf } from './state.ts';
export {
  fitterOf,
  mentionOf,
  type Subject,
  type SubjectKind,
  subjectKey,
  subjectText,
} from './subject.ts';
export {
  type Action,
  type AuditEntry,
  type AuditLine,
  CHAIN_START,
  type ChainHead,
  type ChainProblem,
  chainProblem,
  lineOf,
  parseLine,
} from './trail.ts';
