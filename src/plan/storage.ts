/** What stays: bodies of a day, of a month, of the whole retention, and the records of URLs. */
import { type Figure, figure } from './figure.ts';
import { DAYS_PER_MONTH, MS_PER_DAY, type PlanInputs } from './inputs.ts';
import { fullShare, fullText } from './load.ts';
import { sayBytes, sayCount, sayShare, sayTime } from './say.ts';

export interface StorageFigures {
  readonly storedPerDay: Figure;
  readonly storedPerMonth: Figure;
  readonly retained: Figure;
  readonly retainedCopies: Figure;
  readonly records: Figure;
}

export function storageFigures(inputs: PlanInputs, knownUrls: number): StorageFigures {
  const { retentionMs, copies, recordBytes } = inputs.keep;
  const day = storedPages(inputs) * (inputs.load.pageBytes / inputs.keep.compressionRatio);
  const retained = day * (retentionMs / MS_PER_DAY);
  const perDay = `${sayBytes(day)} a day`;
  const kept = `${perDay} × ${sayTime(retentionMs)}`;
  const times = `${sayBytes(retained)} × ${sayCount(copies)}`;
  const urls = `${sayCount(knownUrls)} URLs × ${sayBytes(recordBytes)}`;
  const month = day * DAYS_PER_MONTH;
  return {
    storedPerDay: figure('stored a day', day, 'bytes', dayFormula(inputs)),
    storedPerMonth: figure('stored a month', month, 'bytes', `${perDay} × 30 days`),
    retained: figure('retained', retained, 'bytes', kept),
    retainedCopies: figure('with all copies', retained * copies, 'bytes', times),
    records: figure('records of URLs', knownUrls * recordBytes, 'bytes', urls),
  };
}

/** Bodies that are stored a day: not the unchanged ones, not those that are there already. */
export function storedPages({ load, keep }: PlanInputs): number {
  return load.pagesPerDay * fullShare(load) * (1 - keep.duplicateShare);
}

function dayFormula({ load, keep }: PlanInputs): string {
  const { duplicateShare, compressionRatio } = keep;
  const parts = [`${sayCount(load.pagesPerDay)} pages × ${sayBytes(load.pageBytes)}`];
  parts.push(fullText(load));
  if (duplicateShare > 0) parts.push(` × ${sayShare(1 - duplicateShare)} not stored before`);
  if (compressionRatio !== 1) parts.push(` ÷ ${sayCount(compressionRatio)} by compression`);
  return parts.join('');
}
