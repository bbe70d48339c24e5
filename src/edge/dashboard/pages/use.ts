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
  /** Of all slices together, where the API tells it. */
  readonly count?: number;
  readonly problem?: ApiProblem;
  readonly isAsking: boolean;
  /** Undefined at the end of the list. */
  readonly more?: () => void;
  readonly again: () => void;
}

interface Slice {
  readonly count?: number;
  readonly next_cursor?: string;
}

/**
 * A list of which the next slice comes when it is asked for. With another path it begins anew;
 * until that answer comes, the rows that are there stay.
 */
export function useSlices<T>(path: string, name: string): Sliced<T> {
  const [rows, setRows] = useState<readonly T[]>([]);
  const [at, setAt] = useState({ path, cursor: '' });
  const cursor = at.path === path ? at.cursor : '';
  const { value, problem, again } = useAsked<Slice & Record<string, unknown>>(path + cursor);
  useEffect(() => {
    if (value === undefined) return;
    const slice = value[name] as readonly T[];
    setRows((before) => (cursor === '' ? slice : [...before, ...slice]));
  }, [value]);
  const next = value?.next_cursor;
  const mark = path.includes('?') ? '&' : '?';
  return {
    ...{ rows, again, isAsking: value === undefined && problem === undefined },
    ...(value?.count !== undefined && { count: value.count }),
    ...(problem && { problem }),
    ...(next !== undefined && { more: () => setAt({ path, cursor: `${mark}cursor=${next}` }) }),
  };
}

/** What an operator set going: nothing yet, under way, done, or refused. */
export interface Doing<T> {
  readonly isBusy: boolean;
  readonly done?: T;
  readonly problem?: ApiProblem;
  readonly act: (deed: () => Promise<T>) => Promise<void>;
  readonly clear: () => void;
}

export function useDoing<T>(after?: (done: T) => void): Doing<T> {
  const [state, setState] = useState<Pick<Doing<T>, 'isBusy' | 'done' | 'problem'>>(IDLE);
  const act = async (deed: () => Promise<T>) => {
    setState({ isBusy: true });
    try {
      const done = await deed();
      setState({ isBusy: false, done });
      after?.(done);
    } catch (error) {
      setState({ isBusy: false, problem: problemFrom(error) });
    }
  };
  return { ...state, act, clear: () => setState(IDLE) };
}

const IDLE = { isBusy: false };

/** The value as it was when it last stayed the same for a while: for who types. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const stop = new AbortController();
    void sleep(ms, stop.signal).then(() => {
      if (!stop.signal.aborted) setSettled(value);
    });
    return () => stop.abort();
  }, [value, ms]);
  return settled;
}

export function useLive(feed: LiveFeed): Live {
  const [live, setLive] = useState(feed.current);
  useEffect(() => {
    setLive(feed.current);
    return feed.hear(setLive);
  }, [feed]);
  return live;
}

/** Whether the service is a node of a ring; said anew only when that changes. */
export function useOnRing(feed: LiveFeed): boolean {
  const isSo = (live: Live) => live.progress?.is_on_ring === true;
  const [isOnRing, setOnRing] = useState(isSo(feed.current));
  useEffect(() => feed.hear((live) => setOnRing(isSo(live))), [feed]);
  return isOnRing;
}
