/** The `Vitals` port: what Node says of its own process. Lag is watched from the first reading on. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { VitalSigns, Vitals } from '../../ports/vitals.ts';

/** A timer that fires so often is what the lag is measured with. */
const LOOK_MS = 20;
/** Its first look after a reset says nothing: readers who come more often see the same stretch. */
const STRETCH_MS = 1_000;
const [MICRO, MILLI, NANO] = [1e-6, 1e-3, 1e-9];

export function systemVitals(): Vitals {
  let lag: ReturnType<typeof monitorEventLoopDelay> | undefined;
  let since = 0;
  const lagSeconds = (): number => {
    if (lag === undefined) {
      lag = monitorEventLoopDelay({ resolution: LOOK_MS });
      lag.enable();
      since = performance.now();
      return 0;
    }
    // The time between two looks was measured: what exceeds the pause is lag.
    const longest = lag.max * NANO - LOOK_MS * MILLI;
    if (performance.now() - since >= STRETCH_MS) {
      lag.reset();
      since = performance.now();
    }
    return Math.max(0, longest);
  };
  return { read: () => signs(lagSeconds()) };
}

function signs(loopLagMaxSeconds: number): VitalSigns {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    startedAtSeconds: performance.timeOrigin * MILLI,
    cpuSeconds: { user: user * MICRO, system: system * MICRO },
    residentBytes: rss,
    heapBytes: heapUsed,
    loopBusySeconds: performance.eventLoopUtilization().active * MILLI,
    loopLagMaxSeconds,
    node: process.versions.node,
  };
}
