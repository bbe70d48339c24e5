/** The bill of a month: an amount, a price that the reader can change, and their product. */
import { DAYS_PER_MONTH, type PlanInputs, SECONDS_PER_DAY } from './inputs.ts';
import { storedPages } from './storage.ts';

export interface CostLine {
  readonly name: string;
  readonly amount: number;
  readonly unit: string;
  readonly price: number;
  readonly cost: number;
}

export interface Bill {
  readonly currency: string;
  readonly lines: readonly CostLine[];
  readonly perMonth: number;
  readonly perMillionPages: number;
}

export interface Consumption {
  readonly diskBytes: number;
  readonly bandwidthBytes: number;
  readonly nodes: number;
  readonly filterBytes: number;
}

/** As it is once the retention is full; the months before cost less. */
export function billOf(inputs: PlanInputs, used: Consumption): Bill {
  const { prices, load } = inputs;
  const seconds = DAYS_PER_MONTH * SECONDS_PER_DAY;
  const writes = storedPages(inputs) * DAYS_PER_MONTH * inputs.keep.copies;
  const lines = [
    line('storage', used.diskBytes / 1e12, 'TB', prices.storageTbMonth),
    line('nodes', used.nodes, 'nodes', prices.nodeMonth),
    line('filter in a memory store', used.filterBytes / 1e9, 'GB', prices.memoryGbMonth),
    line('traffic in', (used.bandwidthBytes * seconds) / 1e12, 'TB', prices.trafficTb),
    line('bodies written', writes / 1e6, 'million', prices.writesMillion),
  ];
  const perMonth = lines.reduce((sum, { cost }) => sum + cost, 0);
  const perMillionPages = perMonth / ((load.pagesPerDay * DAYS_PER_MONTH) / 1e6);
  return { currency: prices.currency, lines, perMonth, perMillionPages };
}

function line(name: string, amount: number, unit: string, price: number): CostLine {
  return { name, amount, unit, price, cost: amount * price };
}
