/**
 * The capacity planner: from pages a day to machines and money (O3).
 *
 *   inputs.ts ──> plan.ts ──┬─ load.ts      pages and bytes a second
 *                           ├─ storage.ts   bodies and records
 *                           ├─ filter.ts    known URLs in memory (bloom-rate.ts)
 *                           ├─ fleet.ts     hosts, shards, fetchers, nodes
 *                           ├─ cost.ts      the bill of a month
 *                           └─ findings.ts  what will not work as given
 *
 *   presets.ts, quoted.ts   estimates that others quote, computed again
 *   figure.ts, say.ts       a number with its sentence; amounts in words
 *   lifecycle.ts            what becomes of bodies in S3 as they grow old
 */
export { type BestRate, bestRate, fewestBits } from './bloom-rate.ts';
export type { Bill, CostLine } from './cost.ts';
export { type Figure, sayFigure, type Unit } from './figure.ts';
export type { Finding } from './findings.ts';
export { DEFAULT_INPUTS, type PlanInputs, type Prices } from './inputs.ts';
export { type Lifecycle, lifecycleJson, lifecycleXml } from './lifecycle.ts';
export { type Plan, planCapacity } from './plan.ts';
export { PRESET_NAMES, type Preset, type PresetName, presetOf } from './presets.ts';
export { compareQuoted, type FigureKey, figureOf, type QuotedFigure } from './quoted.ts';
export { sayBytes, sayCount, sayShare, sayTime } from './say.ts';
