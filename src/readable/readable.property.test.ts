/**
 * Whatever a page is, its Markdown keeps its promises. The checks here are a small reader of
 * CommonMark of their own: code is cut out, and what is left must hold no tag.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toMarkdown } from './index.ts';

const URL = 'https://example.org/docs/page.html';
const RUNS = { numRuns: 300 };

const TAGS = (
  'p div b i em strong code span ul ol li dl dt dd table tr td th thead tbody caption h1 h2 h3 ' +
  'blockquote a pre section article q sup sub small details summary figure kbd del main address'
).split(' ');

/** Outside of fences and of code spans. */
function withoutCode(markdown: string): string {
  const text: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const mark = /^[\s>*-]*(?:\d+[.)] )?[\s>*-]*(`{3,})[^`]*$/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.length >= fence.length) fence = '';
    } else if (mark !== '') fence = mark;
    else text.push(line);
  }
  return text
    .join('\n')
    .replace(/\\`/g, ' ')
    .replace(/(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g, ' ');
}

function assertNoTags(markdown: string): void {
  const tag = /(?<!\\)(?:\\\\)*<[a-zA-Z/!?]/.exec(withoutCode(markdown));
  assert.equal(tag, null, `a tag is left in: ${markdown.slice(0, 400)}`);
}

test('markdown: of any bytes, it ends, and no tag is left in it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      assertNoTags(toMarkdown(bytes, URL));
    }),
    RUNS,
  );
});

const soup = fc.array(
  fc.oneof(
    fc.constantFrom(...TAGS).map((tag) => `<${tag}>`),
    fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
    fc.constantFrom(
      '<br>',
      '<hr>',
      '<a href="/x">',
      '<ol start="7">',
      '<!-- c -->',
      '<img alt=x src=y>',
    ),
    fc.constantFrom(
      '&lt;b&gt;',
      '<',
      '>',
      '*',
      '_',
      '`',
      '[x](y)',
      '|',
      '&amp;lt;',
      '\\',
      '# ',
      '1. ',
      '~~',
    ),
    fc.constantFrom('word', ' ', '\n', '漢字', 'שלום', '😀'),
  ),
  { maxLength: 60 },
);

test('markdown: of any soup of tags, no tag is left in it', () => {
  fc.assert(
    fc.property(soup, (parts) => assertNoTags(toMarkdown(parts.join(''), URL, { whole: true }))),
    RUNS,
  );
});

test('markdown: every word of any soup of tags stands in it once', () => {
  const tags = fc.array(
    fc.oneof(
      fc.constantFrom(...TAGS).map((tag) => `<${tag}>`),
      fc.constantFrom(...TAGS).map((tag) => `</${tag}>`),
    ),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(fc.array(tags, { minLength: 1, maxLength: 25 }), (groups) => {
      const html = groups.map((group, i) => `${group.join('')}word${i}x`).join(' ');
      const found = toMarkdown(html, URL, { whole: true }).match(/word\d+x/g) ?? [];
      const wanted = groups.map((_, i) => `word${i}x`);
      assert.deepEqual([...found].sort(), [...wanted].sort());
    }),
    RUNS,
  );
});

test('markdown: headings keep their levels and their order', () => {
  const headings = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(999)), {
    minLength: 1,
  });
  fc.assert(
    fc.property(headings, (list) => {
      const html = list.map(([level, n]) => `<div><h${level}>Part ${n}</h${level}><p>Text.</div>`);
      const lines = toMarkdown(html.join(''), URL).split('\n');
      const found = lines.filter((line) => line.startsWith('#'));
      assert.deepEqual(
        found,
        list.map(([level, n]) => `${'#'.repeat(level)} Part ${n}`),
      );
    }),
    RUNS,
  );
});

/** What CommonMark makes of a backslash before a sign. */
const unescaped = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1');

test('markdown: text without markup is the same text once its escapes are read', () => {
  const signs = fc.constantFrom(...'*_`[]()<>#+-.!|~&\\:=1ax '.split(''));
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 40 }), (list) => {
      const text = list.join('').trim().replace(/ +/g, ' ');
      fc.pre(text !== '');
      const html = `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`;
      const markdown = toMarkdown(html, URL, { whole: true });
      assert.equal(unescaped(markdown), `${text}\n`);
    }),
    { numRuns: 1_000 },
  );
});

const HOSTILE: Readonly<Record<string, (n: number) => string>> = {
  'nested divs': (n) => `${'<div>'.repeat(n)}x${'</div>'.repeat(n)}`,
  'nested lists': (n) => '<ul><li>x'.repeat(n),
  'nested quotes': (n) => '<blockquote>x<br>'.repeat(n),
  'nested tables': (n) => '<table><tr><td>'.repeat(n),
  'links around blocks': (n) => '<a href=x><div>y'.repeat(n),
  'open marks': (n) => '<b>x<i>y'.repeat(n),
  'marks that touch': (n) => '<b>a</b><i>b</i>'.repeat(n),
  'open comments': (n) => '<!--'.repeat(n),
  'open quotes': (n) => '<p a="'.repeat(n),
  'open scripts': (n) => '<script>'.repeat(n),
  'end tags': (n) => `${'<div>'.repeat(250)}${'</b></td>'.repeat(n)}`,
  attributes: (n) => `<p ${'a=b '.repeat(n)}>x`,
  references: (n) => '&#1&am'.repeat(n),
  backticks: (n) => `<code>${'`a``'.repeat(n)}</code>`,
  'wide tables': (n) => `<table><tr>${'<td rowspan=9999 colspan=99>x'.repeat(n)}<tr><td>y`,
  'links in code': (n) => `<code>${'<a href=x>y</a>,'.repeat(n)}</code>`,
  footnotes: (n) => '<sup><a href=#f>1</a></sup>'.repeat(n) + '<li class=footnote id=f>x'.repeat(n),
  spaces: (n) => ` ${'\n'.repeat(n)}<pre>${' \n'.repeat(n)}`,
};

/** Work is counted in what it allocates and writes, not in seconds: machines are busy. */
const GROWTH_MAX = 80;

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`markdown: ${name} without end stay within bounds`, { timeout: 20_000 }, () => {
    const html = make(20_000);
    const markdown = toMarkdown(html, `https://example.org/${'deep/'.repeat(300)}`);
    assert.ok(
      markdown.length <= html.length * GROWTH_MAX + 65_536,
      `${markdown.length} characters`,
    );
    assertNoTags(markdown.slice(0, 20_000));
  });
}

test('markdown: 100,000 nested divs keep their text', () => {
  const deep = 100_000;
  const html = `${'<div>'.repeat(deep)}<p>deep</p>${'</div>'.repeat(deep)}<p>after</p>`;
  assert.equal(toMarkdown(html, URL), 'deep\n\nafter\n');
});
