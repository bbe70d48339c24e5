import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { mediaTypeOf } from './media-type.ts';

it('a Content-Type: its type in lower case, without parameters', () => {
  assert.equal(mediaTypeOf('Text/HTML; charset=utf-8'), 'text/html');
  assert.equal(mediaTypeOf('application/xhtml+xml'), 'application/xhtml+xml');
  assert.equal(mediaTypeOf(undefined), '');
  assert.equal(mediaTypeOf('nonsense'), '');
});

const CASES = new URL('../../../shared/conformance/http/wpt-content-types.json', import.meta.url);

it('several values (web-platform-tests): the last that is a type counts', (t) => {
  if (!existsSync(CASES)) {
    assert.ok(!process.env.CI, 'the conformance data must be there in CI');
    t.skip('no ../shared/conformance here');
    return;
  }
  const cases = JSON.parse(readFileSync(CASES, 'utf8')) as WptCase[];
  for (const { contentType, documentContentType } of cases) {
    const joined = contentType.join(', ');
    const expected = documentContentType ?? '';
    assert.equal(mediaTypeOf(joined), expected, joined);
  }
  assert.ok(cases.length > 5);
});

interface WptCase {
  readonly contentType: string[];
  readonly documentContentType: string | null;
}
