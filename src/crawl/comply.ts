/**
 * Decisions about pages, from the first line of the audit trail to the last (G1–G3).
 *
 *   intent line ─▶ rules, saved ─▶ the deed (erase.ts) ─▶ outcome line ─▶ saved ─▶ told
 *
 * Nothing is done before its intent is on the disk, and nothing is told before its outcome is.
 * What was begun when the process died is finished at the next start: every deed may be done
 * twice. One decision at a time.
 */
import { CrawlError } from '../base/errors.ts';
import {
  type Action,
  type AuditEntry,
  type AuditLine,
  Complied,
  fitterOf,
  lineOf,
  parseLine,
  type RetentionPolicy,
  type Rule,
  type Rules,
  ruleOf,
  type Subject,
  subjectKey,
} from '../comply/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComplyStore } from '../ports/comply-store.ts';
import type {
  ComplaintQuery,
  ComplaintReport,
  ComplianceAnswer,
  HoldQuery,
  HoldReport,
  LiftQuery,
  TakedownQuery,
  TakedownReport,
  TrailVerdict,
} from './comply-answers.ts';
import { subjectOf } from './comply-subject.ts';
import { linesOf, takeIn, verifyTrail } from './comply-trail.ts';
import {
  type EraseDesk,
  type ErasePorts,
  type Erasure,
  erase,
  keptOf,
  NOTHING_LEFT,
} from './erase.ts';
import { fitterOfRegion } from './erase-parts.ts';
import { type Retained, retain } from './retain.ts';
import { Watch } from './watch.ts';

export interface CompliancePorts extends ErasePorts {
  /** How the crawl spells its URLs. */
  readonly canonical: { readonly stripWww: boolean };
  readonly clock: Clock;
  readonly comply: ComplyStore;
  /**
   * Other nodes decide, too: what they have said is read before anything is decided here. What is
   * begun is carried out by all of them together (erase-cluster.ts).
   */
  readonly isShared?: boolean;
}

/** What the nodes of a cluster do together. */
const DEEDS: readonly Action[] = ['erase', 'retain'];

const BY_RETENTION = {
  by: 'retention',
  action: 'retain',
  reason: 'kept as long as the settings say',
  subject: { kind: 'pattern', value: '*' },
} as const;
/** Other nodes that decide at the same instant come first so often at most. */
const APPEND_TRIES = 50;
const NOTHING_REMOVED = { records: 0, bodies: 0, events: 0 };
const NOTHING_ERASED: Erasure = { removed: NOTHING_REMOVED, left: NOTHING_LEFT };

export class Compliance {
  readonly #ports: CompliancePorts;
  readonly #sum: Complied;
  #desk: EraseDesk;
  #turn: Promise<unknown> = Promise.resolve();
  /** Told what was begun anywhere, right before it is in force here. */
  onBegun: (lines: readonly AuditLine[]) => void = () => undefined;

  private constructor(ports: CompliancePorts, sum: Complied, desk: EraseDesk) {
    this.#ports = ports;
    this.#sum = sum;
    this.#desk = desk;
  }

  /** Takes in the lines that the last process wrote and did not live to add up. */
  static async open(ports: CompliancePorts, desk: EraseDesk): Promise<Compliance> {
    const sum = new Complied();
    const { denials, holds, pending, counts } = await ports.comply.load();
    for (const rule of denials) sum.denials.add(rule);
    for (const rule of holds) sum.holds.add(rule);
    for (const line of pending) sum.pending.set(line.seq, line);
    sum.counts = counts;
    await takeIn(ports.comply, sum);
    return new Compliance(ports, sum, desk);
  }

  get denials(): Rules {
    return this.#sum.denials;
  }

  /** Where other nodes decide, too: what is in force by now. */
  refresh(): Promise<void> {
    return this.#alone(async () => undefined);
  }

  /** From now on a crawl runs, and changes go through it. */
  runsWith(desk: EraseDesk): void {
    this.#desk = desk;
  }

  get holds(): Rules {
    return this.#sum.holds;
  }

  /** Begun, and for all nodes to carry out. */
  get deeds(): readonly AuditLine[] {
    return [...this.#sum.pending.values()].filter(({ action }) => DEEDS.includes(action));
  }

  /** Ends what was begun when the last process died; answers how many. */
  finish(): Promise<number> {
    return this.#alone(async () => {
      const { isShared } = this.#ports;
      const isOurs = ({ action }: AuditLine) => !isShared || !DEEDS.includes(action);
      const begun = [...this.#sum.pending.values()].filter(isOurs);
      for (const line of begun) await this.#carryOut(line);
      return begun.length;
    });
  }

