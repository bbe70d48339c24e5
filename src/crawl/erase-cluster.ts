/**
 * What the nodes of a cluster erase together (G2): each the part that it owns, because nobody else
 * may write there. An intent in the audit trail is the order; the ledger says how far it has come.
 *
 *   intent ─▶ seen, by the owner of every arc ─▶ each erases its own part ─▶ done, for all parts ─▶ end
 *
 * Seen means: denied there, requests broken off, and what was settled before is committed. Only
 * then is anything removed, so that nobody needs a body without our knowing (erase-parts.ts).
 * Who dies, or loses an arc, leaves a part that is not noted: its next owner does it. All of it may
 * be done twice.
 */
import { type AuditLine, fitterOf, type RetentionPolicy, type Subject } from '../comply/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { EraseLedger, ErasePart, PartPhase } from '../ports/erase-ledger.ts';
import { type KeyRange, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import { hostKeyOf, urlKeyOf } from '../record/index.ts';
import { ARCS, firstBytesOf } from '../url/index.ts';
import type { Arcs } from './arcs.ts';
import { type Compliance, outcomeOf } from './comply.ts';
import { type EraseDesk, type ErasePorts, erase } from './erase.ts';
import { retain } from './retain.ts';
import { Watch } from './watch.ts';

export interface ErasingParts {
  readonly compliance: Compliance;
  readonly ledger: EraseLedger;
  readonly desk: EraseDesk;
  readonly arcs: Pick<Arcs, 'arcs' | 'holds'>;
  /** With the log as far as it is about these arcs. */
  readonly portsFor: (arcs: readonly number[]) => ErasePorts;
  readonly policy: RetentionPolicy;
  readonly clock: Clock;
  readonly onTrouble: (error: unknown) => void;
}

const STEP_MS = 500;
const ALL_ARCS: readonly number[] = Array.from({ length: ARCS }, (_, arc) => arc);

type Counts = ErasePart['counts'];

export class ClusterErasing {
  readonly #parts: ErasingParts;
  readonly #watches = new Map<number, ReturnType<EraseDesk['watch']>>();
  readonly #stopped = new AbortController();
  #running: Promise<void> | undefined;

  constructor(parts: ErasingParts) {
    this.#parts = parts;
    const { compliance } = parts;
    compliance.onBegun = (lines) => this.#watch(lines);
    this.#watch(compliance.deeds);
  }

  /** Goes on with what is begun, if anything is, beside whoever calls. */
  wake(): void {
    if (this.#parts.compliance.deeds.length === 0 || this.#stopped.signal.aborted) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    for (const { stop } of this.#watches.values()) stop();
  }

  /** From before it is in force: what visits take from its records meanwhile must go, too. */
  #watch(lines: readonly AuditLine[]): void {
    for (const { seq, action } of lines) {
      if (action !== 'erase' && action !== 'retain') continue;
      if (!this.#watches.has(seq)) this.#watches.set(seq, this.#parts.desk.watch());
    }
  }

  async #run(): Promise<void> {
    const { compliance, clock } = this.#parts;
    const { signal } = this.#stopped;
    while (!signal.aborted && compliance.deeds.length > 0) {
      for (const line of compliance.deeds) {
        await this.#further(line).catch((error: unknown) => this.#failed(error));
      }
      await clock.sleepUntil(clock.now() + STEP_MS, signal);
      await compliance.refresh().catch(() => undefined);
    }
    const isOpen = (seq: number) => compliance.deeds.some((line) => line.seq === seq);
    for (const [seq, { stop }] of this.#watches) {
      if (isOpen(seq)) continue;
      stop();
      this.#watches.delete(seq);
    }
  }

  /** An arc that went meanwhile is its next owner's to do. */
  #failed(error: unknown): void {
    if (!(error instanceof NotOurs) && !this.#stopped.signal.aborted) this.#parts.onTrouble(error);
  }

  async #further(line: AuditLine): Promise<void> {
    const { arcs, ledger } = this.#parts;
    const held = arcs.arcs;
    await this.#see(line, held);
    const before = await ledger.parts(line.seq);
    if (!isCovered(before, 'seen', WHOLE_CIRCLE)) return;
    const place = placeOf(line.subject);
    const ours = held.filter((arc) => {
      const range = firstBytesOf(arc);
      return doOverlap(range, place) && !isCovered(before, 'done', range);
    });
    if (ours.length > 0) await this.#do(line, ours);
    const after = await ledger.parts(line.seq);
    if (isCovered(after, 'done', place)) await this.#end(line, after);
  }

  async #see(line: AuditLine, held: readonly number[]): Promise<void> {
    const { compliance, desk, ledger } = this.#parts;
    const parts = await ledger.parts(line.seq);
    const unseen = held.filter((arc) => !isCovered(parts, 'seen', firstBytesOf(arc)));
    if (unseen.length === 0) return;
    const rule = compliance.denials.get(line.subject);
    if (rule !== undefined) await desk.breakOff(fitterOf(rule));
    await desk.alone(async () => undefined);
    await ledger.note(
      line.seq,
      unseen.map((arc) => partOf('seen', arc)),
    );
  }

  async #do(line: AuditLine, ours: readonly number[]): Promise<void> {
    const { arcs, ledger } = this.#parts;
    const counts = await this.#carryOut(line, ours);
    const done = ours.filter((arc) => arcs.holds(arc));
    await ledger.note(
      line.seq,
      done.map((arc, i) => partOf('done', arc, i === 0 ? counts : {})),
    );
  }

  async #carryOut(line: AuditLine, ours: readonly number[]): Promise<Counts> {
    const { compliance, desk, portsFor, policy } = this.#parts;
    const { holds } = compliance;
    const ranges = ours.map(firstBytesOf);
    if (line.action === 'retain') {
      // A body of ours may be that of a held page elsewhere.
      const [ports, now] = [portsFor(ALL_ARCS), Date.parse(line.at)];
      return { ...(await retain({ ports, desk, policy, holds, now, ranges })) };
    }
    const ports = portsFor(ours);
    const rule = compliance.denials.get(line.subject);
    if (rule === undefined) return {};
    const seen = this.#watches.get(line.seq)?.seen ?? new Watch();
    const { removed, left } = await erase({ ports, desk, rule, holds, seen, ranges });
    return { ...removed, ...left };
  }

  async #end(line: AuditLine, parts: readonly ErasePart[]): Promise<void> {
    const { compliance, ledger } = this.#parts;
    const isFirst = await compliance.end(line, outcomeText(line, totalOf(parts)));
    if (isFirst) await ledger.forget(line.seq);
  }
}

