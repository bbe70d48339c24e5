/** What of a plan will not work as given: too few bits, too few hosts, nothing to remember. */
import { bitsVerdict, type FilterFigures, newPerDay } from './filter.ts';
import { type FleetFigures, politePagesPerDay } from './fleet.ts';
import type { PlanInputs } from './inputs.ts';
import { sayCount, sayTime } from './say.ts';

export interface Finding {
  readonly message: string;
  readonly hint: string;
}

export function findingsOf(
  inputs: PlanInputs,
  filter: FilterFigures,
  fleet: FleetFigures,
): readonly Finding[] {
  return [...bitsFinding(inputs, filter), ...hostsFinding(inputs, fleet), ...knownFinding(inputs)];
}

function bitsFinding({ filter: asked }: PlanInputs, filter: FilterFigures): Finding[] {
  const { bitsPerUrl, falsePositive } = asked;
  if (bitsPerUrl === undefined || filter.falsePositive.value <= falsePositive) return [];
  const message = `${bitsVerdict(bitsPerUrl, falsePositive, filter.knownUrls.value)}.`;
  return [{ message, hint: 'Give more bits, or plan with the rate that these bits have.' }];
}

function hostsFinding(inputs: PlanInputs, { hostsNeeded }: FleetFigures): Finding[] {
  const { hosts, hostDelayMs } = inputs.fleet;
  if (hosts === undefined || hosts >= hostsNeeded.value) return [];
  const allowed = sayCount(politePagesPerDay(inputs, hosts));
  const message =
    `${sayCount(hosts)} hosts, asked once in ${sayTime(hostDelayMs)}, allow ${allowed} pages` +
    ` a day at most; the peak takes ${sayCount(hostsNeeded.value)} hosts with pages waiting.`;
  return [{ message, hint: 'Crawl more hosts, plan fewer pages, or flatten the peak.' }];
}

function knownFinding(inputs: PlanInputs): Finding[] {
  if (inputs.filter.knownUrls !== undefined || newPerDay(inputs) > 0) return [];
  const message = 'Every fetch is a return, so how many URLs are known does not follow.';
  return [{ message, hint: 'Say how many are known: --known-urls 50B.' }];
}
