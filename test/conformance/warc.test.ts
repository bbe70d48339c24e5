/**
 * WARC files of others, good and bad (../shared/conformance/warc): our reader finds the records
 * that Python's warcio found, and our strict check says of each file what jwarc's validator said.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fieldOf, targetOf } from '../../src/archive/index.ts';
import { checkWarc } from '../../src/archive/warc-check.testkit.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, '..', 'shared', 'conformance', 'warc');

interface Expected {
  readonly file: string;
  readonly records: readonly Readonly<Record<string, string | number>>[];
  readonly jwarcValid: boolean;
}

/**
 * Where warcio goes on behind a cut block, there is no record boundary to be found: it takes the
 * rest of the file as it comes. We stop at what can still be told apart.
 */
const CUT = new Set(['warcio--example-trunc.warc', 'warciojs--example-bad-length.warc']);

if (!existsSync(folder)) {
  const reason = 'the conformance data is not beside the project';
  if (process.env.CI === 'true') throw new Error(reason);
  process.stderr.write(`SKIPPED: WARC files of others were not read, ${reason}\n`);
} else {
  const expected: Expected[] = JSON.parse(readFileSync(join(folder, 'expectations.json'), 'utf8'));
  describe('WARC files of others', () => {
    for (const one of expected) compare(one);
  });
}

function compare({ file, records, jwarcValid }: Expected): void {
  const name = file.replace('files/', '');
  const { records: found, problems } = checkWarc(readFileSync(join(folder, file)));
  it(`${name}: ${jwarcValid ? 'nothing to complain of' : 'what is wrong is said'}`, () => {
    assert.equal(problems.length === 0, jwarcValid, problems.join('\n'));
  });
  it(`${name}: its records, where they are and what they say`, () => {
    const count = CUT.has(name) ? Math.min(found.length, records.length) : records.length;
    assert.ok(count > 0);
    assert.deepEqual(found.slice(0, count).map(told), records.slice(0, count).map(chosen));
    if (!CUT.has(name)) assert.equal(found.length, records.length);
  });
}

function chosen(record: Expected['records'][number]) {
  const { offset, type, date, recordId, contentLength, targetUri = '' } = record;
  return { offset, type, date, recordId, contentLength, targetUri };
}

function told(record: ReturnType<typeof checkWarc>['records'][number]) {
  const { offset, type, fields } = record;
  return {
    ...{ offset, type, date: fieldOf(fields, 'WARC-Date') },
    recordId: fieldOf(fields, 'WARC-Record-ID'),
    contentLength: Number(fieldOf(fields, 'Content-Length')),
    targetUri: targetOf(record),
  };
}
