/**
 * One number of a plan, with the sentence that explains it: nobody has to believe it.
 *
 * `formula` holds the numbers that it was computed from, in words; `unit` says what `value`
 * counts, for programs; `sayFigure` writes both for people.
 */
import { sayBytes, sayCount, sayShare } from './say.ts';

export interface Figure<U extends string = Unit> {
  readonly name: string;
  readonly value: number;
  readonly unit: U;
  readonly formula: string;
}

export type Unit =
  | 'bytes'
  | 'bytes/s'
  | 'share'
  | 'bits'
  | 'pages/s'
  | 'URLs/s'
  | 'URLs'
  | 'URLs/day'
  | 'visits/year'
  | ''
  | 'hosts';

export function figure(name: string, value: number, unit: Unit, formula: string): Figure {
  return { name, value, unit, formula };
}

export function sayFigure({ value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  if (unit === 'bytes') return sayBytes(value);
  if (unit === 'bytes/s') return `${sayBytes(value)}/s`;
  if (unit === 'share') return sayShare(value);
  return unit === '' ? sayCount(value) : `${sayCount(value)} ${unit}`;
}
