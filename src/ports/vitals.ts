/**
 * The process's own vital signs: what it uses, and whether it keeps up.
 *
 * Promises:
 *   1. Reading costs microseconds and changes nothing but where `loopLagMaxSeconds` begins anew.
 *   2. `cpuSeconds`, `loopBusySeconds` never fall.
 */
export interface Vitals {
  read(): VitalSigns;
}

export interface VitalSigns {
  /** Since 1970. */
  readonly startedAtSeconds: number;
  readonly cpuSeconds: { readonly user: number; readonly system: number };
  readonly residentBytes: number;
  readonly heapBytes: number;
  /** Time that the event loop had something to do. */
  readonly loopBusySeconds: number;
  /** The longest that a timer was late since the last reading a second ago or more; 0 at first. */
  readonly loopLagMaxSeconds: number;
  /** `24.1.0` */
  readonly node: string;
}
