/**
 * The plain rule (T1): a page that changed is visited twice as often, one that did not is given
 * half as long again, within its bounds. It settles where about 37% of the visits find a change.
 */
import type { Bounds } from './tiers.ts';

const CHANGED = 0.5;
const UNCHANGED = 1.5;

/** `changed` undefined: nothing was learned, by a first visit or by none that was answered. */
export function halvedMs(intervalMs: number, changed: boolean | undefined, bounds: Bounds): number {
  const { floorMs, ceilingMs } = bounds;
  if (!(intervalMs > 0)) return floorMs;
  const factor = changed === undefined ? 1 : changed ? CHANGED : UNCHANGED;
  return Math.min(ceilingMs, Math.max(floorMs, intervalMs * factor));
}
