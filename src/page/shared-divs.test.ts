import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUtf8 } from './decode.ts';
import { scanHtml } from './scan.ts';

/** For each link of a page, whether it is in a part that the site's pages share. */
function shared(html: string): string {
  const scan = scanHtml(toUtf8(Buffer.from(html), 'utf-8'), 'http://h.test/');
  return scan.boilerplate.join('');
}

function opens(attributes: string): boolean {
  return shared(`<div ${attributes}><a href="/x">x</a></div>`) === '1';
}

test('shared divs: names of menus, sidebars and footers, in class, id and role', () => {
  for (const attributes of [
    ...['class="sidebar"', "class='box sidebar'", 'id=footer', 'role="navigation"', 'ID="Menu"'],
    ...['class="related" role="navigation" aria-label="related navigation"'],
    ...['xmlns="http://www.w3.org/TR/xhtml1/transitional" class="navheader"'],
    ...['class="sphinxsidebar"', 'class="main-nav"', 'class="breadcrumbs"', 'id="site_footer"'],
  ]) {
    assert.ok(opens(attributes), attributes);
  }
});

test('shared divs: frames around everything, notes and texts about menus: not shared', () => {
  for (const attributes of [
    ...['class="sidebar-left-layout"', 'class="has-menu"', 'id="main"', 'class="footnotes"'],
    ...['class="content"', 'data-class="menu"', 'title="menu"', 'class=""', 'class'],
    ...['style="menu"', 'class="navigate"', `class="${'x '.repeat(400)} menu"`],
  ]) {
    assert.ok(!opens(attributes), attributes);
  }
});

test('shared divs: ends with its own end tag, those inside are counted', () => {
  const link = '<a href="/x">x</a>';
  const menu = '<div class="menu">';
  assert.equal(shared(`</div>${menu}${link}</div>${link}`), '10');
  assert.equal(shared(`${menu}<div>${menu}</div></div>${link}</div>${link}</div>${link}`), '100');
});
