/**
 * WARC files: what they are called, when the next one begins, and what stands first in each.
 *
 *   orb-20260131120000-00000-myhost.warc.gz      prefix, when the export began, serial, machine
 */
import type { Instant } from '../base/instant.ts';
import { recordId, timestamp14, type WarcRecord, warcFields } from './warc-record.ts';

/** As Common Crawl, Heritrix and browsertrix have it. A record never spans two files. */
export const WARC_FILE_BYTES_MAX = 1_000_000_000;

export interface WarcSeries {
  readonly prefix: string;
  readonly begunAt: Instant;
  /** The machine's name. */
  readonly machine: string;
  /** `Orbweaver/1.0`. */
  readonly software: string;
  readonly userAgent: string;
  /** The URLs that the crawl began with. */
  readonly seeds: readonly string[];
  /** What the records are: made from a folder, or as the crawl went. */
  readonly made?: 'afterwards' | 'as it went';
}

export function warcFileName({ prefix, begunAt, machine }: WarcSeries, serial: number): string {
  const safe = machine.replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60) || 'localhost';
  const nth = String(serial).padStart(5, '0');
  return `${prefix}-${timestamp14(begunAt)}-${nth}-${safe}.warc.gz`;
}

export function warcinfo(series: WarcSeries, filename: string): WarcRecord {
  const { begunAt, software, userAgent, seeds, machine } = series;
  return {
    type: 'warcinfo',
    date: begunAt,
    id: recordId('warcinfo', filename, begunAt),
    contentType: 'application/warc-fields',
    fields: { 'WARC-Filename': filename },
    block: [
      warcFields({
        software,
        format: 'WARC File Format 1.1',
        conformsTo: CONFORMS_TO,
        hostname: machine,
        robots: 'obey',
        'http-header-user-agent': userAgent,
        description: description(seeds, series.made),
      }),
    ],
  };
}

const CONFORMS_TO =
  'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/';
const SEEDS_NAMED = 10;

function description(seeds: readonly string[], made: WarcSeries['made']): string {
  const more = seeds.length > SEEDS_NAMED ? ` and ${seeds.length - SEEDS_NAMED} more` : '';
  const of = `a crawl of ${seeds.slice(0, SEEDS_NAMED).join(' ')}${more}`;
  if (made === 'as it went') return `Written during ${of}; answers as sent, chunks undone`;
  return `Exported from ${of}; bodies are decoded, requests as configured`;
}
