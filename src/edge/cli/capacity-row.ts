/** A capacity plan as rows, for spreadsheets: every figure, then the bill. */
import type { Figure, Plan, PresetName, QuotedFigure } from '../../plan/index.ts';
import type { RowShape } from './rows.ts';

export interface Capacity extends Plan {
  readonly preset?: PresetName;
  /** Empty unless the inputs are those of a preset. */
  readonly quoted: readonly QuotedFigure[];
}

export const CAPACITY_GROUPS = {
  load: 'Load',
  storage: 'Storage',
  filter: 'Known URLs',
  fleet: 'Hosts and machines',
} as const;

export type CapacityGroup = keyof typeof CAPACITY_GROUPS;

export interface CapacityRow extends Figure<string> {
  readonly group: string;
  readonly key: string;
}

export const CAPACITY_ROW: RowShape<CapacityRow> = {
  text: ({ name }) => name,
  json: (row) => row,
  columns: ['group', 'key', 'name', 'value', 'unit', 'formula'],
  cells: (row) => [row.group, row.key, row.name, row.value, row.unit, row.formula],
};

export function figuresOf(
  plan: Plan,
  group: CapacityGroup,
): readonly (readonly [string, Figure])[] {
  return Object.entries(plan[group]) as [string, Figure][];
}

export function capacityRows(plan: Plan): readonly CapacityRow[] {
  const groups = Object.keys(CAPACITY_GROUPS) as CapacityGroup[];
  const figures = groups.flatMap((group) =>
    figuresOf(plan, group).map(([key, figure]) => ({ group, key, ...figure })),
  );
  const { currency, lines, perMonth } = plan.bill;
  const bill = lines.map(({ name, amount, unit, price, cost }) => {
    const formula = `${amount} ${unit} × ${price}`;
    return { group: 'bill', key: name, name, value: cost, unit: currency, formula };
  });
  const total = {
    key: 'perMonth',
    name: 'total',
    value: perMonth,
    formula: 'the sum of the above',
  };
  return [...figures, ...bill, { group: 'bill', unit: currency, ...total }];
}
