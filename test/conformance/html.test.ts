/**
 * Link extraction against cases from Scrapy, w3lib, Crawlee, Nutch, Heritrix, WPT and html5lib.
 *
 * The cases are read from ../shared/conformance and are not part of the project.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { extractHtml, type HtmlPage, theKernel } from '../../src/page/index.ts';
import { decodeAttribute } from '../../src/page/references.ts';
import { canonicalize } from '../../src/url/index.ts';

const FOLDER = new URL('../../../shared/conformance/html-links/', import.meta.url);
const BASE = 'http://example.test/dir/page.html';

/** Cases that we answer otherwise, by name, and why. */
const MISSES = new Map<string, string>([
  [
    'w3lib test_float_refresh_intervals line 738',
    'the HTML standard and WPT drop the fraction of a refresh delay; w3lib keeps it',
  ],
  [
    'w3lib test_float_refresh_intervals line 741',
    'the HTML standard and WPT drop the fraction of a refresh delay; w3lib keeps it',
  ],
  [
    'w3lib test_illegal_entities',
    'a number beyond Unicode is U+FFFD in the HTML standard; w3lib drops it',
  ],
]);

interface Case {
  readonly name: string;
  readonly source: string;
  readonly tier: string;
  readonly html: string;
  readonly contentType?: string;
}

function read<T>(t: TestContext, name: string): T | undefined {
  const file = new URL(name, FOLDER);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const reason = `no conformance cases at ${FOLDER.pathname}`;
  assert.ok(process.env.CI !== 'true', reason);
  t.skip(reason);
  return undefined;
}

function page(one: Case, url: string): HtmlPage {
  const type = one.contentType === undefined ? {} : { contentType: one.contentType };
  return extractHtml(Buffer.from(one.html, 'base64'), { url, ...type });
}

/** Counts the misses, prints them, and demands that each is in the table above. */
function settle<T extends { name: string }>(
  t: TestContext,
  all: readonly T[],
  judge: (one: T) => string | undefined,
  share: number,
): void {
  const missed = all.filter((one) => judge(one) !== undefined);
  t.diagnostic(`${all.length - missed.length} of ${all.length}`);
  for (const one of missed) t.diagnostic(`${one.name}: ${judge(one)}: ${MISSES.get(one.name)}`);
  const unexplained = missed.filter((one) => !MISSES.has(one.name));
  assert.deepEqual(
    unexplained.map((one) => [one.name, judge(one)]),
    [],
  );
  assert.ok(missed.length <= all.length * (1 - share), 'too many explained misses');
}

interface LinksCase extends Case {
  readonly id: string;
  readonly baseUrl: string;
  readonly expectedLinks: string[];
  readonly linkKinds: string[];
  readonly match: string;
  readonly nofollowLinks?: string[];
}

/** The links of the kinds that the source counts; Heritrix follows no nofollow. */
function linksOf(one: LinksCase): Set<string> {
  const found = page(one, one.baseUrl);
  const kinds = one.linkKinds.map((kind) => (kind === 'form-get' ? 'form' : kind));
  const heritrix = one.source.includes('heritrix');
  const closed = heritrix && found.robots.some((meta) => /nofollow|none/.test(meta.content));
  const links = found.links.filter((link) => !(heritrix && link.rel.includes('nofollow')));
  const counted = [...links, ...found.resources].filter((link) => kinds.includes(link.kind));
  return new Set(closed ? [] : counted.map((link) => link.url));
}

function judgeLinks(one: LinksCase): string | undefined {
  const found = linksOf(one);
  const expected = new Set(one.expectedLinks.map((url) => canonicalize(url) ?? url));
  const missing = [...expected].filter((url) => !found.has(url));
  const extra = one.match === 'contains' ? [] : [...found].filter((url) => !expected.has(url));
  if (missing.length + extra.length > 0) return `missing ${missing}, extra ${extra}`;
  const nofollow = page(one, one.baseUrl).links.filter((link) => link.rel.includes('nofollow'));
  for (const url of one.nofollowLinks ?? []) {
    if (!nofollow.some((link) => link.url === canonicalize(url))) return `${url} isn't nofollow`;
  }
  return undefined;
}

test('links: pages of other suites give the links they expect', (t) => {
  const all = read<LinksCase[]>(t, 'links.json');
  if (all === undefined) return;
  settle(
    t,
    all.filter((one) => one.tier === 'must'),
    judgeLinks,
    0.95,
  );
});

interface BaseCase extends Case {
  readonly documentUrl: string;
  readonly expectedBaseUrl: string;
}

