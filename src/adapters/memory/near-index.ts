/** The near-index in memory: two tables of halves, and what is kept under each. */
import {
  chooseOriginals,
  type Halves,
  halvesOf,
  isNear,
  PROBES,
  probe,
} from '../../content/index.ts';
import type { Fingerprint, NearIndex } from '../../ports/near-index.ts';

interface Entry extends Fingerprint {
  readonly halves: Halves;
}

const SIDES = ['high', 'low'] as const;

export class MemoryNearIndex implements NearIndex {
  readonly #tables = { high: new Map<number, Entry[]>(), low: new Map<number, Entry[]>() };

  async find(pages: readonly Fingerprint[]): Promise<readonly (Fingerprint | undefined)[]> {
    return chooseOriginals(pages, (nth) => this.#near((pages[nth] as Fingerprint).simhash));
  }

  async write(added: readonly Fingerprint[], removed: readonly Fingerprint[]): Promise<void> {
    for (const fingerprint of removed) this.#without(fingerprint);
    for (const fingerprint of added) {
      this.#without(fingerprint);
      this.#add({ ...fingerprint, halves: halvesOf(fingerprint.simhash) });
    }
  }

  async close(): Promise<void> {}

  #near(simhash: bigint): Entry[] {
    const halves = halvesOf(simhash);
    const found = new Set<Entry>();
    for (const side of SIDES) {
      for (let nth = 0; nth < PROBES; nth++) {
        for (const entry of this.#tables[side].get(probe(halves[side], nth)) ?? []) {
          if (isNear(entry.halves, halves)) found.add(entry);
        }
      }
    }
    return [...found];
  }

  #add(entry: Entry): void {
    for (const side of SIDES) {
      const half = entry.halves[side];
      const entries = this.#tables[side].get(half);
      if (entries === undefined) this.#tables[side].set(half, [entry]);
      else entries.push(entry);
    }
  }

  #without({ key, simhash }: Fingerprint): void {
    const halves = halvesOf(simhash);
    for (const side of SIDES) {
      const entries = this.#tables[side].get(halves[side]) ?? [];
      const left = entries.filter((e) => e.simhash !== simhash || !e.key.equals(key));
      if (left.length > 0) this.#tables[side].set(halves[side], left);
      else this.#tables[side].delete(halves[side]);
    }
  }
}
