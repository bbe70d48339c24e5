/**
 * Quarters: parts of the test web where a crawler has to judge, each with the truth about it.
 *
 *   traps trap-links      calendar, session, session-path, facets, loop, pager; each also -filler
 *   encyclopaedia         50,000 honest pages of one shape
 *   copies archive        mirror, printer, syndicated, edited; archive
 *   soft-404 farm         soft-404, -echo, -recovers; farm, template, single
 *   changing poisson      pages that change at known rates, vanish, move
 *   ranked page-rank      pages whose importance is known
 *   app                   pages that are empty without their scripts
 *   documents             what is not HTML, and what stands behind it alone
 *
 *   quarter (what a host answers and what is true of it) ─ order ─ open
 *   articles site-host layout prose          what honest pages are made of
 */

export { LEAVING_FROM_MS } from './changing.ts';
export { EDITS } from './copies.ts';
export { openQuarters } from './open.ts';
export { parseQuarters } from './order.ts';
export { pageRank } from './page-rank.ts';
export { changesBetween, lastChange, type Process } from './poisson.ts';
export { editedProse, proseOf } from './prose.ts';
export {
  type Label,
  type PageState,
  QUARTERS,
  type QuarterHost,
  type QuarterName,
  type QuarterSize,
  type Quarters,
  type Role,
  sameText,
  type Validators,
} from './quarter.ts';
export { DEAD_LINKS, SOFT_404_ENDS_MS } from './soft-404.ts';
