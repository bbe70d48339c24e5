/** The process among the metrics: what it uses, whether it keeps up, and which build it is. */
import { counter, type Family, gauge, labelled } from '../metrics/index.ts';
import type { VitalSigns } from '../ports/vitals.ts';

export function processFamilies(signs: VitalSigns, version: string): Family[] {
  const { node, cpuSeconds, residentBytes, heapBytes } = signs;
  return [
    gauge('orb_build_info', 'Always 1; which program this is.', [
      { value: 1, labels: { version, node } },
    ]),
    gauge(
      'orb_process_start_time_seconds',
      'When the process began, since 1970.',
      signs.startedAtSeconds,
    ),
    counter(
      'orb_process_cpu_seconds_total',
      'Processor time of all threads.',
      labelled('mode', { ...cpuSeconds }),
    ),
    gauge('orb_process_resident_memory_bytes', 'Memory that the process holds.', residentBytes),
    gauge('orb_process_heap_bytes', "Of it: the main thread's heap in use.", heapBytes),
    counter(
      'orb_event_loop_busy_seconds_total',
      'Time that the main thread had something to do.',
      signs.loopBusySeconds,
    ),
    gauge(
      'orb_event_loop_lag_seconds',
      'The longest that the main thread was late since the last scrape.',
      signs.loopLagMaxSeconds,
    ),
  ];
}
