/** The figures of a plan, each with its formula; the bill with prices to edit; what others quote. */
import {
  compareQuoted,
  type Plan,
  type PlanInputs,
  type PresetName,
  presetOf,
  sayCount,
  sayFigure,
} from '../../../plan/index.ts';
import { CAPACITY_GROUPS, type CapacityGroup, figuresOf } from '../../cli/capacity-row.ts';
import { Section } from './parts.tsx';
import { PRICES } from './plan-dials.ts';

const GROUPS = Object.keys(CAPACITY_GROUPS) as CapacityGroup[];

export function Figures({ plan }: { readonly plan: Plan }) {
  return (
    <>
      {GROUPS.map((group) => (
        <Section key={group} name={CAPACITY_GROUPS[group]}>
          <dl class="figures">
            {figuresOf(plan, group).map(([key, figure]) => (
              <div key={key} id={`${group}.${key}`}>
                <dt>{figure.name}</dt>
                <dd class="value">{sayFigure(figure)}</dd>
                <dd class="formula">{figure.formula}</dd>
              </div>
            ))}
          </dl>
        </Section>
      ))}
    </>
  );
}

interface BillProps {
  readonly plan: Plan;
  readonly onInputs: (inputs: PlanInputs) => void;
}

export function Bill({ plan, onInputs }: BillProps) {
  const { inputs, bill } = plan;
  const change = (field: (typeof PRICES)[number]['field'], text: string) => {
    const price = Number(text);
    if (text === '' || !(price >= 0 && price <= 1e9)) return;
    onInputs({ ...inputs, prices: { ...inputs.prices, [field]: price } });
  };
  return (
    <Section name="Bill of a month" note={`in ${bill.currency}, once the retention is full`}>
      <table class="rows bill">
        <caption class="unseen">What a month costs; prices can be edited</caption>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col" class="number">
              Amount
            </th>
            <th scope="col" class="number">
              Price
            </th>
            <th scope="col" class="number">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {bill.lines.map((line, i) => {
            const { field, each } = PRICES[i] as (typeof PRICES)[number];
            return (
              <tr key={field}>
                <th scope="row">{line.name}</th>
                <td class="number">{`${sayCount(line.amount)} ${line.unit}`}</td>
                <td class="number">
                  <input
                    class="price"
                    type="number"
                    min="0"
                    step="any"
                    value={line.price}
                    aria-label={`Price of ${line.name}, ${each}`}
                    onChange={(event) => change(field, event.currentTarget.value)}
                  />
                </td>
                <td class="number">{money(line.cost)}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">total</th>
            <td class="number wide" colSpan={2}>
              {money(bill.perMillionPages)} for a million pages
            </td>
            <td class="number total">{money(bill.perMonth)}</td>
          </tr>
        </tfoot>
      </table>
    </Section>
  );
}

function money(value: number): string {
  if (value >= 100) return sayCount(value);
  return value === 0 ? '0' : value.toFixed(2);
}

interface QuotedProps {
  readonly plan: Plan;
  readonly preset: PresetName;
}

/** Only as long as the inputs are those of the estimate; prices are no part of it. */
export function Quoted({ plan, preset }: QuotedProps) {
  const { inputs, quotes } = presetOf(preset);
  const { prices } = plan.inputs;
  if (JSON.stringify(plan.inputs) !== JSON.stringify({ ...inputs, prices })) return null;
  return (
    <Section name="As quoted" note="with this estimate, and whether it follows">
      <dl class="figures">
        {compareQuoted(plan, quotes).map(({ key, quoted, computed, follows, why }) => (
          <div key={key}>
            <dt>{computed.name}</dt>
            <dd class="value">{sayFigure({ ...computed, value: quoted })}</dd>
            <dd class={follows ? 'formula' : 'formula bad-text'}>
              {follows ? 'follows' : `does not follow: ${sayFigure(computed)}. ${why}`}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
