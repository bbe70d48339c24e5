/**
 * `orb plan`: what a crawl of a given size takes (O3). The thinking is in `../../plan/`; this
 * is where its inputs come from and where its figures go. What a crawl is going to do before
 * it does it is another matter: plan.ts.
 *
 *   given (flag, environment, file) > preset > default
 */
import { exitCode, type Resolution } from '../../config/index.ts';
import {
  compareQuoted,
  DEFAULT_INPUTS,
  type PlanInputs,
  type Preset,
  planCapacity,
  presetOf,
} from '../../plan/index.ts';
import { inputsOf } from './capacity-inputs.ts';
import { CAPACITY_ROW, type Capacity, capacityRows } from './capacity-row.ts';
import { capacityText } from './capacity-text.ts';
import { jsonLine } from './format.ts';
import { headText, plainFormat, rowText, withOutput } from './rows.ts';
import type { World } from './world.ts';

export async function capacityCommand(resolution: Resolution, world: World): Promise<number> {
  const { settings } = resolution;
  const capacity = capacityOf(resolution);
  await withOutput(settings, world, (output) =>
    output.write(written(capacity, plainFormat(settings), output.columns)),
  );
  return exitCode('complete');
}

function written(
  capacity: Capacity,
  format: 'text' | 'json' | 'csv',
  columns: number | undefined,
): string {
  if (format === 'json') return jsonLine(capacity);
  if (format === 'text') return capacityText(capacity, columns);
  const rows = capacityRows(capacity).map((row) => rowText(row, CAPACITY_ROW, format));
  return headText(CAPACITY_ROW, format) + rows.join('');
}

function capacityOf(resolution: Resolution): Capacity {
  const name = resolution.settings.plan.preset;
  if (name === undefined) {
    return { ...planCapacity(inputsOf(resolution, DEFAULT_INPUTS)), quoted: [] };
  }
  const preset = presetOf(name);
  const plan = planCapacity(inputsOf(resolution, preset.inputs));
  const quoted = isAsQuoted(plan.inputs, preset) ? compareQuoted(plan, preset.quotes) : [];
  return { preset: name, ...plan, quoted };
}

/** Whoever changes an estimate's inputs no longer asks about the estimate; prices are no part. */
function isAsQuoted(inputs: PlanInputs, preset: Preset): boolean {
  const { prices } = inputs;
  return JSON.stringify(inputs) === JSON.stringify({ ...preset.inputs, prices });
}
