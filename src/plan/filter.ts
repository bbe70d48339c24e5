/**
 * The filter of known URLs: how many bits, how much memory, and what rate they really give.
 *
 * Bits decide the memory where they are given; the target is then judged, not believed. Two
 * filters are told: the textbook's, which estimates are made with, and ours, which keeps the
 * probes of a key in one cache line and pays for it with bits (`../seen/`).
 */
import { bloomSize } from '../seen/index.ts';
import { bestBlockedRate, bestRate, fewestBits } from './bloom-rate.ts';
import { type Figure, figure } from './figure.ts';
import { MS_PER_DAY, type PlanInputs } from './inputs.ts';
import { sayBytes, sayCount, sayShare, sayTime } from './say.ts';

export interface FilterFigures {
  readonly knownUrls: Figure;
  readonly bitsPerUrl: Figure;
  readonly falsePositive: Figure;
  readonly filterMemory: Figure;
  readonly blockedFalsePositive: Figure;
  readonly blockedMemory: Figure;
  readonly falsePositivesPerDay: Figure;
  readonly exactMemory: Figure;
}

const HASH_BYTES = 8;

export function filterFigures(inputs: PlanInputs): FilterFigures {
  const knownUrls = knownFigure(inputs);
  const bitsPerUrl = bitsFigure(inputs);
  const falsePositive = rateFigure(bitsPerUrl.value);
  const urls = `${sayCount(knownUrls.value)} URLs`;
  const bytes = (knownUrls.value * bitsPerUrl.value) / 8;
  const exact = knownUrls.value * HASH_BYTES;
  const perBit = `${urls} × ${sayCount(bitsPerUrl.value)} bits ÷ 8`;
  const perHash = `${urls} × ${HASH_BYTES} bytes of hash, no false positives`;
  return {
    knownUrls,
    bitsPerUrl,
    falsePositive,
    filterMemory: figure('memory', bytes, 'bytes', perBit),
    ...blockedFigures(inputs, knownUrls.value, bitsPerUrl.value),
    falsePositivesPerDay: mistakenFigure(inputs, falsePositive.value),
    exactMemory: figure('exact set instead', exact, 'bytes', perHash),
  };
}

/** First visits a day: what the known URLs grow by. */
export function newPerDay({ load }: PlanInputs): number {
  return load.pagesPerDay * (1 - load.recrawlShare);
}

function knownFigure(inputs: PlanInputs): Figure {
  const { knownUrls } = inputs.filter;
  const name = 'known URLs';
  if (knownUrls !== undefined) return figure(name, knownUrls, 'URLs', 'as given');
  const fresh = newPerDay(inputs);
  const { retentionMs } = inputs.keep;
  const formula = `${sayCount(fresh)} new a day × ${sayTime(retentionMs)}; found, not fetched: on top`;
  return figure(name, Math.max(1, fresh * (retentionMs / MS_PER_DAY)), 'URLs', formula);
}

function bitsFigure({ filter: { bitsPerUrl, falsePositive } }: PlanInputs): Figure {
  const name = 'bits a URL';
  if (bitsPerUrl !== undefined) return figure(name, bitsPerUrl, 'bits', 'as given');
  const { bits, hashes } = fewestBits(falsePositive);
  const formula = `−k ÷ ln(1 − p^(1/k)) for p = ${sayShare(falsePositive)}, best at k = ${hashes}`;
  return figure(name, bits, 'bits', formula);
}

function rateFigure(bits: number): Figure {
  const { rate, hashes } = bestRate(bits);
  const formula = `(1 − e^(−k/b))^k for b = ${sayCount(bits)}, best at k = ${hashes} hashes`;
  return figure('false positives', rate, 'share', formula);
}

function blockedFigures({ filter }: PlanInputs, urls: number, bits: number) {
  const { rate, hashes } = bestBlockedRate(bits);
  const size = bloomSize(urls, filter.falsePositive);
  const memory = `${sayCount(urls)} URLs × ${sayCount(size.bits / urls)} bits ÷ 8`;
  const target = `${size.probes} probes, for ${sayShare(filter.falsePositive)}`;
  const blocks = `all ${hashes} probes of a URL in one block of 512 bits`;
  return {
    blockedFalsePositive: figure("Orbweaver's, same bits", rate, 'share', blocks),
    blockedMemory: figure("Orbweaver's, to target", size.bits / 8, 'bytes', `${memory}, ${target}`),
  };
}

function mistakenFigure(inputs: PlanInputs, rate: number): Figure {
  const fresh = newPerDay(inputs);
  const cost = 'a lookup each here, a page lost where the filter alone decides';
  const formula = `${sayCount(fresh)} new a day × ${sayShare(rate)}; ${cost}`;
  return figure('new taken for known', fresh * rate, 'URLs/day', formula);
}

/** `14 bits give 0.12% at best; 0.01% takes 19.2 bits, 71.9 GB.` */
export function bitsVerdict(bits: number, target: number, urls: number): string {
  const { rate, hashes } = bestRate(bits);
  const needed = fewestBits(target).bits;
  const given = `${sayCount(bits)} bits a URL give ${sayShare(rate)} at best (${hashes} hashes)`;
  const takes = `${sayShare(target)} takes ${sayCount(needed)} bits`;
  return `${given}; ${takes}, ${sayBytes((urls * needed) / 8)}`;
}
