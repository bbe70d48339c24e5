/**
 * The capacity planner (O3): one pure function, for the command line and the browser alike.
 *
 * Nothing is stored and nothing is asked: the same inputs always give the same plan.
 */
import { type Bill, billOf } from './cost.ts';
import { type FilterFigures, filterFigures } from './filter.ts';
import { type Finding, findingsOf } from './findings.ts';
import { type FleetFigures, fleetFigures } from './fleet.ts';
import type { PlanInputs } from './inputs.ts';
import { type LoadFigures, loadFigures } from './load.ts';
import { type StorageFigures, storageFigures } from './storage.ts';

export interface Plan {
  readonly inputs: PlanInputs;
  readonly load: LoadFigures;
  readonly storage: StorageFigures;
  readonly filter: FilterFigures;
  readonly fleet: FleetFigures;
  readonly bill: Bill;
  /** What will not work as given, with what would. */
  readonly findings: readonly Finding[];
}

export function planCapacity(inputs: PlanInputs): Plan {
  const load = loadFigures(inputs);
  const filter = filterFigures(inputs);
  const storage = storageFigures(inputs, filter.knownUrls.value);
  const demand = {
    peak: load.pagesPerSecondPeak.value,
    peakBytes: load.bandwidthPeak.value,
    knownUrls: filter.knownUrls.value,
    recordsBytes: storage.records.value,
    filterBytes: filter.blockedMemory.value,
    diskBytes: storage.retainedCopies.value,
  };
  const fleet = fleetFigures(inputs, demand);
  const bandwidthBytes = load.bandwidth.value;
  const bill = billOf(inputs, { ...demand, bandwidthBytes, nodes: fleet.nodes.value });
  const findings = findingsOf(inputs, filter, fleet);
  return { inputs, load, storage, filter, fleet, bill, findings };
}
