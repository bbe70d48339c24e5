import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toMarkdown } from './index.ts';

const URL = 'https://example.org/docs/page.html';
const of = (html: string) => toMarkdown(html, URL, { whole: true }).trimEnd();

/** `[what, HTML, Markdown]` */
const CASES: readonly (readonly [string, string, string])[] = [
  [
    'headings, without the sign that leads to them',
    '<h2>A <b>b</b><a href="#a">¶</a></h2>',
    '## A **b**',
  ],
  ['a heading that ends in #', '<h3>C #</h3>', '### C \\#'],
  ['paragraphs that nobody closed', '<p>One<p>Two', 'One\n\nTwo'],
  ['a line break', '<p>One<br>Two', 'One\\\nTwo'],
  ['an empty line made of breaks', '<p>One<br><br>Two', 'One\n\nTwo'],
  ['spaces inside marks', 'a<b> b </b>c', 'a **b** c'],
  ['marks that CommonMark would not see', '漢<b>「字」</b>漢', '漢「字」漢'],
  ['marks without words', 'a<b> </b><i></i>b', 'a b'],
  ['marks that touch', '<b>a</b><b>b</b><i>c</i>', '**ab**c'],
  ['struck text', '<del>old</del> new', '~~old~~ new'],
  ['code with backticks', '<code>a`b</code> <code>`</code>', '``a`b`` `` ` ``'],
  [
    'code that is a link',
    '<code><a href="m">Map</a>&lt;K&gt;</code>',
    '[`Map`](https://example.org/docs/m)`<K>`',
  ],
  ['a nested list', '<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c'],
  ['a list inside a list without an item', '<ul><li>a</li><ul><li>b</ul></ul>', '- a\n  - b'],
  ['a list that starts at 7', '<ol start=7><li>a<li>b<li value=20>c</ol>', '7. a\n8. b\n20. c'],
  ['two lists in a row', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
  [
    'a list of paragraphs and code',
    '<ul><li><p>a</p><pre>b</pre></ul>',
    '- a\n\n  ```\n  b\n  ```',
  ],
  ['a quote', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['terms', '<dl><dt>a:</dt><dd>one</dd><dt>b</dt><dd>two</dd></dl>', '- **a:** one\n- **b**: two'],
  ['details', '<details><summary>More</summary>text</details>', '**More**\n\ntext'],
  [
    'a table with alignment',
    '<table><tr><th>a<th align=right>b<th style="text-align: center">c<tr><td>1<td>2|3<td><code>x|y</code></table>',
    '| a | b | c |\n| --- | ---: | :---: |\n| 1 | 2\\|3 | `x\\|y` |',
  ],
  [
    'a table with spans',
    '<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3<tr><td colspan=2>4</table>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |\n| 4 |  |',
  ],
  [
    'a list in a cell',
    '<table><tr><th>a<th>b<tr><td>1<td><ul><li>x<li>y</ul></table>',
    '| a | b |\n| --- | --- |\n| 1 | x; y |',
  ],
  ['a table that places things', '<table><tr><td><h1>T</h1><td><p>text</table>', '# T\n\ntext'],
  [
    'a table by roles',
    '<div role=table><div role=row><span role=columnheader>a</span><span role=columnheader>b</span></div><div role=row><span role=cell>1</span><span role=cell>2</span></div></div>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'code with its language',
    '<pre><code class="hljs language-js">a &lt; b\n\n  c</code></pre>',
    '```js\na < b\n\n  c\n```',
  ],
  [
    'highlighted code',
    '<div class="highlight-python3"><pre><span>a</span> <b>=</b> 1\n</pre></div>',
    '```python\na = 1\n```',
  ],
  [
    'code with line numbers',
    '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre><td class="code"><pre>a\nb</pre></table>',
    '```\na\nb\n```',
  ],
  ['code with fences in it', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['lines as blocks', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
  [
    'links: absolute, canonical, with their fragment',
    '<a href="../A/?b=2&utm_source=x#c d">t</a>',
    '[t](https://example.org/A/?b=2#c%20d)',
  ],
  [
    'links that lead nowhere',
    '<a href="javascript:x()">a</a> <a>b</a> <a href="data:text/html,x">c</a>',
    'a b c',
  ],
  [
    'a link with brackets and parentheses',
    '<a href="/a(b">x [y]</a>',
    '[x \\[y\\]](https://example.org/a%28b)',
  ],
  ['mail', '<a href="mailto:a@example.org">mail</a>', '[mail](mailto:a@example.org)'],
  [
    'a link around blocks',
    '<a href="/x"><h3>Card</h3><p>More</p></a>',
    '### [Card](https://example.org/x)\n\nMore',
  ],
  ['images', '<img src="/i.png" alt="A [graph]">', '![A \\[graph\\]](https://example.org/i.png)'],
  [
    'images that show nothing',
    '<img src=a alt=""><img src=b alt=x width=1 height=1><img src="data:x" alt="logo">',
    'logo',
  ],
  [
    'an image that loads late',
    '<img src="data:x" data-src="/late.png" alt="late">',
    '![late](https://example.org/late.png)',
  ],
  [
    'footnotes',
    '<p>Text<sup><a href="#fn1" id="r1">1</a></sup>.</p><ol class="footnotes"><li id="fn1">Note. <a href="#r1">↩</a></li></ol>',
    'Text[^1].\n\n[^1]: Note.',
  ],
  ['a power, an ordinal', '10<sup>6</sup>, 2<sup>n−1</sup>, 1<sup>st</sup>', '10^6, 2^(n−1), 1st'],
  [
    'formulas as their TeX',
    '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
    'x^2',
  ],
  ['ruby', '<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>', '漢字(かんじ)'],
  ['text from right to left', '<p dir=rtl>שלום <b>עולם</b></p>', 'שלום **עולם**'],
  ['references', '&lt;b&gt; &amp;lt; &copy; &#x1F600; &nosuch;', '\\<b> \\&lt; © 😀 \\&nosuch;'],
  [
    'what is never shown',
    '<script>a</script><style>b</style><template>c</template><p hidden>d</p><p style="display:none">e</p>f',
    'f',
  ],
  [
    'text that looks like markup',
    '<p># a</p><p>- b</p><p>1. c</p><p>*d* _e_ snake_case a * b</p><p>> f</p><p>[g](h)</p><p>---</p>',
    '\\# a\n\n\\- b\n\n1\\. c\n\n\\*d\\* \\_e\\_ snake_case a * b\n\n\\> f\n\n[g\\](h)\n\n\\---',
  ],
  ['a definition that would vanish', '<p>[a]: /url</p>', '[a\\]: /url'],
  ['an end tag in the wrong block', '<b>a<p>b</b>c</p>d', 'a\n\nbc\n\nd'],
  ['signs that a terminal obeys', 'a\u001b[31mb\u0007c', 'a[31mbc'],
];

for (const [what, html, markdown] of CASES) {
  test(`markdown: ${what}`, () => assert.equal(of(html), markdown));
}

const TEXT = '<p>Here is a text that somebody wrote, with some commas, and an end.</p>'.repeat(8);
const MENU = '<ul><li><a href=a>Alpha</a><li><a href=b>Beta</a></ul>';

test('main part: menus, footers, banners and share buttons stay out', () => {
  const page = toMarkdown(
    `<title>T</title><header><a href=/>Site</a></header><nav>${MENU}</nav><div class=sidebar>${MENU}</div>
     <div id=content><h1>T</h1>${TEXT}<div class="share-buttons"><a href=x>Tweet</a></div></div>
     <div class="cookie-consent">We use cookies</div><footer>© Us</footer>`,
    URL,
  );
  assert.match(page, /^# T\n\nHere is/);
  assert.doesNotMatch(page, /Alpha|Beta|Site|Tweet|cookies|Us/);
});

test('main part: <main> wins over a heavier sidebar', () => {
  const page = toMarkdown(`<aside>${TEXT}</aside><main><h1>T</h1>${TEXT}</main>`, URL);
  assert.equal(page.match(/Here is/g)?.length, 8);
});

test('main part: a heading above it comes with it, the name of the site does not', () => {
  const title = '<title>Lists - The Site</title>';
  const above = toMarkdown(`${title}<h1>Lists</h1><main>${TEXT}</main>`, URL);
  assert.match(above, /^# Lists\n/);
  const name = toMarkdown(`${title}<h1>The Site</h1><main><h2>Lists</h2>${TEXT}</main>`, URL);
  assert.match(name, /^## Lists\n/);
});

test('main part: a page that is all menu, or all sidebar by name, is kept whole', () => {
  assert.match(toMarkdown(`<nav>${MENU}</nav>`, URL), /Alpha/);
  assert.match(
    toMarkdown(`<body class=has-sidebar><div class="sidebar">${TEXT}</div>`, URL),
    /Here is/,
  );
});

test('main part: a page that hides itself until its scripts run is read all the same', () => {
  assert.match(toMarkdown(`<div id=app style="display: none">${TEXT}</div>`, URL), /Here is/);
});

test('front matter: title, URL, date and language, only when asked for', () => {
  const html =
    '<html lang=pt-BR><title>A "b"</title><meta property="article:published_time" content="2026-01-02T03:04:05Z"><p>x';
  assert.equal(toMarkdown(html, URL), 'x\n');
  assert.equal(
    toMarkdown(html, URL, { frontMatter: true }),
    `---\ntitle: "A \\"b\\""\nurl: "${URL}"\ndate: "2026-01-02T03:04:05Z"\nlanguage: "pt-BR"\n---\n\nx\n`,
  );
});

test('images: as links, as their words, or not at all', () => {
  const html = '<p>a <img src="/i.png" alt="graph"></p>';
  assert.equal(toMarkdown(html, URL, { images: 'text' }), 'a graph\n');
  assert.equal(toMarkdown(html, URL, { images: 'none' }), 'a\n');
});

test('base: links are resolved against it', () => {
  assert.equal(of('<base href="/other/"><a href="x">t</a>'), '[t](https://example.org/other/x)');
});