/** What all nodes together have done. */
export function totalOf(parts: readonly ErasePart[]): Counts {
  const total: Record<string, number> = {};
  for (const { phase, counts } of parts) {
    if (phase !== 'done') continue;
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  }
  return total;
}

function outcomeText(line: AuditLine, { records = 0, bodies = 0, headers = 0 }: Counts): string {
  if (line.action === 'retain') return `let go of ${bodies} bodies, headers of ${headers} pages`;
  return outcomeOf({ removed: { records, bodies, events: 0 } }, line);
}

function partOf(phase: PartPhase, arc: number, counts: Counts = {}): ErasePart {
  return { phase, ...firstBytesOf(arc), counts };
}

/** Where on the circle all that is meant lies. */
function placeOf({ kind, value }: Subject): KeyRange {
  if (kind !== 'url' && kind !== 'host') return WHOLE_CIRCLE;
  const first = (kind === 'url' ? urlKeyOf(value) : hostKeyOf(value))[0] as number;
  return { from: first, to: first };
}

function isCovered(parts: readonly ErasePart[], phase: PartPhase, { from, to }: KeyRange): boolean {
  const ours = parts.filter((part) => part.phase === phase);
  for (let at = from; at <= to; at++) {
    if (!ours.some((part) => part.from <= at && at <= part.to)) return false;
  }
  return true;
}

function doOverlap(a: KeyRange, b: KeyRange): boolean {
  return a.from <= b.to && b.from <= a.to;
}
