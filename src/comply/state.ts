/**
 * What the lines of a trail add up to: the rules in force, the complaints, and what was begun
 * and not ended. The store keeps the sum, so that a start reads only the lines behind it, and
 * so that a trail that somebody removed takes no denial with it.
 *
 * A denial counts from its intent on: nothing is asked for while it is being erased.
 */
import { type Rule, Rules } from './rules.ts';
import type { Subject } from './subject.ts';
import { type AuditLine, CHAIN_START, type ChainHead } from './trail.ts';

export interface Counts {
  readonly head: ChainHead;
  readonly complaints: number;
  readonly takedowns: number;
}

export const NO_COUNTS: Counts = { head: CHAIN_START, complaints: 0, takedowns: 0 };

/** What one line changes in the sum. */
export interface ComplyChange {
  readonly denied?: Rule;
  readonly held?: Rule;
  readonly released?: Subject;
  /** Denied no longer. */
  readonly lifted?: Subject;
  readonly begun?: AuditLine;
  readonly ended?: number;
  readonly counts: Counts;
}

export class Complied {
  readonly holds = new Rules();
  readonly denials = new Rules(this.holds);
  /** Begun and not ended, by their numbers. */
  readonly pending = new Map<number, AuditLine>();
  counts: Counts = NO_COUNTS;

  /** What a store that others write, too, adds up to by now. */
  renew(saved: {
    readonly denials: readonly Rule[];
    readonly holds: readonly Rule[];
    readonly pending: readonly AuditLine[];
    readonly counts: Counts;
  }): void {
    renewRules(this.denials, saved.denials);
    renewRules(this.holds, saved.holds);
    this.pending.clear();
    for (const line of saved.pending) this.pending.set(line.seq, line);
    this.counts = saved.counts;
  }

  take(line: AuditLine): ComplyChange {
    const change = line.phase === 'intent' ? this.#begin(line) : this.#end(line);
    const { seq, hash } = line;
    this.counts = { ...this.counts, head: { seq, hash } };
    return { ...change, counts: this.counts };
  }

  #begin(line: AuditLine): Partial<ComplyChange> {
    this.pending.set(line.seq, line);
    const isDenial = line.action === 'block' || line.action === 'erase';
    // What is erased of a region may be asked for again, and stored elsewhere.
    if (!isDenial || line.subject.kind === 'region') return { begun: line };
    return { begun: line, denied: this.#deny(line) };
  }

  #end(line: AuditLine): Partial<ComplyChange> {
    const { of, phase } = line;
    if (of !== undefined) this.pending.delete(of);
    const ended = of === undefined ? {} : { ended: of };
    return phase === 'done' ? { ...ended, ...this.#done(line) } : ended;
  }

  #done(line: AuditLine): Partial<ComplyChange> {
    const { takedowns, complaints } = this.counts;
    switch (line.action) {
      case 'hold': {
        const held = ruleOf(line);
        this.holds.add(held);
        return { held };
      }
      case 'release':
        this.holds.remove(line.subject);
        return { released: line.subject };
      case 'unblock':
        this.denials.remove(line.subject);
        return { lifted: line.subject };
      case 'erase':
        this.counts = { ...this.counts, takedowns: takedowns + 1 };
        return {};
      case 'complain':
        this.counts = { ...this.counts, complaints: complaints + 1 };
        return {};
      default:
        return {};
    }
  }

  /** What was erased once stays erased when it is blocked again. */
  #deny(line: AuditLine): Rule {
    const rule = ruleOf(line);
    const denied = { ...rule, erases: rule.erases || this.denials.get(rule)?.erases === true };
    this.denials.add(denied);
    return denied;
  }
}

export function ruleOf({ subject, reason, by, at, action }: AuditLine): Rule {
  return { ...subject, reason, by, at, erases: action === 'erase' };
}

function renewRules(rules: Rules, saved: readonly Rule[]): void {
  const there = new Rules();
  for (const rule of saved) there.add(rule);
  for (const rule of rules.all()) if (there.get(rule) === undefined) rules.remove(rule);
  for (const rule of saved) if (rules.get(rule)?.at !== rule.at) rules.add(rule);
}
