/**
 * A capacity plan for people: figures in groups, each with its formula; the bill; what will
 * not work as given; and, for a preset, the quoted figures with what really follows.
 */
import {
  type CostLine,
  type QuotedFigure,
  sayBytes,
  sayCount,
  sayFigure,
  sayTime,
} from '../../plan/index.ts';
import { CAPACITY_GROUPS, type Capacity, type CapacityGroup, figuresOf } from './capacity-row.ts';
import { safeText } from './format.ts';
import { twoColumns } from './help.ts';

const WIDTH_MAX = 100;
const WIDTH_MIN = 60;
const NAME_COLUMN = 26;
const VALUE_COLUMN = 20;

export function capacityText(capacity: Capacity, columns = WIDTH_MAX): string {
  const width = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, columns));
  const groups = Object.keys(CAPACITY_GROUPS) as CapacityGroup[];
  const lines = [
    headline(capacity),
    ...groups.flatMap((group) => groupLines(capacity, group, width)),
    ...billLines(capacity),
    ...findingLines(capacity, width),
    ...quotedLines(capacity, width),
  ];
  return `${lines.join('\n')}\n`;
}

function headline({ inputs: { load, keep }, preset }: Capacity): string {
  const what = `${sayCount(load.pagesPerDay)} pages a day of ${sayBytes(load.pageBytes)}`;
  const name = preset === undefined ? '' : ` (${preset})`;
  return `${what}, bodies kept for ${sayTime(keep.retentionMs)}${name}`;
}

function groupLines(capacity: Capacity, group: CapacityGroup, width: number): string[] {
  const rows = figuresOf(capacity, group).flatMap(([, figure]) => {
    const left = `  ${figure.name.padEnd(NAME_COLUMN - 2)}${sayFigure(figure)}`;
    return twoColumns(left, figure.formula, NAME_COLUMN + VALUE_COLUMN, width);
  });
  return ['', CAPACITY_GROUPS[group], ...rows];
}

function billLines({ bill }: Capacity): string[] {
  const currency = safeText(bill.currency, 20);
  const total = `  ${'total'.padEnd(NAME_COLUMN - 2)}${money(bill.perMonth).padStart(16)}`;
  const each = `${money(bill.perMillionPages)} ${currency} for a million pages`;
  const title = `Bill of a month, in ${currency}, once the retention is full`;
  return ['', title, ...bill.lines.map(billLine), `${total}  ${each}`];
}

function billLine({ name, amount, unit, price, cost }: CostLine): string {
  const left = `  ${name.padEnd(NAME_COLUMN - 2)}${money(cost).padStart(16)}`;
  return `${left}  ${sayCount(amount)} ${unit} × ${price}`;
}

function money(value: number): string {
  if (value >= 100) return sayCount(value);
  return value === 0 ? '0' : value.toFixed(2);
}

function findingLines({ findings }: Capacity, width: number): string[] {
  if (findings.length === 0) return [];
  const lines = findings.flatMap(({ message, hint }) =>
    twoColumns('  !', `${message} ${hint}`, 5, width),
  );
  return ['', 'Will not work as given', ...lines];
}

function quotedLines({ quoted, preset }: Capacity, width: number): string[] {
  if (preset === undefined) return [];
  if (quoted.length === 0) return ['', `The figures quoted with ${preset} are for its own inputs.`];
  return ['', 'As quoted', ...quoted.flatMap((one) => quotedLine(one, width))];
}

function quotedLine({ quoted, computed, follows, why }: QuotedFigure, width: number): string[] {
  const said = sayFigure({ ...computed, value: quoted });
  const left = `  ${computed.name.padEnd(NAME_COLUMN - 2)}${said}`;
  const verdict = follows ? 'follows' : `DOES NOT FOLLOW: ${sayFigure(computed)}. ${why}`;
  return twoColumns(left, verdict, NAME_COLUMN + VALUE_COLUMN, width);
}
