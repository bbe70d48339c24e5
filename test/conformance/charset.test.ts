/**
 * Charset sniffing against cases from html5lib, html-encoding-sniffer, WPT and w3lib.
 *
 * The cases are read from ../shared/conformance and are not part of the project.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { encodingOf } from '../../src/page/charset-labels.ts';
import { parseContentType, sniffCharset } from '../../src/page/index.ts';

const FOLDER = new URL('../../../shared/conformance/charset/', import.meta.url);

/** Cases that we answer otherwise, by id or label, and why. */
const MISSES = new Map<string, string>([
  [' Latin-1', 'a Python name; the Encoding Standard has latin1 only'],
  ['gb_2312-80', 'GBK in the Encoding Standard; w3lib names its superset, with the same decoder'],
]);

interface DetectCase {
  readonly id: string;
  readonly name: string;
  readonly bytes: string;
  readonly contentTypeHeader: string | null;
  readonly expectedEncoding: string | null;
  readonly acceptEncodings?: string[];
  readonly notEncoding?: string;
  readonly fallback?: boolean;
  readonly tier: string;
}

function cases<T>(t: TestContext, name: string): T[] | undefined {
  const file = new URL(name, FOLDER);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const reason = `no conformance cases at ${FOLDER.pathname}`;
  assert.ok(process.env.CI !== 'true', reason);
  t.skip(reason);
  return undefined;
}

function judge(one: DetectCase): string | undefined {
  const found = sniffCharset(Buffer.from(one.bytes, 'base64'), one.contentTypeHeader ?? undefined);
  if (found === one.notEncoding) return `${found} must not win`;
  const accepted = [one.expectedEncoding, ...(one.acceptEncodings ?? [])];
  if (one.fallback) accepted.push('UTF-8', 'windows-1252');
  return accepted.includes(found) || one.notEncoding ? undefined : `${found}, not ${accepted[0]}`;
}

test('charset: bodies and headers of other suites give the encoding they expect', (t) => {
  const all = cases<DetectCase>(t, 'detect.json');
  if (all === undefined) return;
  const must = all.filter((one) => one.tier === 'must');
  const missed = must.filter((one) => judge(one) !== undefined);
  const may = all.filter((one) => one.tier !== 'must' && judge(one) !== undefined);
  t.diagnostic(`must: ${must.length - missed.length} of ${must.length}`);
  for (const one of may) t.diagnostic(`may: ${one.name}: ${judge(one)}`);
  const unexplained = missed.filter((one) => !MISSES.has(one.id));
  assert.deepEqual(
    unexplained.map((one) => [one.id, one.name, judge(one)]),
    [],
  );
  assert.ok(missed.length <= must.length * 0.03);
});

test('charset: every label means what the Encoding Standard says', (t) => {
  const all = cases<{ label: string; expectedEncoding: string | null }>(t, 'labels.json') ?? [];
  const missed = all.filter((one) => (encodingOf(one.label) ?? null) !== one.expectedEncoding);
  t.diagnostic(`${all.length - missed.length} of ${all.length}`);
  assert.deepEqual(
    missed.map((one) => one.label).filter((label) => !MISSES.has(label)),
    [],
  );
  assert.ok(missed.length <= all.length * 0.03);
});

test('charset: a Content-Type names the charset that the MIME standard reads from it', (t) => {
  const all = cases<{ header: string; expectedEncoding: string | null; tier: string }>(
    t,
    'content-type-header.json',
  );
  for (const { header, expectedEncoding, tier } of all ?? []) {
    if (tier !== 'must') continue;
    const found = encodingOf(parseContentType(header)?.charset ?? '') ?? null;
    assert.equal(found, expectedEncoding, header);
  }
});
