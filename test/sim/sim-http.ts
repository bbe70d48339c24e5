/**
 * The web as a node's process in virtual time asks it: it connects first, looks once more whether
 * it may still ask, and goes on looking while the answer comes.
 */
import type { Http } from '../../src/ports/http.ts';
import type { VirtualClock } from './clock.ts';
import type { Process } from './process.ts';

const CONNECT_MS = 30;
const LOOK_MS = 200;

export interface SimHttpParts {
  readonly clock: VirtualClock;
  readonly http: Http;
  readonly process: Process;
  /** It does not look whether it may. */
  readonly isBlind?: boolean;
  readonly onConnect?: () => void;
  /** It is sent at this instant. */
  readonly onSend?: (url: string) => void;
}

export function simHttp(parts: SimHttpParts): Http {
  const { clock, http, process, isBlind = false } = parts;
  return {
    exchange: async (request, signal) => {
      const startedAt = clock.now();
      const isOver = () => signal?.aborted === true || (!isBlind && request.mayStill?.() === false);
      parts.onConnect?.();
      await process.through(clock.sleepUntil(clock.now() + CONNECT_MS));
      const isLate = !isBlind && clock.now() - startedAt >= request.limits.connectMs;
      if (isOver() || isLate) {
        const failed = { kind: 'failed', reason: 'aborted', detail: 'not any more' } as const;
        return { ...failed, startedAt, endedAt: clock.now() };
      }
      parts.onSend?.(request.url.toString());
      const [out, ended] = [new AbortController(), new AbortController()];
      const answer = http.exchange(request, out.signal).finally(() => ended.abort());
      const watch = async () => {
        while (!ended.signal.aborted) {
          await process.through(clock.sleepUntil(clock.now() + LOOK_MS, ended.signal));
          if (isOver()) out.abort();
        }
      };
      void watch();
      return process.through(answer);
    },
    close: async () => {},
  };
}
