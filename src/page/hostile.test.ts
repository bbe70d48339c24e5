/**
 * Pages made to hurt: time must grow with the bytes and not faster, memory must stay bounded,
 * and nothing may throw. Time is judged by growing: four times the page may cost ten times, so a
 * slow machine passes and a quadratic loop (sixteen times) does not.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toUtf8 } from './decode.ts';
import { extractHtml } from './extract.ts';
import { LINKS_MAX, scanHtml } from './scan.ts';

const PAGE = { url: 'http://example.test/' };
const SMALL = 500_000;

const UNITS = [
  ...['<', '<a ', '<a href=x>', '<a href="', '</', '<!--', '<!-', '<!', '<?', '&', '&#', '&a;'],
  ...['<svg>', '<math><mi>', '<template>', '</template>', '<title>', '<script><!--', '<x y=', '='],
  ...['<svg><![CDATA[', '--', '<br />', "<i '", '<base ', '<textarea>', '\0', '\xff', 'word '],
  ...[`&#${'0'.repeat(50)}1;`, '<script><!--<', '<div class=a>', '<a href=x>word '],
];

/** Of CPU: neighbours on the machine must not count. */
function millis(body: Buffer): number {
  const from = process.cpuUsage();
  extractHtml(body, PAGE);
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1e3;
}

test('hostile: whatever is repeated, time grows with the bytes', () => {
  for (const unit of UNITS) {
    const once = Buffer.from(unit.repeat(SMALL / unit.length), 'latin1');
    const fourTimes = Buffer.concat([once, once, once, once]);
    millis(once);
    const small = Math.min(millis(once), millis(once));
    const large = Math.min(millis(fourTimes), millis(fourTimes));
    assert.ok(large < 10 * small + 50, `${JSON.stringify(unit)}: ${small} ms, ${large} ms`);
  }
});

test('hostile: a million links leave ten thousand, and say how many were dropped', () => {
  const found = extractHtml(Buffer.from('<a href=x>y</a>'.repeat(1_000_000)), PAGE);
  assert.equal(found.links.length, LINKS_MAX);
  assert.equal(found.linksDropped, 1_000_000 - LINKS_MAX);
});

test('hostile: links inside 100,000 nested tags are found', () => {
  const found = extractHtml(Buffer.from(`${'<div>'.repeat(100_000)}<a href=x>deep`), PAGE);
  assert.deepEqual(
    found.links.map((link) => [link.url, link.text]),
    [['http://example.test/x', 'deep']],
  );
});

test('hostile: text is cut at its limit, between characters', () => {
  const body = toUtf8(Buffer.from('<p>é'.repeat(100_000)), 'UTF-8');
  const { text } = scanHtml(body, PAGE.url, { text: true, textBytesMax: 1_000 });
  assert.match(text, /^(é )+é?$/);
  assert.ok(Buffer.byteLength(text) <= 1_000);
});

test('hostile: any bytes give a page and never throw', () => {
  const soup = fc.array(fc.constantFrom(...UNITS, '>', '"', ' href=', 'a', '-->', '</a>', '\n'));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 400 }), soup), (input) => {
      const body = input instanceof Uint8Array ? input : Buffer.from(input.join(''), 'latin1');
      const found = extractHtml(body, PAGE);
      assert.equal(found.text, found.text.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, ''));
      for (const link of found.links) assert.ok(URL.canParse(link.url), link.url);
    }),
    { numRuns: 2_000 },
  );
});
