import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toUtf8 } from './decode.ts';
import { theKernel } from './kernel.ts';
import { type HtmlScan, scanHtml } from './scan.ts';

const MIB = 1 << 20;

const UNITS = [
  ...[
    '<',
    '<a href=x>',
    '<a href="y z">q</a>',
    '</',
    '<!--',
    '-->',
    '&',
    '&nbsp;',
    '&#0;',
    '&nGt;',
  ],
  ...[
    '<svg>',
    '<title>',
    '</title>',
    '<script>',
    '<x y=',
    '=',
    '"',
    "'",
    ' href=',
    '<nav>',
    '</nav>',
  ],
  ...[
    '<div class="menu">',
    '</div>',
    '<main>',
    'word ',
    '\n\t ',
    '\0',
    'é',
    '字',
    '<b>',
    '</b>',
    '.',
  ],
  ...['<meta name=robots content=noindex>', '<base href=/b/>', '<annotation-xml', '<textarea', '>'],
];
const pages = fc.oneof(
  fc
    .array(fc.constantFrom(...UNITS), { maxLength: 80 })
    .map((units) => Buffer.from(units.join(''))),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

/** Everything that a page gives, out of the kernel's memory. */
function read(bytes: Buffer): unknown {
  const scan: HtmlScan = scanHtml({ bytes, ascii: false }, 'http://h.test/d/', { words: true });
  const { words, ...rest } = scan;
  return { ...rest, words: words.bytes.toString('latin1'), marks: Array.from(words.marks) };
}

test('kernel: a page is the same wherever its bytes lie and whatever was read before', () => {
  fc.assert(
    fc.property(pages, pages, fc.nat(70), (page, other, offset) => {
      const first = read(page);
      read(Buffer.concat([other, Buffer.from('<p>'.repeat(300))]));
      const around = Buffer.concat([Buffer.alloc(offset, 'a>"'), page, Buffer.from('</a>">')]);
      assert.deepEqual(read(around.subarray(offset, offset + page.length)), first);
    }),
    { numRuns: 1_000 },
  );
});

test('kernel: each page cut at each byte: an answer, and nothing from behind its end', () => {
  const page = Buffer.from(
    '<!doctype html><title>T&amp;</title><div class="menu"><a href="/x#y" rel=next>a é</a></div>' +
      '<svg><![CDATA[x]]></svg><script><!-- </script><p>w&#0000000001;<!-- c --><textarea>v&nbsp;',
  );
  for (let end = 0; end <= page.length; end++) {
    assert.deepEqual(read(page.subarray(0, end)), read(Buffer.from(page.subarray(0, end))));
  }
});

test('kernel: the memory of a huge page is given back', () => {
  const words = Buffer.from('<p>some words '.repeat((12 * MIB) / 14));
  assert.ok(scanHtml(toUtf8(words, 'utf-8'), 'http://h.test/', { words: true }).words.bytes.length);
  assert.ok(theKernel().bytes.length < 32 * MIB);
});
