import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLooseDate } from './date.ts';
import { parseRobotsDirectives, type RobotsDirectives } from './directives.ts';

const ours = (...values: string[]) => parseRobotsDirectives(values, 'Orbweaver/1.0');

function set(found: RobotsDirectives): string[] {
  return Object.entries(found).flatMap(([name, value]) => (value === true ? [name] : []));
}

test('everyone: directives of all fields add up, and `index` takes nothing back', () => {
  assert.deepEqual(set(ours('noindex', 'NoArchive, index, follow, all')), ['noindex', 'noarchive']);
  assert.deepEqual(set(ours('none')), ['noindex', 'nofollow']);
  assert.deepEqual(set(ours('', ' , ,, ', ':', ': noindex', 'unknown')), []);
});

test('groups: a name opens one, the next name or field ends it', () => {
  assert.deepEqual(set(ours('otherbot: noindex, nofollow')), []);
  assert.deepEqual(set(ours('otherbot: noindex, orbweaver: nofollow, nosnippet')), [
    'nofollow',
    'nosnippet',
  ]);
  assert.deepEqual(set(ours('otherbot: noindex', 'nofollow')), ['nofollow']);
  assert.deepEqual(set(ours('otherbot: noindex\nnofollow')), ['nofollow']);
  assert.deepEqual(set(ours('robots: noai', '*: noimageai')), ['noai', 'noimageai']);
});

test('limits: the smallest counts, and -1 is none', () => {
  const found = ours('max-snippet: 20, max-snippet:5', 'max-video-preview:-1');
  assert.equal(found.maxSnippet, 5);
  assert.equal(found.maxVideoPreview, undefined);
  assert.equal(
    ours('max-image-preview:standard', 'max-image-preview:large').maxImagePreview,
    'standard',
  );
});

test('unavailable_after: the earliest date, in any of the formats seen', () => {
  const found = ours(
    'unavailable_after: Friday, 25 Jun 2010 15:00:00 PST, noindex',
    'unavailable_after: 2011-01-01',
    'otherbot: unavailable_after: 1999-01-01',
  );
  assert.equal(found.unavailableAfter, '2010-06-25T23:00:00.000Z');
  assert.equal(found.noindex, true);
});

test('dates: one instant in many spellings', () => {
  const spellings = [
    'Friday, 25-Jun-10 15:00:00 PST',
    'Fri, 25 Jun 2010 15:00:00 -0800',
    '25 jun 2010 15:00:00 pst',
    'June 25, 2010 23:00 GMT',
    '2010-06-25T15:00:00-08:00',
    '2010-06-25 23:00:00Z',
    '2010-06-25T23:00',
  ];
  for (const text of spellings) assert.equal(parseLooseDate(text), Date.UTC(2010, 5, 25, 23), text);
  assert.equal(parseLooseDate('25 Jun 99'), Date.UTC(1999, 5, 25));
  for (const text of ['', 'soon', '31 Feb 2020', '25 Jun 2010 25:00', '2010-13-01', 'Jun 2010']) {
    assert.equal(parseLooseDate(text), undefined, text);
  }
});

test('property: any text is survived', () => {
  const word = fc.constantFrom(
    'noindex',
    ':',
    ',',
    'unavailable_after:',
    'Fri',
    'a',
    ' ',
    '10',
    '-',
  );
  const value = fc.array(fc.oneof(word, fc.string()), { maxLength: 20 }).map((all) => all.join(''));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), fc.string(), (values, agent) => {
      assert.equal(typeof parseRobotsDirectives(values, agent).noindex, 'boolean');
    }),
  );
});
