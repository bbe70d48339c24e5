/** What of a step has to be on disk: the arc's state, where it changed, and rows (ports/arc-copies.ts). */
import type { CopyChange, SavedArc } from '../ports/arc-copies.ts';
import type { ArcEffect, ArcState } from '../ring/index.ts';

export function savedOf(state: ArcState): SavedArc {
  const { promised, votedFor, at, charter, isChartered } = state;
  return { promised, votedFor, at, charter, isChartered };
}

/** Undefined when nothing of it is another than before. */
export function savedIfChanged(
  before: ArcState,
  state: ArcState,
  changes: readonly CopyChange[],
): SavedArc | undefined {
  const isSame =
    before.promised === state.promised &&
    before.votedFor === state.votedFor &&
    before.at === state.at &&
    before.charter === state.charter &&
    before.isChartered === state.isChartered;
  return isSame && changes.length === 0 ? undefined : savedOf(state);
}

/** Entries of a charter alone change no rows. */
export function changesIn(effects: readonly ArcEffect[]): CopyChange[] {
  return effects.flatMap((effect): CopyChange[] => {
    if (effect.kind === 'drop') return [{ kind: 'drop' }];
    if (effect.kind === 'replace') {
      const { bucket, of: buckets } = effect;
      return [{ kind: 'replace', bucket, buckets, rows: effect.rows as readonly Uint8Array[] }];
    }
    if (effect.kind !== 'apply') return [];
    const bodies = effect.entries.flatMap(({ body }) =>
      body === undefined ? [] : [body as Uint8Array],
    );
    return bodies.length === 0 ? [] : [{ kind: 'entries', bodies }];
  });
}
