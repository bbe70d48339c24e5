/**
 * What a host's sketch makes of a URL that is named, and of a page that was fetched.
 *
 *   regard      a new URL: refuse it, take it later, take it at once to see where it leads
 *   noteFetched a page: evidence for or against its families; a verdict when there is proof
 *   passOver    a URL whose turn has come: skip it, or ask it as a probe
 *
 * Time is an argument; a clock that jumps back only makes a probe come earlier.
 */
import type { Instant } from '../base/instant.ts';
import type { UrlRecord } from '../record/index.ts';
import { pathOf } from '../url/index.ts';
import { hash32, hashIn } from './bits.ts';
import { eachParameter, type Families, familiesOf, hasQuery, parametersIn } from './families.ts';
import { type Family, newQueryFacts, newWatch } from './family.ts';
import type { Naming } from './naming.ts';
import { type Claim, NO_CLAIM, TRAP_SUSPICION } from './score.ts';
import type { HostSketch, Verdict } from './sketch.ts';
import { isDatedAhead } from './steps.ts';
import type { TrapPolicy } from './trap-policy.ts';
import { isCleared, isSuspect, isWatchWorthy, proofAgainst } from './traps.ts';

/** What becomes of a URL that is named: its priority is multiplied by this, 0 refuses it. */
export type Regard = number | 'probe';

/** A URL of a family on trial that is asked soon: after ordinary seeds, before their links. */
export const PROBE_PRIORITY = 0.75;

/** A claim of a suspect is as much less (score.ts), also when its host is rated anew. */
export function dampedClaim(claim: Claim, factor: number): Claim {
  if (claim === NO_CLAIM) return NO_CLAIM;
  const [grip, merit] = [factor * (claim >> 8), factor * (claim & 0xff)];
  return (Math.max(1, Math.round(grip)) << 8) | Math.round(merit);
}

/** Facets: combinations of more parameters than this are cut off first, then of fewer. */
const FACETS_ALLOWED = 2;
/** Pages under a facets verdict after which only single filters are asked. */
const FACETS_MORE = 200;
const URL_HASH_AT = 8;
/** A page that was fetched weighs more than a URL that was only named. */
export const FETCHED_WEIGHT = 4;

export function regard(
  sketch: HostSketch,
  url: string,
  naming: Naming | undefined,
  policy: TrapPolicy,
  isHop = false,
): Regard {
  if (sketch.isLoop(url)) return 0;
  if (!policy.isOn) return 1;
  const families = familiesOf(url);
  const verdict = sketch.verdictOn(families, parametersIn(url));
  if (verdict !== undefined && !isAllowed(url, policy)) {
    verdict.skipped++;
    naming?.condemn(families);
    return 0;
  }
  const touched = noteAdmitted(sketch, url, families, naming, isHop);
  const isProbe = naming?.fresh(url, families) ?? false;
  if (isProbe) return 'probe';
  const suspect = touched.some((family) => isSuspect(family, sketch.admitted, policy));
  return suspect && !isAllowed(url, policy) ? TRAP_SUSPICION : 1;
}

function noteAdmitted(
  sketch: HostSketch,
  url: string,
  families: Families,
  naming: Naming | undefined,
  isHop: boolean,
): Family[] {
  sketch.admitted++;
  const touched = sketch.touch(families, 1);
  touched.forEach((family, level) => {
    family.admitted++;
    // The target of a redirect is wanted by nobody but the server that sends us there.
    if (!isHop && !naming?.isOwn(families, level)) family.outside++;
    if (level === 1 && hasQuery(family.key)) noteQuery(family, url);
  });
  return touched;
}

function noteQuery(family: Family, url: string): void {
  family.query ??= newQueryFacts();
  const { query } = family;
  let names = 0;
  eachParameter(url, (name, pair) => {
    names = Math.imul(names ^ name, 0x01000193);
    query.pairs.add(pair);
  });
  query.sets.add(hash32(String(names)));
}

/** URLs that were taken for new and turn out to be known: links led back after all. */
export function noteKnown(sketch: HostSketch, url: string): void {
  sketch.admitted = Math.max(0, sketch.admitted - 1);
  familiesOf(url).forEach((key, level) => {
    const family = key === undefined ? undefined : sketch.levels[level]?.get(key);
    if (family === undefined) return;
    family.admitted = Math.max(0, family.admitted - 1);
    if (family.watch !== undefined) family.watch.repeats++;
  });
}

export interface Fetched {
  readonly record: Pick<UrlRecord, 'url' | 'depth' | 'contentHash' | 'original'>;
  /** Its bytes, or nearly its words, are those of another page. */
  readonly isCopy: boolean;
}

