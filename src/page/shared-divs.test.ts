import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedDivs } from './shared-divs.ts';

function opens(attributes: string): boolean {
  const bytes = Buffer.from(` ${attributes}>`);
  return new SharedDivs().open(bytes, 0, bytes.length);
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
  const divs = new SharedDivs();
  const [menu, plain] = ['class="menu"', ''].map((text) => Buffer.from(` ${text}>`)) as [
    Buffer,
    Buffer,
  ];
  assert.equal(divs.close(), false);
  assert.equal(divs.open(menu, 0, menu.length), true);
  assert.equal(divs.open(plain, 0, plain.length), false);
  assert.equal(divs.open(menu, 0, menu.length), false);
  assert.equal(divs.close(), false);
  assert.equal(divs.close(), false);
  assert.equal(divs.close(), true);
  assert.equal(divs.close(), false);
});
