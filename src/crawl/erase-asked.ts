/**
 * An erasure asked of a cluster, by a node's API or a command (G1, G2): it is decided at once, and
 * from then on in force; the nodes carry it out (erase-cluster.ts). Whoever asked waits for that as
 * long as it goes on, and is told otherwise that it is still to be done.
 */
import { CrawlError } from '../base/errors.ts';
import { MINUTE_MS } from '../base/instant.ts';
import { type AuditLine, ruleOf } from '../comply/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { EraseLedger } from '../ports/erase-ledger.ts';
import type { Compliance } from './comply.ts';
import type { TakedownQuery, TakedownReport } from './comply-answers.ts';
import { keptOf, NOTHING_LEFT } from './erase.ts';
import { totalOf } from './erase-cluster.ts';

export interface AskedPorts {
  readonly compliance: Compliance;
  readonly ledger: EraseLedger;
  readonly clock: Clock;
}

const LOOK_MS = 250;
/** Without anything noted: longer than it takes until the arcs of a node that died are another's. */
const PATIENCE_MS = 2 * MINUTE_MS;

export async function eraseByAll(ports: AskedPorts, query: TakedownQuery): Promise<TakedownReport> {
  const { compliance, ledger, clock } = ports;
  if (query.region) throw noRegion();
  const intent = await compliance.begin(query);
  if (!('phase' in intent)) return intent;
  let [noted, notedAt] = [0, clock.now()];
  for (;;) {
    await compliance.refresh();
    const isOver = !compliance.deeds.some(({ seq }) => seq === intent.seq);
    const parts = await ledger.parts(intent.seq);
    if (parts.length !== noted) [noted, notedAt] = [parts.length, clock.now()];
    if (isOver || clock.now() - notedAt > PATIENCE_MS) {
      return reportOf(intent, totalOf(parts), isOver);
    }
    await clock.sleepUntil(clock.now() + LOOK_MS);
  }
}

function reportOf(
  intent: AuditLine,
  counts: Readonly<Record<string, number>>,
  isOver: boolean,
): TakedownReport {
  const { records = 0, bodies = 0 } = counts;
  const kept = keptOf({ ...NOTHING_LEFT, ...counts }, ruleOf(intent));
  const { subject, seq } = intent;
  const removed = { records, bodies, events: 0 };
  return { subject, seq, removed, kept: isOver ? kept : [NOT_YET, ...kept] };
}

const NOT_YET =
  'all that is not counted above, so far: it is denied, and erased by the nodes as soon as every arc has one that runs';

function noRegion(): CrawlError {
  return new CrawlError(
    'E_USAGE',
    'What a cluster stores in a region cannot be erased by one command.',
    'Name its hosts or a pattern; or keep it for a while only: --keep-region-for REGION=30d.',
  );
}