/** Undefined unless this page proves something new. */
export function noteFetched(
  sketch: HostSketch,
  page: Fetched,
  policy: TrapPolicy,
  now: Instant,
): Verdict | undefined {
  if (!policy.isOn) return undefined;
  const { url, depth } = page.record;
  const families = sketch.page?.url === url ? sketch.page.families : familiesOf(url);
  const parameters = parametersIn(url);
  sketch.fetched++;
  const standing = sketch.verdictOn(families, parameters);
  // What is on its way when a family is cut off says nothing about wider families.
  if (standing !== undefined) return noteProbe(sketch, standing, page, policy, now);
  const isAhead = isDatedAhead(pathOf(url), new Date(now).getUTCFullYear());
  let proven: Verdict | undefined;
  sketch.touch(families, FETCHED_WEIGHT).forEach((family, level) => {
    family.noteFetched(depth, bodiesOf(page), page.isCopy);
    if (isAhead) family.ahead++;
    if (parameters >= FACETS_ALLOWED && family.query !== undefined) family.query.deep++;
    proven ??= judge(sketch, family, level, url, policy, now);
  });
  return proven;
}

function judge(
  sketch: HostSketch,
  family: Family,
  level: number,
  url: string,
  policy: TrapPolicy,
  now: Instant,
): Verdict | undefined {
  const known = sketch.verdicts.find((v) => v.level === level && v.key === family.key);
  if (known !== undefined) return tighten(known, family);
  const proof = isAllowed(url, policy) ? undefined : proofAgainst(family, policy);
  if (proof !== undefined) {
    const { key, fetched } = family;
    const probeAt = now + policy.probeAfterMs;
    const rest = { skipped: 0, parametersMax: FACETS_ALLOWED, probeAt };
    const trial = { probesLeft: policy.probes, probesGood: 0, probesDone: 0 };
    const verdict = { level, key, ...proof, at: now, fetched, ...rest, ...trial };
    family.watch = undefined;
    sketch.addVerdict(verdict);
    return verdict;
  }
  if (isCleared(family, policy)) {
    family.watch = undefined;
    family.clearUntil = 2 * family.fetched;
  } else if (family.watch === undefined && isWatchWorthy(family, policy)) family.watch = newWatch();
  return undefined;
}

/** What may be said against asking a URL whose turn has come; a probe passes. */
export function passOver(
  sketch: HostSketch,
  url: string,
  policy: TrapPolicy,
  now: Instant,
): { readonly reason: string; readonly until: Instant } | undefined {
  if (sketch.verdicts.length === 0 || !policy.isOn) return undefined;
  const verdict = sketch.verdictOn(familiesOf(url), parametersIn(url));
  if (verdict === undefined || isAllowed(url, policy)) return undefined;
  verdict.probeAt = Math.min(verdict.probeAt, now + policy.probeAfterMs);
  if (now >= verdict.probeAt && verdict.probesLeft > 0) {
    verdict.probesLeft--;
    return undefined;
  }
  const isEarly = verdict.skipped++ < 2 * policy.probes;
  const until = isEarly ? verdict.probeAt : now + policy.againAfterMs;
  return { reason: trapSentence(verdict), until: Math.max(until, now + 1) };
}

/** A page of a condemned family: a probe, or one that was on its way. */
function noteProbe(
  sketch: HostSketch,
  verdict: Verdict,
  page: Fetched,
  policy: TrapPolicy,
  now: Instant,
): undefined {
  if (now < verdict.probeAt) return undefined;
  const leadsOn = sketch.leadsOn.delete(page.record.url);
  const isGood = verdict.kind === 'copies' ? !page.isCopy : !leadsOn;
  if (isGood) verdict.probesGood++;
  if (++verdict.probesDone < policy.probes) return undefined;
  if (verdict.probesGood >= policy.probes) free(sketch, verdict);
  verdict.probeAt = now + 2 * Math.max(policy.probeAfterMs, now - verdict.at);
  verdict.probesLeft = policy.probes;
  verdict.probesGood = verdict.probesDone = 0;
  return undefined;
}

/** Pairs of filters may be without end, too: then only single ones are asked. */
function tighten(verdict: Verdict, family: Family): undefined {
  if (family.fetched > verdict.fetched + FACETS_MORE) verdict.parametersMax = 1;
}

function free(sketch: HostSketch, verdict: Verdict): void {
  sketch.lift(verdict);
  const family = sketch.levels[verdict.level]?.get(verdict.key);
  if (family === undefined) return;
  family.stretch = family.copies = 0;
  family.watch = undefined;
  family.clearUntil = 2 * family.fetched;
}

export function trapSentence({ key, reason }: Pick<Verdict, 'key' | 'reason'>): string {
  return `addresses like ${key} are left out as a trap: ${reason}`;
}

/** Has an operator vouched for it? */
export function isAllowed(url: string, policy: TrapPolicy): boolean {
  if (policy.allowed.length === 0) return false;
  const path = pathOf(url);
  return policy.allowed.some((test) => test.test(path));
}

/** What the page holds, and what it repeats: two ways to meet the same body. */
function bodiesOf({ record }: Fetched): number[] {
  const bodies: number[] = [];
  if (record.contentHash.length > 0) bodies.push(hashIn(record.contentHash, 0));
  if (record.original.length > 0) bodies.push(hashIn(record.original, URL_HASH_AT));
  return bodies;
}
