/** The capacity planner: dials on one side, and on the other the figures of `orb plan` (O3). */
import { useMemo, useState } from 'preact/hooks';
import {
  DEFAULT_INPUTS,
  type PlanInputs,
  PRESET_NAMES,
  type PresetName,
  planCapacity,
  presetOf,
  sayBytes,
  sayCount,
  sayTime,
} from '../../../plan/index.ts';
import { Notice, Title } from './parts.tsx';
import { commandFor, DIALS, type Dial, LOG_STEPS, positionOf, valueAt } from './plan-dials.ts';
import { Bill, Figures, Quoted } from './plan-figures.tsx';

type Preset = PresetName | '';

function baseOf(preset: Preset): PlanInputs {
  return preset === '' ? DEFAULT_INPUTS : presetOf(preset).inputs;
}

export function Planner() {
  const [preset, setPreset] = useState<Preset>('');
  const [inputs, setInputs] = useState<PlanInputs>(DEFAULT_INPUTS);
  const plan = useMemo(() => planCapacity(inputs), [inputs]);
  const base = baseOf(preset);
  const choose = (name: Preset) => {
    setPreset(name);
    setInputs({ ...baseOf(name), prices: inputs.prices });
  };
  const { load, keep } = inputs;
  const kept = `bodies kept for ${sayTime(keep.retentionMs)}`;
  const lead = `${sayCount(load.pagesPerDay)} pages a day of ${sayBytes(load.pageBytes)}, ${kept}.`;
  return (
    <>
      <Title name="Planner" lead={lead} />
      <div class="planner">
        <form
          class="dials"
          aria-label="What to plan for"
          onSubmit={(event) => event.preventDefault()}
        >
          <PresetChoice preset={preset} onChoose={choose} />
          {DIALS.map((one) => (
            <DialRow key={one.flag} dial={one} inputs={inputs} onInputs={setInputs} />
          ))}
          <p class="command">
            <span>The same on the command line</span>
            <code>{commandFor(inputs, { ...base, prices: DEFAULT_INPUTS.prices }, preset)}</code>
          </p>
        </form>
        <div class="plan">
          {plan.findings.map(({ message, hint }) => (
            <Notice key={message} title={message} isBad>
              <p>{hint}</p>
            </Notice>
          ))}
          <Figures plan={plan} />
          <Bill plan={plan} onInputs={setInputs} />
          {preset !== '' && <Quoted plan={plan} preset={preset} />}
        </div>
      </div>
    </>
  );
}

interface PresetProps {
  readonly preset: Preset;
  readonly onChoose: (preset: Preset) => void;
}

function PresetChoice({ preset, onChoose }: PresetProps) {
  return (
    <div class="field">
      <label for="preset">Begin with</label>
      <select
        id="preset"
        value={preset}
        onChange={(event) => onChoose(event.currentTarget.value as Preset)}
      >
        <option value="">The defaults: 10 million pages a day</option>
        {PRESET_NAMES.map((name) => (
          <option key={name} value={name}>
            {presetOf(name).what}
          </option>
        ))}
      </select>
    </div>
  );
}

interface DialProps {
  readonly dial: Dial;
  readonly inputs: PlanInputs;
  readonly onInputs: (inputs: PlanInputs) => void;
}

function DialRow({ dial, inputs, onInputs }: DialProps) {
  const value = dial.get(inputs) as number;
  const id = `dial${dial.flag}`;
  const range = dial.isLog ? { min: 0, max: LOG_STEPS, step: 1 } : dial;
  return (
    <div class="field">
      <label for={id}>{dial.name}</label>
      <output for={id}>{dial.say(value)}</output>
      <input
        id={id}
        type="range"
        min={range.min}
        max={range.max}
        step={range.step}
        value={positionOf(dial, value)}
        aria-valuetext={dial.say(value)}
        onInput={(event) =>
          onInputs(dial.set(inputs, valueAt(dial, Number(event.currentTarget.value))))
        }
      />
    </div>
  );
}
