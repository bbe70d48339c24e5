/**
 * Crawls as figures, and many crawls as one row. What a crawl comes to is plain numbers, so that it
 * may come from another process; they are added in the order of the seeds, whoever was done first.
 */
import type { RingCrawl } from './ring-crawl-once.ts';
import type { SimRow } from './run.ts';

/** As many latencies of one crawl count. */
const LATENCIES_MAX = 1_000;

export interface CrawlFigures {
  readonly seed: string;
  readonly coverage: number;
  readonly acceptMs: readonly number[];
  readonly sums: Readonly<Record<string, number>>;
  /** What must never be: the first notes of the checkers, what is lost, whether it came to an end. */
  readonly wrong: string | undefined;
}

export function figuresOf(seed: string, { world, faults, isOver }: RingCrawl): CrawlFigures {
  const { checks, net, web } = world;
  const { early, rivals, forgotten, duplicates, takeovers, helped } = checks;
  const { messages, bytes, now } = net;
  const { crashes, freezes } = faults;
  const lost = web.pages - checks.settled.size;
  const isWrong = early + rivals + forgotten > 0 || !isOver || lost > 0;
  const wrong = `${checks.notes.slice(0, 5).join('; ')} ${lost} lost, ${isOver ? '' : 'never over'}`;
  return {
    seed,
    coverage: checks.coverage,
    acceptMs: checks.acceptMs.slice(0, LATENCIES_MAX),
    sums: {
      ...{ early, rivals, forgotten, stuck: isOver ? 0 : 1, lost, duplicates, pages: web.pages },
      ...{ messages, bytes, now, crashes, freezes, takeovers, helped },
    },
    wrong: isWrong ? wrong : undefined,
  };
}

export class Sum {
  readonly #mode: string;
  readonly #figures = new Map<string, number>();
  #crawls = 0;
  #coverageMin = 1;
  #twiceMax = 0;
  readonly #acceptMs: number[] = [];

  constructor(mode: string) {
    this.#mode = mode;
  }

  add({ coverage, acceptMs, sums }: CrawlFigures): void {
    this.#crawls++;
    this.#coverageMin = Math.min(this.#coverageMin, coverage);
    this.#twiceMax = Math.max(this.#twiceMax, (sums.duplicates ?? 0) / (sums.pages ?? 1));
    for (const [name, value] of Object.entries(sums)) {
      this.#figures.set(name, (this.#figures.get(name) ?? 0) + value);
    }
    this.#acceptMs.push(...acceptMs);
  }

  row(): SimRow {
    const of = (name: string) => this.#figures.get(name) ?? 0;
    const pages = of('pages');
    return {
      mode: this.#mode,
      crawls: this.#crawls,
      pages,
      'covered %': (100 * (pages - of('lost'))) / pages,
      'worst %': 100 * this.#coverageMin,
      lost: of('lost'),
      'twice %': (100 * of('duplicates')) / pages,
      'most %': 100 * this.#twiceMax,
      early: of('early'),
      rivals: of('rivals'),
      forgotten: of('forgotten'),
      stuck: of('stuck'),
      crashes: of('crashes'),
      freezes: of('freezes'),
      owners: of('takeovers'),
      'by helpers': of('helped'),
      'messages/page': of('messages') / pages,
      'KB/page': of('bytes') / pages / 1_000,
      'accept ms': mean(this.#acceptMs),
      'p99 ms': quantile(this.#acceptMs, 0.99),
      minutes: of('now') / this.#crawls / 60_000,
    };
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}
