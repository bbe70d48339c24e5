/** The command line that the planner shows makes the plan that it shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal, resolveSettings } from '../../../config/index.ts';
import { DEFAULT_INPUTS, presetOf } from '../../../plan/index.ts';
import { inputsOf } from '../../cli/capacity-inputs.ts';
import { commandFor, DIALS, LOG_STEPS, PRICES, positionOf, valueAt } from './plan-dials.ts';

function planned(command: string) {
  const argv = command.split(' ').slice(2);
  const resolution = resolveSettings({ argv });
  assert.ok(!isRefusal(resolution), `${command}: ${JSON.stringify(resolution)}`);
  return inputsOf(resolution, DEFAULT_INPUTS);
}

for (const dial of DIALS) {
  test(`planner: ${dial.flag} on the command line is what its dial says`, () => {
    const at = dial.isLog ? [0, 137, 500, 999, LOG_STEPS] : [dial.min, dial.max];
    for (const position of at) {
      const inputs = dial.set(DEFAULT_INPUTS, valueAt(dial, position));
      assert.deepEqual(planned(commandFor(inputs, DEFAULT_INPUTS, '')), inputs);
    }
  });
}

test('planner: edited prices are in the command, too', () => {
  const edited = PRICES.map(({ field }, i) => [field, i + 0.5]);
  const prices = { ...DEFAULT_INPUTS.prices, ...Object.fromEntries(edited) };
  const inputs = { ...DEFAULT_INPUTS, prices };
  assert.deepEqual(planned(commandFor(inputs, DEFAULT_INPUTS, '')), inputs);
});

test('planner: a preset that nobody turned a dial of is named, and nothing else', () => {
  const { inputs } = presetOf('billion-a-day');
  assert.equal(commandFor(inputs, inputs, 'billion-a-day'), 'orb plan --preset billion-a-day');
});

test('planner: a dial that is left where it stands keeps its value', () => {
  for (const dial of DIALS) {
    const value = dial.get(DEFAULT_INPUTS) as number;
    const again = valueAt(dial, Math.round(positionOf(dial, value) * 1e6) / 1e6);
    assert.ok(Math.abs(again - value) <= value * 0.01, `${dial.name}: ${value} became ${again}`);
  }
});
