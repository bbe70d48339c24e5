/** Which rows are ours at this instant, and how to read them without those that are copies. */
import type { ArcLog } from '../../ports/arc-log.ts';
import type { UrlKey } from '../../record/index.ts';
import { ARCS, arcOf, type FirstBytes, firstBytesOf } from '../../url/index.ts';

const START = Buffer.alloc(0);

export class OwnedArcs {
  readonly #log: Pick<ArcLog, 'epochOf'>;

  constructor(log: Pick<ArcLog, 'epochOf'>) {
    this.#log = log;
  }

  hasArc(arc: number): boolean {
    return this.#log.epochOf(arc) !== undefined;
  }

  has(key: Uint8Array): boolean {
    return this.hasArc(arcOf(key));
  }

  all(): number[] {
    return Array.from({ length: ARCS }, (_, arc) => arc).filter((arc) => this.hasArc(arc));
  }

  /** The parts of a range of first bytes that are ours; one within a single arc is left as it is. */
  within({ from, to }: FirstBytes): FirstBytes[] {
    if (from >> 2 === to >> 2) return [{ from, to }];
    const parts = this.all().map(firstBytesOf);
    return parts
      .map((part) => ({ from: Math.max(from, part.from), to: Math.min(to, part.to) }))
      .filter((part) => part.from <= part.to);
  }

  /** Those of the arcs that are ours, with their epochs. */
  epochsOf(arcs: readonly number[]): Map<number, number> {
    const epochs = new Map<number, number>();
    for (const arc of arcs) {
      const epoch = this.#log.epochOf(arc);
      if (epoch !== undefined) epochs.set(arc, epoch);
    }
    return epochs;
  }

  /**
   * Where to read on from a place: there, or where the next arc of ours begins; empty is the place
   * itself, undefined the end.
   */
  placeAfter(place: Uint8Array | undefined): Buffer | undefined {
    const first = (place?.[0] ?? 0) >> 2;
    for (let arc = first; arc < ARCS; arc++) {
      if (this.hasArc(arc)) return arc === first ? START : Buffer.from([arc << 2]);
    }
    return undefined;
  }

  /** A piece that is ours, from wherever the next one is; an empty one is the end. */
  async read<T extends { readonly key: UrlKey }>(
    after: UrlKey | undefined,
    readFrom: (place: UrlKey | undefined) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    for (let place = after; ; ) {
      const next = this.placeAfter(place);
      if (next === undefined) return [];
      const piece = await readFrom(next.length === 0 ? place : next);
      const last = piece[piece.length - 1];
      const own = piece.filter(({ key }) => this.has(key));
      if (last === undefined || own.length > 0) return own;
      place = last.key;
    }
  }
}
