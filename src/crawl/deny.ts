/**
 * Denials on the path (G1, G3): asked when a URL is named (admit.ts), when its turn has come
 * (visit.ts), right before the request (exchange.ts), and here, when a visit is settled: whoever
 * was on the way when the decision came brings nothing home but the end of the wait.
 */
import {
  blockedRecord,
  deniedReason,
  erasedEvent,
  erasedHost,
  erasedRecord,
  type Rule,
  type Rules,
} from '../comply/index.ts';
import type { Outcome } from '../fetch/index.ts';
import type { PageLease } from '../frontier/index.ts';
import type { Settled, Totals } from '../ports/shard-store.ts';
import { blankRecord, FLAGS, type UrlRecord } from '../record/index.ts';
import type { Walk } from './context.ts';
import type { Ending } from './ending.ts';

/** The URL's turn has come, and it may not be asked: it waits no longer. */
export async function settleDenied(lease: PageLease, rule: Rule, walk: Walk): Promise<void> {
  const { waiting } = lease;
  const [known] = await walk.ports.store.urls([waiting.key]);
  const record = recordFor(known ?? blankRecord(waiting.url, 0), known, rule);
  const change = { waiting: -1, skipped: 1 };
  const before = known && { before: known };
  const settled = { waiting, record };
  await walk.settling.add({ lease, settled, ...before, candidates: [], change });
}

/** Asked once more before anything is sent: a name is looked up and a turn waited for in between. */
export function refusedByDenial(url: string, { denials }: Walk): Outcome | undefined {
  const rule = denials.meets(url);
  return rule && { kind: 'refused', address: '', detail: deniedReason(rule) };
}

/** The endings without what is denied by now. */
export function undeniedIn(endings: readonly Ending[], denials: Rules): readonly Ending[] {
  return denials.isEmpty ? endings : endings.map((ending) => undenied(ending, denials));
}

function undenied(ending: Ending, denials: Rules): Ending {
  const candidates = ending.candidates.filter(({ url }) => denials.meets(url) === undefined);
  const rule = ending.settled && denials.meets(ending.settled.waiting.url);
  if (rule === undefined || ending.settled === undefined) return { ...ending, candidates };
  const { lease, host, event, before, settled, sketches } = ending;
  const isGone = rule.erases && (rule.kind === 'host' || rule.kind === 'site');
  return {
    ...(lease && { lease }),
    ...(host && { host: isGone ? erasedHost(host) : host }),
    // What is to be gone is counted by the erasure, not by the visit that it overtook.
    ...(before && !rule.erases && { before }),
    ...(sketches && !isGone && { sketches }),
    ...(event && { event: erasedEvent(event) }),
    settled: { ...askedFor(settled), record: recordFor(settled.record, before, rule) },
    candidates: [],
    change: changeOf(ending.change),
  };
}

/** That it was asked for counts, for its job, too. */
function askedFor({ waiting, isAsked = false }: Settled): Omit<Settled, 'record'> {
  return { waiting, isAsked };
}

/** What was known before the visit stays, unless that is to be gone, too. */
function recordFor(now: UrlRecord, before: UrlRecord | undefined, rule: Rule): UrlRecord {
  if (before !== undefined) return blockedRecord(before, rule);
  const flags = FLAGS.blocked | (rule.erases ? FLAGS.erased : 0);
  return { ...erasedRecord(now, rule), flags };
}

/** It was asked for, and that is all that counts. */
function changeOf({ waiting = 0, asked = 0, askedPublic = 0 }: Partial<Totals>): Partial<Totals> {
  return { waiting, asked, askedPublic, skipped: 1 };
}
