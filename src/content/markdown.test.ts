import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { bodyToMarkdown } from './markdown.ts';

const URL = 'https://a.example/dir/x';
const as = (contentType: string, text: string, options = {}, url = URL) =>
  bodyToMarkdown(Buffer.from(text, 'latin1'), { url, contentType }, options);

test('markdown: HTML in its charset, plain text in a fence, Markdown as it is, no pictures', () => {
  assert.equal(as('text/html; charset=iso-8859-1', '<p>caf\xe9'), 'café\n');
  assert.equal(as('text/plain', 'a  b\r\n<c>\n'), '```\na  b\n<c>\n```\n');
  assert.equal(as('text/markdown', '# A\n\n[b](c)\n'), '# A\n\n[b](c)\n');
  assert.equal(as('text/plain', '# A\r\n', {}, 'https://a.example/README.md'), '# A\n');
  assert.equal(as('image/png', 'x'), undefined);
  assert.equal(as('', '<!doctype html><p>a'), 'a\n');
});

test('markdown: a feed is a list of its entries, with links, days and texts; bad dates are left out', () => {
  const rss =
    '<rss><channel><title>News * of</title><item><title>One [1]</title><link>/one</link>' +
    '<pubDate>Sun, 01 Nov 2026 10:00:00 GMT</pubDate><description>&lt;p>First &lt;b>words&lt;/b></description></item>' +
    '<item><title>Two</title><link>two?a=1&amp;b=2</link><pubDate>soon</pubDate></item>' +
    '<item><description>no title, no link</description></item></channel></rss>';
  assert.equal(
    as('application/rss+xml', rss),
    '# News * of\n\n- [One \\[1\\]](https://a.example/one) (2026-11-01)\n\n  First words\n\n' +
      '- [Two](https://a.example/dir/two?a=1&b=2)\n- no title, no link\n',
  );
  const items = [{ url: '/a', title: 'A', date_published: '2026-01-02T00:00:00Z' }, { id: '7' }];
  const version = 'https://jsonfeed.org/version/1.1';
  assert.equal(
    as('application/feed+json', JSON.stringify({ version, title: 'J', items })),
    '# J\n\n- [A](https://a.example/a) (2026-01-02)\n',
  );
});

test('markdown: a sitemap met as a page lists its addresses, JSON stands in a fence, XML has its words', () => {
  const map =
    '<urlset><url><loc>https://a.example/1</loc><lastmod>2026-11-02</lastmod></url></urlset>';
  assert.equal(as('application/xml', map), '- <https://a.example/1> (2026-11-02)\n');
  assert.equal(
    as('application/json', '{"a":[1,"`"]}'),
    '```json\n{\n  "a": [\n    1,\n    "`"\n  ]\n}\n```\n',
  );
  const opml = '<opml><title>Mine</title><outline text="B" htmlUrl="/b"/>1. words</opml>';
  assert.equal(as('text/xml', opml), '# Mine\n\n1\\. words\n\n- [B](https://a.example/b)\n');
});

test('markdown: JSON a hundred thousand brackets deep, or one long line, comes as it is', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  assert.equal(as('application/json', deep), `\`\`\`json\n${deep}\n\`\`\`\n`);
});

test('markdown: a fence is closed, however long the text, and one of backticks alone', () => {
  const long = as('text/plain', 'words\n'.repeat(1_000_000)) ?? '';
  assert.match(long.slice(-20), /\n```\n$/);
  const ticks = as('text/plain', '`'.repeat(4_000_000)) ?? '';
  assert.equal(ticks, `${'`'.repeat(101)}\n${'`'.repeat(100)}\n${'`'.repeat(101)}\n`);
});

test('markdown: every kind has its front matter when it is asked for, and one only', () => {
  const front = `---\nurl: "${URL}"\n---\n\n`;
  assert.equal(as('text/plain', 'a', { frontMatter: true }), `${front}\`\`\`\na\n\`\`\`\n`);
  const own = as('text/markdown', '---\ntitle: T\n---\n\n# A\n', { frontMatter: true });
  assert.equal(own, `---\ntitle: "T"\nurl: "${URL}"\n---\n\n# A\n`);
});

test('markdown: no document of any kind throws, or leaves a control character', () => {
  const types = [
    'application/pdf',
    'application/json',
    'application/rss+xml',
    'text/xml',
    'text/x',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 300 }), (type, body) => {
      const made = bodyToMarkdown(body, { url: URL, contentType: type });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      assert.doesNotMatch(made ?? '', /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]/);
    }),
    { numRuns: 300 },
  );
});
