/**
 * Figures that somebody quoted, beside those that follow from the same inputs.
 *
 * Quoted figures are rounded, so one that is within 6% follows. A false-positive rate follows
 * when the bits reach it: a filter that is better than quoted is no mistake.
 */
import type { Figure } from './figure.ts';
import { bitsVerdict } from './filter.ts';
import type { Plan } from './plan.ts';

type Group = 'load' | 'storage' | 'filter' | 'fleet';

/** `load.pagesPerSecond`, `filter.falsePositive`, … */
export type FigureKey = { [G in Group]: `${G}.${keyof Plan[G] & string}` }[Group];

export interface Quote {
  readonly figure: FigureKey;
  readonly value: number;
  /** Where the difference comes from, if that can be told. */
  readonly why?: string;
}

export interface QuotedFigure {
  readonly key: FigureKey;
  readonly quoted: number;
  readonly computed: Figure;
  readonly follows: boolean;
  /** Empty for a figure that follows. */
  readonly why: string;
}

const ROUNDED_BY = 0.06;

export function compareQuoted(plan: Plan, quotes: readonly Quote[]): readonly QuotedFigure[] {
  return quotes.map((quote) => {
    const computed = figureOf(plan, quote.figure);
    const follows = isNear(quote, computed.value);
    return {
      key: quote.figure,
      quoted: quote.value,
      computed,
      follows,
      why: follows ? '' : (quote.why ?? whyNot(plan, quote, computed)),
    };
  });
}

export function figureOf(plan: Plan, key: FigureKey): Figure {
  const [group, name] = key.split('.') as [Group, string];
  return (plan[group] as unknown as Readonly<Record<string, Figure>>)[name] as Figure;
}

function isNear({ figure, value }: Quote, computed: number): boolean {
  const isRate = figure === 'filter.falsePositive';
  if (isRate) return computed <= value * (1 + ROUNDED_BY);
  return Math.abs(computed - value) <= value * ROUNDED_BY;
}

function whyNot(plan: Plan, { figure, value }: Quote, computed: Figure): string {
  if (figure !== 'filter.falsePositive') return computed.formula;
  return bitsVerdict(plan.filter.bitsPerUrl.value, value, plan.filter.knownUrls.value);
}