  async takeDown(query: TakedownQuery): Promise<TakedownReport> {
    return this.#alone(async () => {
      const watch = this.#desk.watch();
      try {
        const intent = await this.#intend(query);
        if ('refused' in intent) return intent;
        const { removed, kept, seq } = await this.#carryOut(intent, watch.seen);
        return { subject: intent.subject, seq, removed, kept };
      } finally {
        watch.stop();
      }
    });
  }

  /** In force from when it resolves: the nodes carry it out. Or why it is refused. */
  begin(query: TakedownQuery): Promise<AuditLine | TakedownReport> {
    return this.#alone(() => this.#intend(query));
  }

  /** The same of what is kept too long; nothing when others have begun it meanwhile. */
  beginRetention(): Promise<AuditLine | undefined> {
    const isWanted = () => !this.deeds.some(({ action }) => action === 'retain');
    return this.#alone(() => this.#appendIf(isWanted, { ...BY_RETENTION, phase: 'intent' }));
  }

  /** Every part of it is done; false when another node has said so. */
  async end(
    { seq: of, by, action, subject, reason }: AuditLine,
    outcome: string,
  ): Promise<boolean> {
    const isOpen = () => this.#sum.pending.has(of);
    const end = { by, action, subject, reason, of, outcome, phase: 'done' } as const;
    const line = await this.#alone(() => this.#appendIf(isOpen, end));
    return line !== undefined;
  }

  async #intend(query: TakedownQuery): Promise<AuditLine | (TakedownReport & { refused: string })> {
    const subject = subjectOf(query, this.#ports.canonical);
    if (!query.erase) refuseRegion(subject);
    const entry = { ...said(query), action: query.erase ? 'erase' : 'block', subject } as const;
    const held = query.erase ? this.#heldBy(subject) : undefined;
    if (held === undefined) return this.#append({ ...entry, phase: 'intent' });
    const outcome = `under legal hold by ${held.by} since ${held.at.slice(0, 10)}: ${held.reason}`;
    const { seq } = await this.#append({ ...entry, outcome, phase: 'refused' });
    return { subject, refused: outcome, seq, removed: NOTHING_REMOVED, kept: [] };
  }

  /** Exactly what was denied, as it was denied: a part of a host is no subject of its own. */
  async lift(query: LiftQuery): Promise<HoldReport> {
    const subject = subjectOf(query, this.#ports.canonical);
    refuseRegion(subject);
    const entry = { ...said(query), subject, action: 'unblock' } as const;
    return this.#alone(async () => {
      const isGoing = this.deeds.some((line) => subjectKey(line.subject) === subjectKey(subject));
      const isDenied = !isGoing && this.#sum.denials.get(subject) !== undefined;
      const refused = isGoing ? 'it is being erased' : 'no such denial is in force';
      const end = isDenied
        ? { phase: 'done' as const }
        : { phase: 'refused' as const, outcome: refused };
      const { seq } = await this.#append({ ...entry, ...end });
      return { subject, seq, ...(!isDenied && { refused }) };
    });
  }

  async hold(query: HoldQuery): Promise<HoldReport> {
    const subject = subjectOf(query, this.#ports.canonical);
    refuseRegion(subject);
    const entry = { ...said(query), subject, action: query.release ? 'release' : 'hold' } as const;
    return this.#alone(async () => {
      if (query.release && this.#sum.holds.get(subject) === undefined) {
        const outcome = 'no such hold is in force';
        const { seq } = await this.#append({ ...entry, outcome, phase: 'refused' });
        return { subject, refused: outcome, seq };
      }
      const { seq } = await this.#append({ ...entry, phase: 'done' });
      return { subject, seq };
    });
  }

  async complain(query: ComplaintQuery): Promise<ComplaintReport> {
    const { host: given, text: reason, optOut } = query;
    const subject = subjectOf({ host: given, subdomains: optOut }, this.#ports.canonical);
    const entry = { ...said({ reason, by: query.by }), subject };
    return this.#alone(async () => {
      const { seq } = await this.#append({ ...entry, action: 'complain', phase: 'done' });
      if (optOut) {
        await this.#carryOut(await this.#append({ ...entry, action: 'block', phase: 'intent' }));
      }
      const total = this.#sum.counts.complaints;
      return { host: subject.value, total, seq, optedOut: optOut };
    });
  }

  /** Lets go of what has been kept long enough; a line in the trail if there was any. */
  retain(policy: RetentionPolicy): Promise<Retained> {
    return this.#alone(async () => {
      const now = this.#ports.clock.now();
      const { holds } = this.#sum;
      const gone = await retain({ ports: this.#ports, desk: this.#desk, policy, holds, now });
      const { bodies, headers, events } = gone;
      if (bodies + headers + events === 0) return gone;
      const outcome = `let go of ${bodies} bodies, headers of ${headers} pages, ${events} events`;
      await this.#append({ ...BY_RETENTION, phase: 'done', outcome });
      return gone;
    });
  }

  answer(): ComplianceAnswer {
    const { denials, holds, counts } = this.#sum;
    const { complaints, takedowns } = counts;
    return { denials: denials.all(), holds: holds.all(), complaints, takedowns };
  }

  trail(): AsyncIterable<AuditLine> {
    return linesOf(this.#ports.comply);
  }

  async verify(): Promise<TrailVerdict> {
    if (this.#ports.isShared) await this.refresh();
    const { counts, pending } = this.#sum;
    return verifyTrail(this.#ports.comply, counts.head, pending.size);
  }

  /** From the line on, nothing of it is asked for; before its end, nothing is on its way either. */
  async #carryOut(
    intent: AuditLine,
    seen = new Watch(),
  ): Promise<Pick<TakedownReport, 'removed' | 'kept' | 'seq'>> {
    const { seq: of, by, action, subject, reason } = intent;
    const rule = this.#sum.denials.get(subject);
    if (rule !== undefined) await this.#desk.breakOff(fitterOf(rule));
    const isErased = action === 'erase' && (subject.kind === 'region' || rule !== undefined);
    const done = isErased ? await this.#erase(rule ?? ruleOf(intent), seen) : NOTHING_ERASED;
    const end = { by, action, subject, reason, of, outcome: outcomeOf(done, intent) } as const;
    const { seq } = await this.#append({ ...end, phase: 'done' });
    const kept = isErased ? keptOf(done.left, rule ?? ruleOf(intent)) : [];
    return { removed: done.removed, kept, seq };
  }

  #erase(rule: Rule, seen: Watch): Promise<Erasure> {
    if (rule.kind === 'region') return this.#eraseRegion(rule, seen);
    return erase({ ports: this.#ports, desk: this.#desk, rule, holds: this.#sum.holds, seen });
  }

  /** Its pages are denied only meanwhile, so that no visit overtakes it. */
  async #eraseRegion(rule: Rule, seen: Watch): Promise<Erasure> {
    const { denials, holds } = this.#sum;
    const fits = await fitterOfRegion(this.#ports.records, rule);
    denials.add(rule, fits);
    try {
      await this.#desk.breakOff(fits);
      return await erase({ ports: this.#ports, desk: this.#desk, rule, holds, seen, fits });
    } finally {
      denials.remove(rule);
    }
  }

  /** A hold on the thing itself, or on something that has all of it. */
  #heldBy(subject: Subject): Rule | undefined {
    const { holds } = this.#sum;
    const { kind, value } = subject;
    const own = holds.get(subject);
    if (own !== undefined || kind === 'pattern' || kind === 'region') return own;
    if (kind === 'url') return holds.meets(value);
    const rule = holds.meets(`http://${value}/`);
    return rule?.kind === 'site' || (rule?.kind === 'host' && kind === 'host') ? rule : undefined;
  }

  async #append(entry: Omit<AuditEntry, 'at'>): Promise<AuditLine> {
    return (await this.#appendIf(() => true, entry)) as AuditLine;
  }

  /** Only as long as it is wanted: others may have written the same meanwhile. */
  async #appendIf(
    isWanted: () => boolean,
    entry: Omit<AuditEntry, 'at'>,
  ): Promise<AuditLine | undefined> {
    const at = new Date(this.#ports.clock.now()).toISOString();
    const { comply } = this.#ports;
    for (let tries = 0; tries < APPEND_TRIES; tries++) {
      if (!isWanted()) return undefined;
      const [text] = lineOf({ at, ...entry }, this.#sum.counts.head);
      const line = parseLine(text) as AuditLine;
      if (await comply.append(text, line.seq)) {
        if (line.phase === 'intent') this.onBegun([line]);
        await comply.save(this.#sum.take(line));
        return line;
      }
      await this.#renew();
      await takeIn(comply, this.#sum);
    }
    throw new CrawlError(
      'E_STORE_DAMAGED',
      'the audit trail has lines that do not follow from its others',
      'nothing was decided; look at it with `orb audit trail`',
    );
  }

  async #renew(): Promise<void> {
    const saved = await this.#ports.comply.load();
    this.onBegun(saved.pending);
    this.#sum.renew(saved);
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(async () => {
      if (this.#ports.isShared) await this.#renew();
      return work();
    });
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

const TEXT_LENGTH_MAX = 4_000;

/** A decision without a reason cannot be answered for. */
function said({ reason, by }: { reason: string; by: string }): { reason: string; by: string } {
  if (reason.trim() !== '') {
    return { reason: reason.slice(0, TEXT_LENGTH_MAX), by: by.slice(0, 200) || 'unknown' };
  }
  throw new CrawlError(
    'E_USAGE',
    'No reason is given.',
    'Say why, for whoever asks later: --reason "request of the owner, ticket 4711"',
  );
}

/** What a line of the trail says of it. */
export function outcomeOf(
  { removed }: Pick<Erasure, 'removed'>,
  { action, subject }: AuditLine,
): string {
  if (action !== 'erase') return 'never asked again';
  const { records, bodies, events } = removed;
  const counts = `erased ${records} records, ${bodies} bodies, ${events} events`;
  return subject.kind === 'region' ? counts : `${counts}; never asked again`;
}

/** No address says where its page will be stored. */
function refuseRegion({ kind }: Subject): void {
  if (kind !== 'region') return;
  throw new CrawlError(
    'E_USAGE',
    'A region can be erased, not blocked or held.',
    'Name a URL, a host or a pattern.',
  );
}
