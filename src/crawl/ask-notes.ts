/** What was noticed about a host's pages: its sketch (../quality/), in the words of an answer. */
import type { HostNotes, TrapNote } from './answers.ts';

export interface SketchNotes {
  readonly traps: readonly TrapNote[];
  /** As far as it concerns one URL. */
  about(url: string): HostNotes;
}

const NOTHING: SketchNotes = { traps: [], about: () => ({}) };

export function notesOf(_sketch: Uint8Array): SketchNotes {
  return NOTHING;
}
