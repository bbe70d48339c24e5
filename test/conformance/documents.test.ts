/**
 * PDFs and feeds against other projects' cases (../shared/conformance/pdf-feeds, SOURCE.md there).
 *
 * A PDF holds when all texts are in ours (white space collapsed, NFKC) and all link annotations are
 * among our links; a feed when every address that is expected is found. A miss needs a reason in
 * EXPLAINED, and a reason needs a miss.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bodyToMarkdown } from '../../src/content/index.ts';
import {
  BUILT_IN,
  choosePlugin,
  type DocumentPage,
  type FoundDocument,
  readDocument,
} from '../../src/document/index.ts';
import { mediaTypeOf } from '../../src/fetch/index.ts';
import { canonicalize } from '../../src/url/index.ts';

const FOLDER = new URL('../../../shared/conformance/pdf-feeds/', import.meta.url);
const missing = existsSync(FOLDER)
  ? false
  : 'no ../shared/conformance/pdf-feeds beside the project';
const skip = process.env.CI === 'true' ? false : missing;

const EXPLAINED: Record<string, string> = {
  P03: "its Info has an empty title: 'Subject:' is the next line that poppler prints",
};

interface PdfCase {
  readonly id: string;
  readonly file: string;
  readonly title: string | null;
  readonly expectedTextContains: readonly string[];
  readonly expectedLinkAnnotations: readonly string[];
}

interface FeedCase {
  readonly id: string;
  readonly documentUrl: string;
  readonly contentType: string;
  readonly contentLocation?: string;
  readonly body: string;
  readonly expectations: readonly { readonly path: string; readonly expected: string }[];
}

function rows<T>(file: string): T[] {
  assert.equal(missing, false, String(missing));
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T[];
}

function read(
  body: Uint8Array,
  url: string,
  headers: DocumentPage['headers'],
): Required<FoundDocument> {
  const mediaType = mediaTypeOf(headers['content-type']);
  const plugin = choosePlugin(BUILT_IN, body, { url, mediaType });
  assert.ok(plugin, `nobody reads ${url}`);
  const limits = { linksMax: 10_000, textCharsMax: 5_000_000 };
  return readDocument(plugin, { url, mediaType, headers, body, ...limits });
}

const flat = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ');

function complaintOfPdf(row: PdfCase): string[] {
  const body = readFileSync(new URL(row.file, FOLDER));
  const found = read(body, 'http://a.example/x.pdf', { 'content-type': 'application/pdf' });
  const hrefs = new Set(found.links.map(({ href }) => href));
  const text = flat(found.text);
  return [
    ...row.expectedTextContains.filter((part) => !text.includes(flat(part))),
    ...row.expectedLinkAnnotations.filter((url) => !hrefs.has(url)),
    ...((row.title ?? '') === found.title ? [] : [`title: ${found.title}`]),
  ];
}

function complaintOfFeed(row: FeedCase): string[] {
  const location = row.contentLocation;
  const headers = {
    'content-type': row.contentType,
    ...(location !== undefined && { 'content-location': location }),
  };
  const { links } = read(Buffer.from(row.body, 'base64'), row.documentUrl, headers);
  const found = new Set(links.map(({ href, base }) => canonicalize(href, base ?? row.documentUrl)));
  return row.expectations
    .filter(({ expected }) => !found.has(canonicalize(expected)))
    .map(({ path, expected }) => `${path}: ${expected}`);
}

function check(complaints: readonly (readonly [string, readonly string[]])[]): void {
  const misses = complaints.filter(([, what]) => what.length > 0);
  assert.deepEqual(
    misses.filter(([id]) => EXPLAINED[id] === undefined),
    [],
  );
  const ids = new Set(misses.map(([id]) => id));
  const idle = complaints.filter(([id]) => EXPLAINED[id] !== undefined && !ids.has(id));
  assert.deepEqual(idle, [], 'a reason needs a miss');
}

test('conformance: texts, link annotations and titles of real PDFs', { skip }, () => {
  check(rows<PdfCase>('pdf.json').map((row) => [row.id, complaintOfPdf(row)] as const));
});

test('conformance: the links of feeds, resolved as their documents say', { skip }, () => {
  check(rows<FeedCase>('feeds.json').map((row) => [row.id, complaintOfFeed(row)] as const));
});

test('conformance: a real PDF as Markdown: headings, links, lists and code', { skip }, () => {
  const body = readFileSync(new URL('pdf/debian--pytidylib.pdf', FOLDER));
  const contentType = 'application/pdf';
  const lines = bodyToMarkdown(body, { url: 'https://a.example/x.pdf', contentType })?.split('\n');
  assert.equal(lines?.[0], '# pytidylib');
  for (const part of [
    '### INSTALLING HTML TIDY',
    '- Clean up HTML from programs such as Word (to an extent)',
    'pip install pytidylib',
    'As of 0.2.3, both Python 2 and Python 3 are supported with passing tests.',
  ]) {
    assert.ok(lines?.includes(part), part);
  }
  const text = lines?.join('\n') ?? '';
  assert.match(text, /wraps the \[HTML Tidy\]\(http:\/\/tidy\.sourceforge\.net\/\) library\. This/);
  assert.match(text, /```\nfrom tidylib import tidy_document\n/);
  assert.doesNotMatch(text, /^\d+ Chapter/m, 'running titles are no text');
});
