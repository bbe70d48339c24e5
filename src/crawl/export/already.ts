/**
 * The exchanges of an archive, to tell which captures are in it: both in the order of their keys,
 * walked side by side. What waits, waits on disk.
 *
 *   exchange ─▶ key date status digest ─▶ sorted-lines.ts ─┐
 *   capture  ─▶ key ───────────────────────────────────────┴▶ only those that no exchange is of
 */
import {
  type ArchivedExchange,
  asLastChanged,
  type Capture,
  isOfAnswer,
} from '../../archive/index.ts';
import type { RunFiles } from '../../ports/run-files.ts';
import { urlKeyOf } from '../../record/index.ts';
import { SortedLines } from './sorted-lines.ts';

const WITHHELD = 'withheld';

export class Already {
  readonly #lines: SortedLines;

  constructor(runs: RunFiles) {
    this.#lines = new SortedLines(runs, { name: 'already' });
  }

  add(url: string, { date, status, digest, isWithheld }: ArchivedExchange): Promise<void> {
    const what = isWithheld ? WITHHELD : digest;
    return this.#lines.add(`${nameOf(url)} ${date} ${status} ${what}`);
  }

  /** The captures must come in the order of their keys. */
  async *missingFrom(captures: AsyncIterable<Capture>): AsyncIterable<Capture> {
    const exchanges = groups(this.#lines.read());
    let group = await exchanges.next();
    for await (const capture of captures) {
      const { record } = capture;
      const name = nameOf(record.url);
      while (!group.done && group.value.name < name) group = await exchanges.next();
      const own = group.done || group.value.name !== name ? [] : group.value.exchanges;
      if (own.some((exchange) => isOfAnswer(exchange, record))) continue;
      yield own.length === 0 ? capture : { ...capture, record: asLastChanged(record) };
    }
    await exchanges.return(undefined);
  }
}

function nameOf(url: string): string {
  return urlKeyOf(url).toString('hex');
}

interface Group {
  readonly name: string;
  readonly exchanges: ArchivedExchange[];
}

/** The exchanges of each URL together. */
async function* groups(lines: AsyncIterable<string>): AsyncGenerator<Group, undefined> {
  let group: Group | undefined;
  for await (const line of lines) {
    const [name = '', date, status, what = ''] = line.split(' ');
    if (group !== undefined && group.name !== name) yield group;
    if (group?.name !== name) group = { name, exchanges: [] };
    const isWithheld = what === WITHHELD;
    const said = { date: Number(date), status: Number(status), isWithheld };
    group.exchanges.push({ ...said, digest: isWithheld ? '' : what });
  }
  if (group !== undefined) yield group;
  return undefined;
}
