/** What a Prometheus reader makes of `/metrics`: families by name, samples by label. */
import { createRequire } from 'node:module';

interface ParsedFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly metrics: readonly ParsedMetric[];
}

interface ParsedMetric {
  readonly value?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly buckets?: Readonly<Record<string, string>>;
  readonly count?: string;
  readonly sum?: string;
}

/** It has no types of its own. */
const parse: (text: string) => ParsedFamily[] = createRequire(import.meta.url)(
  'parse-prometheus-text-format',
);

export class Scrape {
  readonly families: ReadonlyMap<string, ParsedFamily>;

  /** Of one node, or of several. */
  constructor(...texts: readonly string[]) {
    this.families = new Map(texts.flatMap(parse).map((family) => [family.name, family]));
  }

  /** The sum over all samples that have these labels. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels);
    const found = this.#metrics(name).filter((one) =>
      wanted.every(([label, value]) => one.labels?.[label] === value),
    );
    if (found.length === 0) throw new Error(`${name} has no ${JSON.stringify(labels)}`);
    return found.reduce((sum, one) => sum + Number(one.value), 0);
  }

  histogram(name: string): { count: number; sum: number; buckets: Record<string, number> } {
    const [one] = this.#metrics(name);
    const buckets = Object.entries(one?.buckets ?? {}).map(([le, n]) => [le, Number(n)] as const);
    return {
      count: Number(one?.count),
      sum: Number(one?.sum),
      buckets: Object.fromEntries(buckets),
    };
  }

  /** Every number that may only rise, by name and labels. */
  *rising(): Generator<[string, number]> {
    for (const { name, type, metrics } of this.families.values()) {
      for (const { value, labels = {}, buckets = {}, count, sum } of metrics) {
        const of = `${name}${JSON.stringify(labels)}`;
        if (type === 'COUNTER') yield [of, Number(value)];
        if (type !== 'HISTOGRAM') continue;
        yield* Object.entries(buckets).map(([le, n]): [string, number] => [of + le, Number(n)]);
        yield [`${of}count`, Number(count)];
        yield [`${of}sum`, Number(sum)];
      }
    }
  }

  #metrics(name: string): readonly ParsedMetric[] {
    const family = this.families.get(name);
    if (family === undefined) throw new Error(`there is no ${name}`);
    return family.metrics;
  }
}
