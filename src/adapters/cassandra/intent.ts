/**
 * A commit as bytes: its instant and the changes that it makes. Whoever finds it in the log can
 * finish it, without knowing what it was about.
 */
import { ByteReader, ByteWriter } from '../../base/bytes.ts';
import { CrawlError } from '../../base/errors.ts';
import type { Value } from './link.ts';
import { isKnownChange, type RowChange } from './statements.ts';

export interface Intent {
  /** Microseconds; after those of all commits before it that touch the same arcs. */
  readonly at: number;
  readonly changes: readonly RowChange[];
}

const VERSION = 1;
const TAG = { none: 0, unset: 1, whole: 2, float: 3, text: 4, bytes: 5, yes: 6, no: 7 } as const;

export function encodeIntent({ at, changes }: Intent): Buffer {
  const writer = new ByteWriter().byte(VERSION).varint(at).varint(changes.length);
  for (const { number, values } of changes) {
    writer.varint(number).varint(values.length);
    for (const value of values) writeValue(writer, value);
  }
  return writer.take();
}

export function decodeIntent(bytes: Uint8Array): Intent {
  const reader = new ByteReader(bytes);
  if (reader.byte() !== VERSION) throw newer();
  const at = reader.varint();
  const changes = Array.from({ length: reader.varint() }, () => {
    const number = reader.varint();
    if (!isKnownChange(number)) throw newer();
    return { number, values: Array.from({ length: reader.varint() }, () => readValue(reader)) };
  });
  return { at, changes };
}

function writeValue(to: ByteWriter, value: Value): void {
  if (value === undefined) to.byte(TAG.unset);
  else if (value === null) to.byte(TAG.none);
  else if (typeof value === 'string') to.byte(TAG.text).text(value);
  else if (typeof value === 'boolean') to.byte(value ? TAG.yes : TAG.no);
  else if (typeof value !== 'number') to.byte(TAG.bytes).bytes(value as Buffer);
  else if (Number.isSafeInteger(value) && value >= 0) to.byte(TAG.whole).varint(value);
  else to.byte(TAG.float).float(value);
}

function readValue(from: ByteReader): Value {
  switch (from.byte()) {
    case TAG.unset:
      return undefined;
    case TAG.none:
      return null;
    case TAG.whole:
      return from.varint();
    case TAG.float:
      return from.float();
    case TAG.text:
      return from.text();
    case TAG.bytes:
      return from.bytes();
    case TAG.yes:
      return true;
    case TAG.no:
      return false;
    default:
      throw newer();
  }
}

function newer(): CrawlError {
  return new CrawlError(
    'E_STORE_NEWER',
    'a commit in the log was written by a newer Orbweaver',
    'run that one until it has ended in good order, or use it everywhere',
  );
}
