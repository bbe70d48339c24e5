/** The trail and its sum in memory: the reference of the `ComplyStore` port. */
import { type AuditLine, type ComplyChange, NO_COUNTS, Rules } from '../../comply/index.ts';
import type { ComplyStore, SavedCompliance } from '../../ports/comply-store.ts';

export class MemoryComplyStore implements ComplyStore {
  /** Open to tests, which play the one who tampers with it. */
  readonly lines: string[] = [];
  readonly #denials = new Rules();
  readonly #holds = new Rules();
  readonly #pending = new Map<number, AuditLine>();
  #counts = NO_COUNTS;

  async *trail(): AsyncIterable<string> {
    yield* this.lines;
  }

  async append(line: string, nth: number): Promise<boolean> {
    if (this.lines.length >= nth) return false;
    this.lines.push(line);
    return true;
  }

  async load(): Promise<SavedCompliance> {
    const pending = [...this.#pending.values()];
    const [denials, holds] = [this.#denials.all(), this.#holds.all()];
    return { denials, holds, pending, counts: this.#counts };
  }

  async save({
    denied,
    lifted,
    held,
    released,
    begun,
    ended,
    counts,
  }: ComplyChange): Promise<void> {
    if (counts.head.seq < this.#counts.head.seq) return;
    if (denied !== undefined) this.#denials.add(denied);
    if (lifted !== undefined) this.#denials.remove(lifted);
    if (held !== undefined) this.#holds.add(held);
    if (released !== undefined) this.#holds.remove(released);
    if (begun !== undefined) this.#pending.set(begun.seq, begun);
    if (ended !== undefined) this.#pending.delete(ended);
    this.#counts = counts;
  }
}
