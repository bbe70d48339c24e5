/**
 * X-Robots-Tag, the robots meta tag and Link against other projects' cases
 * (../shared/conformance/meta-robots, SOURCE.md there).
 *
 * Only the keys that a case names are compared. `pragmaNoCache` is Nutch's own and no
 * directive for robots: it is not compared. Pages are taken apart by parse5, so that what is
 * tested here is the reading of directives alone. 95% is asked for, and all of them hold: a
 * case that fails names itself.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import {
  canonicalLinks,
  parseLinkHeader,
  parseRobotsDirectives,
  type RobotsDirectives,
} from '../../src/robots/index.ts';

const FOLDER = new URL('../../../shared/conformance/meta-robots/', import.meta.url);
const missing = existsSync(FOLDER)
  ? false
  : 'no ../shared/conformance/meta-robots beside the project';
const skip = process.env.CI === 'true' ? false : missing;

function read<T>(file: string): T[] {
  assert.equal(missing, false, String(missing));
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as T[];
}

interface DirectiveCase {
  readonly id: string;
  readonly name: string;
  readonly agent: string;
  readonly headers?: string[];
  readonly html?: string;
  readonly expected: Record<string, boolean | string>;
}

function compare(row: DirectiveCase, saw: RobotsDirectives): void {
  for (const [key, want] of Object.entries(row.expected)) {
    if (key === 'pragmaNoCache') continue;
    const got = saw[key as keyof RobotsDirectives];
    const same =
      key === 'unavailableAfter'
        ? Date.parse(String(got)) === Date.parse(String(want))
        : got === want;
    assert.ok(same, `${row.id} ${row.name}: ${key} is ${String(got)}, wanted ${String(want)}`);
  }
}

test('x-robots-tag: own group and unscoped directives add up', { skip }, () => {
  const rows = read<DirectiveCase>('x-robots-tag.json');
  assert.ok(rows.length > 0);
  for (const row of rows) compare(row, parseRobotsDirectives(row.headers!, row.agent));
});

test('robots meta: tags for all and for us are obeyed, others are not', { skip }, () => {
  const rows = read<DirectiveCase>('meta-tag.json');
  assert.ok(rows.length > 0);
  for (const row of rows) {
    const html = Buffer.from(row.html!, 'base64').toString('utf8');
    compare(row, parseRobotsDirectives(metaValues(html), row.agent));
  }
});

/** Every named meta as `name: content`, the form that parseRobotsDirectives documents. */
function metaValues(html: string): string[] {
  const values: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.ParentNode): void => {
    for (const child of node.childNodes) {
      if (!('tagName' in child)) continue;
      const attribute = (name: string) => child.attrs.find((pair) => pair.name === name)?.value;
      const name = child.tagName === 'meta' ? attribute('name') : undefined;
      if (name !== undefined) values.push(`${name}: ${attribute('content') ?? ''}`);
      visit(child);
    }
  };
  visit(parse(html));
  return values;
}

interface LinkCase {
  readonly header: string;
  readonly expected?: { href: string; rel: string[]; params?: Record<string, string> }[];
  readonly base?: string;
  readonly canonicals?: string[];
}

test('link header: targets, relations and parameters of RFC 8288', { skip }, () => {
  const rows = read<LinkCase>('link-header.json');
  assert.ok(rows.length > 0);
  for (const { header, expected, base, canonicals } of rows) {
    const saw = parseLinkHeader(header);
    if (canonicals !== undefined)
      assert.deepEqual(canonicalLinks(header, base!), canonicals, header);
    if (expected === undefined) continue;
    assert.deepEqual(
      saw.map(({ href, rel, params }, at) =>
        expected[at]?.params === undefined ? { href, rel } : { href, rel, params },
      ),
      expected,
      header,
    );
  }
});
