/** Hooks: an answer of the API as a state, a list in slices, and the live feed. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type ApiProblem, ask, problemFrom } from './ask.ts';
import { sleep } from './browser.ts';
import type { Live, LiveFeed } from './live.ts';

export interface Asked<T> {
  readonly value?: T;
  readonly problem?: ApiProblem;
  readonly again: () => void;
}

/** An empty path asks nothing. With `everyMs` it is asked again and again while it is shown. */
export function useAsked<T>(path: string, everyMs = 0): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'again'> & { path?: string }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (path === '') return undefined;
    const stop = new AbortController();
    void askOver<T>(path, everyMs, stop.signal, (next) => setState({ ...next, path }));
    return () => stop.abort();
  }, [path, everyMs, turn]);
  const again = useCallback(() => setTurn((last) => last + 1), []);
  return state.path === path ? { ...state, again } : { again };
}

async function askOver<T>(
  path: string,
  everyMs: number,
  signal: AbortSignal,
  tell: (state: { value: T } | { problem: ApiProblem }) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const value = await ask<T>(path, signal);
      if (!signal.aborted) tell({ value });
    } catch (error) {
      if (!signal.aborted) tell({ problem: problemFrom(error) });
    }
    if (everyMs === 0) return;
    await sleep(everyMs, signal);
  }
}

export interface Sliced<T> {
  readonly rows: readonly T[];
  readonly problem?: ApiProblem;
  readonly isAsking: boolean;
  /** Undefined at the end of the list. */
  readonly more?: () => void;
  readonly again: () => void;
}

/** A list of which the next slice comes when it is asked for. Another path is another component. */
export function useSlices<T>(path: string, name: string): Sliced<T> {
  const [rows, setRows] = useState<readonly T[]>([]);
  const [cursor, setCursor] = useState<string | undefined>('');
  const asked = useAsked<Record<string, unknown>>(cursor === undefined ? '' : path + cursor);
  const { value, problem, again } = asked;
  useEffect(() => {
    if (value === undefined) return;
    const slice = value[name] as readonly T[];
    setRows((before) => (cursor === '' ? slice : [...before, ...slice]));
  }, [value]);
  const next = value?.next_cursor as string | undefined;
  const mark = path.includes('?') ? '&' : '?';
  return {
    ...{ rows, again, isAsking: value === undefined && problem === undefined },
    ...(problem && { problem }),
    ...(next !== undefined && { more: () => setCursor(`${mark}cursor=${next}`) }),
  };
}

export function useLive(feed: LiveFeed): Live {
  const [live, setLive] = useState(feed.current);
  useEffect(() => {
    setLive(feed.current);
    return feed.hear(setLive);
  }, [feed]);
  return live;
}
