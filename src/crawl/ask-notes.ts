/** What was noticed about a host's pages: its sketch (../quality/), in the words of an answer. */
import {
  decodeSketch,
  familiesOf,
  type HostSketch,
  parametersIn,
  type Verdict,
} from '../quality/index.ts';
import type { HostNotes, TrapNote } from './answers.ts';

export interface SketchNotes {
  readonly traps: readonly TrapNote[];
  /** As far as it concerns one URL. */
  about(url: string): HostNotes;
}

export function notesOf(bytes: Uint8Array): SketchNotes {
  const sketch = decodeSketch(bytes);
  return { traps: sketch.verdicts.map(trapNote), about: (url) => notesAbout(sketch, url) };
}

function notesAbout(sketch: HostSketch, url: string): HostNotes {
  const { soft404, farm } = sketch;
  const verdict = sketch.verdictOn(familiesOf(url), parametersIn(url));
  return {
    ...(verdict && { trap: trapNote(verdict) }),
    ...(soft404 && { soft404 }),
    ...(farm && { farm }),
    ...(sketch.isLoop(url) && { isLoop: true }),
  };
}

function trapNote(verdict: Verdict): TrapNote {
  const { key: shape, kind, reason, at: since, fetched, skipped, probeAt: lookAt } = verdict;
  const parametersMax = kind === 'facets' ? verdict.parametersMax : 0;
  return { shape, kind, reason, since, fetched, skipped, lookAt, parametersMax };
}