test('base: the first base with an href that can be one is what links are resolved against', (t) => {
  const all = read<BaseCase[]>(t, 'base-url.json') ?? [];
  const judge = (one: BaseCase): string | undefined => {
    const { base } = page(one, one.documentUrl);
    const same = (canonicalize(base) ?? base) === (canonicalize(one.expectedBaseUrl) ?? '');
    return same ? undefined : base;
  };
  settle(t, all, judge, 0.95);
});

interface RefreshCase extends Case {
  readonly documentUrl: string;
  readonly expectedDelaySeconds: number | null;
  readonly expectedUrl: string | null;
}

interface RefreshContentCase {
  readonly name: string;
  readonly content: string;
  readonly parsed: boolean;
  readonly expectedDelaySeconds: number | null;
  readonly expectedUrlUnresolved: string | null;
}

test('refresh: pages refresh to where, and after how long, other suites expect', (t) => {
  const all = read<{ fromHtml: RefreshCase[]; contentAttribute: RefreshContentCase[] }>(
    t,
    'meta-refresh.json',
  );
  if (all === undefined) return;
  const judge = (one: RefreshCase): string | undefined => {
    const { links, refresh } = page(one, one.documentUrl);
    const target = links.find((link) => link.kind === 'refresh')?.url;
    if (one.expectedUrl === null) return target;
    const right = target === canonicalize(one.expectedUrl) && refresh?.url === target;
    return right && refresh?.delaySeconds === one.expectedDelaySeconds ? undefined : `${target}`;
  };
  settle(
    t,
    all.fromHtml.filter((one) => one.tier === 'must'),
    judge,
    0.8,
  );
  settle(t, all.contentAttribute, judgeContent, 1);
});

function judgeContent(one: RefreshContentCase): string | undefined {
  const content = one.content.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const html = `<meta http-equiv=refresh content="${content.replaceAll('\r', '&#13;')}">`;
  const { refresh } = extractHtml(Buffer.from(html), { url: BASE });
  if (!one.parsed) return refresh === undefined ? undefined : JSON.stringify(refresh);
  const expected = canonicalize(one.expectedUrlUnresolved || BASE, BASE);
  const right = refresh?.delaySeconds === one.expectedDelaySeconds && refresh?.url === expected;
  return right ? undefined : JSON.stringify(refresh);
}

interface AttributeCase {
  readonly name: string;
  readonly html: string;
  readonly expectedTag: string;
  readonly expectedAttrs: Record<string, string>;
}

test('attributes: names and values come out as the html5lib tokenizer tests say', (t) => {
  const all = read<AttributeCase[]>(t, 'attribute-decoding.json') ?? [];
  const judge = (one: AttributeCase): string | undefined => {
    const source = Buffer.from(one.html, 'base64').toString('utf8');
    const found = attributesOf(source);
    const same = JSON.stringify(sorted(found)) === JSON.stringify(sorted(one.expectedAttrs));
    return same ? undefined : JSON.stringify(found);
  };
  settle(t, all, judge, 1);
});

function sorted(attributes: Record<string, string>): [string, string][] {
  return Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
}

function attributesOf(source: string): Record<string, string> {
  const bytes = Buffer.from(source);
  const kernel = theKernel();
  const { exports } = kernel;
  const clean = (from: { value: number }, to: { value: number }): string => {
    const text = kernel.bytes.toString('utf8', from.value, to.value);
    return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  };
  const found: Record<string, string> = {};
  const from = kernel.place(Buffer.concat([bytes, Buffer.alloc(64)]));
  exports.setPageEnd(from + bytes.length);
  const nameLength = /<[a-z][^\s/>]*/i.exec(bytes.toString('latin1'))?.[0].length ?? 0;
  let at = exports.nextAttribute(from + nameLength);
  for (; at > 0; at = exports.nextAttribute(at)) {
    const name = clean(exports.nameFrom, exports.nameTo).replace(/[A-Z]/g, (c) => c.toLowerCase());
    found[name] ??= decodeAttribute(clean(exports.attributeFrom, exports.attributeTo));
  }
  return found;
}

interface TextCase extends Case {
  readonly expectedText: string;
  readonly expectedTitle: string;
}

test('text: words and title of pages are those that Nutch expects', (t) => {
  const all = read<TextCase[]>(t, 'text-and-title.json') ?? [];
  const judge = (one: TextCase): string | undefined => {
    const { text, title } = page(one, BASE);
    const right = text === one.expectedText && title === one.expectedTitle;
    return right ? undefined : JSON.stringify({ text, title });
  };
  settle(t, all, judge, 1);
});

test('text: references are expanded as w3lib expects', (t) => {
  const all = read<{ name: string; input: string; expected: string }[]>(t, 'entities.json') ?? [];
  const judge = (one: { input: string; expected: string }): string | undefined => {
    const { text } = extractHtml(Buffer.from(one.input), { url: BASE });
    return text === one.expected ? undefined : text;
  };
  settle(t, all, judge, 0.8);
});
