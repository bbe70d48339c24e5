/** The tree, with parse5 as the referee: the same words under the same kinds of elements. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { buildTree, DEPTH_MAX, type HtmlNode } from './tree.ts';

const FOLDER = fileURLToPath(new URL('../../test/fixtures/markdown/', import.meta.url));
const UNREAD = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'title']);
const SHOWN = /^(?:h[1-6]|li|td|th|pre|dt|dd|blockquote|a|code)$/;

/** Each word behind the nearest element that decides how it is written. */
function words(text: string, under: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => `${under}:${word}`);
}

function ours(node: HtmlNode, under = ''): string[] {
  if (node.tag === '') return words((node as { text: string }).text, under);
  if (UNREAD.has(node.tag) || !('children' in node)) return [];
  const now = SHOWN.test(node.tag) ? node.tag : under;
  return node.children.flatMap((child) => ours(child, now));
}

function theirs(node: DefaultTreeAdapterTypes.Node, under = ''): string[] {
  if (node.nodeName === '#text') return words((node as { value: string }).value, under);
  if (UNREAD.has(node.nodeName) || !('childNodes' in node)) return [];
  const now = SHOWN.test(node.nodeName) ? node.nodeName : under;
  return node.childNodes.flatMap((child) => theirs(child, now));
}

const same = (html: string) => {
  assert.deepEqual(ours(buildTree(html).root), theirs(parse(html)));
};

for (const name of readdirSync(FOLDER).filter((file) => file.endsWith('.html'))) {
  test(`tree: ${name} as parse5 reads it`, () => same(readFileSync(`${FOLDER}${name}`, 'utf8')));
}

const SOUP = [
  '<ul><li>a<li>b<ul><li>c</ul>d<li>e</ul>f',
  '<dl><dt>a<dd>b<dt>c<dd><p>d<dl><dt>e</dl>f</dl>g',
  '<table><tr><td>a<td>b<tr><th>c<tbody><tr><td>d<table><tr><td>e</table>f</table>g',
  '<p>a<div>b</p>c</div>d<p>e<h2>f</h3>g',
  '<a href=x>a<a href=y>b</a>c</a>d',
  '<td>a</td><tr>b</tr><li>c</li></div>d',
  '<blockquote>a<p>b</blockquote>c<pre>d\n<b>e</pre>f',
  'a <!-- > b --c--> d <!e> f </ g> h <?i> j <k',
  '<p title="a>b" x=\'c\' y=d/>e &amp;&lt;&notit; &#x41;&#128;</p>',
  '<h1>a<h2>b</h1>c<ol><li><p>d</ol></li>e',
];
for (const html of SOUP) test(`tree: ${html.slice(0, 60)}`, () => same(html));

test('tree: depth and number of elements are bounded, their text is kept', () => {
  const { root, elements } = buildTree(
    `${'<div>'.repeat(2_000)}deep${'</div>'.repeat(2_000)}after`,
  );
  assert.ok(elements.length <= DEPTH_MAX);
  assert.deepEqual(ours(root), [':deep', ':after']);
});
