import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesFor } from './explain.ts';
import { parseRobots } from './robots.ts';

const AGENT = 'Mozilla/5.0 (compatible; Orbweaver/1.0; +http://x.test/)';

test('explain: groups of our own name in two places: both lines, and the longest delay', () => {
  const file = [
    'User-agent: *',
    'Crawl-delay: 90',
    'Disallow: /',
    'User-agent: orbweaver',
    'Crawl-delay: 2',
    'Disallow: /a',
    'User-agent: other, Orbweaver',
    'Crawl-delay: 5',
  ].join('\n');
  assert.deepEqual(linesFor(file, AGENT), {
    token: 'orbweaver',
    agentLines: [4, 7],
    delayLine: 8,
  });
  assert.deepEqual(linesFor(file, 'Nobody'), { token: '*', agentLines: [1], delayLine: 2 });
});

test('explain: a file that speaks to others only: nobody is meant', () => {
  const none = { token: undefined, agentLines: [], delayLine: undefined };
  assert.deepEqual(linesFor('User-agent: other\nCrawl-delay: 5', AGENT), none);
  assert.deepEqual(linesFor('', AGENT), none);
});

test('explain: whatever the file: a delay is told exactly where robots.txt has one for us', () => {
  const line = fc.constantFrom(
    ...['User-agent: *', 'User-agent: orbweaver', 'User-agent: x', 'Disallow: /a', 'Allow: /b'],
    ...['Crawl-delay: 3', 'Crawl-delay: 7', 'Crawl-delay: soon', 'Sitemap: /s', 'Foo: bar', ''],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const delayMs = parseRobots(lines.join('\n')).crawlDelayMs(AGENT);
      const { delayLine } = linesFor(lines.join('\n'), AGENT);
      const told = delayLine === undefined ? undefined : lines[delayLine - 1];
      assert.equal(told, delayMs === undefined ? undefined : `Crawl-delay: ${delayMs / 1_000}`);
    }),
  );
});
