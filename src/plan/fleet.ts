/**
 * Who does it: hosts that must be there to be asked, shards, fetchers, nodes.
 *
 * Hosts come first: no number of machines makes a host answer more often than politeness
 * lets it be asked. Shards are a power of two, because a shard grows by being halved.
 */
import { type Figure, figure } from './figure.ts';
import { type Load, type PlanInputs, SECONDS_PER_DAY } from './inputs.ts';
import { sayBytes, sayCount, sayShare, sayTime } from './say.ts';

export interface FleetFigures {
  readonly hostsNeeded: Figure;
  readonly returnsPerYear: Figure;
  readonly shards: Figure;
  readonly shardRecords: Figure;
  readonly fetchers: Figure;
  readonly nodes: Figure;
  readonly diskNodes: Figure;
}

/** What earlier figures say that machines depend on. */
export interface Demand {
  readonly peak: number;
  readonly peakBytes: number;
  readonly knownUrls: number;
  readonly recordsBytes: number;
  readonly filterBytes: number;
  readonly diskBytes: number;
}

export function fleetFigures(inputs: PlanInputs, demand: Demand): FleetFigures {
  const { fleet, load } = inputs;
  const { recordsBytes, diskBytes } = demand;
  const shards = shardFigure(inputs, demand);
  const fetchers = fetcherFigure(inputs, demand);
  const share = `${sayBytes(recordsBytes)} ÷ ${sayCount(shards.value)}`;
  const disks = atLeastOne(diskBytes / fleet.nodeDiskBytes);
  const disk = `${sayBytes(diskBytes)} ÷ ${sayBytes(fleet.nodeDiskBytes)} of disk`;
  return {
    hostsNeeded: hostsFigure(inputs, demand),
    returnsPerYear: returnsFigure(load, demand.knownUrls),
    shards,
    shardRecords: figure('records a shard', recordsBytes / shards.value, 'bytes', share),
    fetchers,
    nodes: nodesFigure(inputs, demand, fetchers.value),
    diskNodes: figure('nodes for the bodies', disks, '', `${disk}, if not in an object store`),
  };
}

function fetcherFigure({ fleet }: PlanInputs, { peak }: Demand): Figure {
  const value = atLeastOne(peak / fleet.fetcherRate);
  const formula = `${sayCount(peak)} pages/s at the peak ÷ ${sayCount(fleet.fetcherRate)} each`;
  return figure('fetchers', value, '', formula);
}

function hostsFigure({ fleet, load }: PlanInputs, { peak }: Demand): Figure {
  const byDelay = atLeastOne((peak * fleet.hostDelayMs) / 1_000);
  const byQuota = atLeastOne(load.pagesPerDay / fleet.hostQuotaPerDay);
  const name = 'hosts to ask at once';
  const formula =
    byQuota > byDelay
      ? `${sayCount(load.pagesPerDay)} pages ÷ ${sayCount(fleet.hostQuotaPerDay)} a host and day`
      : `${sayCount(peak)} pages/s × ${sayTime(fleet.hostDelayMs)} between two requests to a host`;
  return figure(name, Math.max(byDelay, byQuota), 'hosts', formula);
}

function returnsFigure({ pagesPerDay, recrawlShare }: Load, knownUrls: number): Figure {
  const value = (pagesPerDay * recrawlShare * 365) / knownUrls;
  const formula = `${sayCount(pagesPerDay)} pages × ${sayShare(recrawlShare)} × 365 ÷ ${sayCount(knownUrls)} URLs`;
  return figure('returns to a page', value, 'visits/year', formula);
}

function shardFigure({ fleet }: PlanInputs, { peak, recordsBytes }: Demand): Figure {
  const byRate = atLeastOne(peak / fleet.shardRate);
  const bySize = atLeastOne(recordsBytes / fleet.shardBytes);
  const why =
    byRate >= bySize
      ? `${sayCount(peak)} pages/s ÷ ${sayCount(fleet.shardRate)} a shard`
      : `${sayBytes(recordsBytes)} of records ÷ ${sayBytes(fleet.shardBytes)} a shard`;
  const value = 2 ** Math.ceil(Math.log2(Math.max(byRate, bySize)));
  return figure('shards', value, '', `${why}, up to a power of 2`);
}

function nodesFigure({ fleet }: PlanInputs, demand: Demand, fetchers: number): Figure {
  const { peakBytes, filterBytes } = demand;
  const { nodeBandwidthBytes: line, nodeMemoryBytes: memory } = fleet;
  const network = `${sayBytes(peakBytes)}/s ÷ ${sayBytes(line)}/s each`;
  const filter = `${sayBytes(filterBytes)} ÷ ${sayBytes(memory)} of memory each`;
  const needs: readonly (readonly [number, string])[] = [
    [fetchers, 'one fetcher each; network and memory would do with fewer'],
    [atLeastOne(peakBytes / line), `the network decides: ${network}`],
    [atLeastOne(filterBytes / memory), `the filter decides: ${filter}`],
  ];
  const [value, why] = needs.reduce((most, one) => (one[0] > most[0] ? one : most));
  return figure('nodes', value, '', why);
}

/** A product of fractions may end a hair above a whole number; that is no further machine. */
const NOISE = 1e-12;

function atLeastOne(amount: number): number {
  return Math.max(1, Math.ceil(amount * (1 - NOISE)));
}

/** Pages a day that so many hosts allow, asked as often as politeness lets. */
export function politePagesPerDay({ fleet }: PlanInputs, hosts: number): number {
  const byDelay = (SECONDS_PER_DAY * 1_000) / fleet.hostDelayMs;
  return hosts * Math.min(byDelay, fleet.hostQuotaPerDay);
}
