/** What was noted of erasures, in memory: the reference of the `EraseLedger` port. */
import { deedIn, type EraseLedger, type ErasePart, partName } from '../../ports/erase-ledger.ts';

export class MemoryEraseLedger implements EraseLedger {
  readonly #parts = new Map<string, ErasePart>();

  async parts(of: number): Promise<readonly ErasePart[]> {
    return [...this.#parts].flatMap(([name, part]) => (deedIn(name) === of ? [part] : []));
  }

  async note(of: number, parts: readonly ErasePart[]): Promise<void> {
    for (const part of parts) this.#parts.set(partName(of, part), part);
  }

  async forget(before: number): Promise<void> {
    for (const name of this.#parts.keys()) if (deedIn(name) < before) this.#parts.delete(name);
  }
}
