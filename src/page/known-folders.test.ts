import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/index.ts';
import { Kernel } from './kernel.ts';
import { FOLDER_AT, ROWS_AT } from './kernel-layout.ts';
import { enterFolder } from './known-folders.ts';
import { decodeAttribute } from './references.ts';
import { scanHtml, urlsOf } from './scan.ts';

type Found = readonly [base: string, href: string];

const UNKNOWN = -1;
const kernel = new Kernel();

/** In how many slots these hrefs are, each on its page. */
function slotsOf(...found: Found[]): number {
  return new Set(found.map(slotOf)).size;
}

/** Made when there is none. */
function slotOf([base, href]: Found): number {
  enterFolder(kernel, base);
  return slotAt(href);
}

function slotAt(href: string): number {
  const end = ROWS_AT + kernel.bytes.write(href, ROWS_AT);
  kernel.bytes.write(' >', end);
  const slot = kernel.exports.lookUpHref(ROWS_AT, end);
  assert.notEqual(slot, UNKNOWN, href);
  return slot >= 0 ? slot : kernel.exports.keepHref(ROWS_AT, end);
}

/** The same path of a site from many places. */
function spellingsOf(site: string, path: string): Found[] {
  const host = site.slice(site.indexOf('//'));
  const starts = ['./', '../b/', './../../a/b/', '/a/b/', `${host}/a/b/`, `${site}/a/b/`];
  return [
    ...starts.map((start): Found => [`${site}/a/b/page?q=/x/`, start + path]),
    [`${site}/a/b/`, `${site.replace('one', 'ONE')}/a/b/${path}`],
    [`${site}/`, `a/b/${path}`],
    [`${site}/`, `../../a/b/${path}`],
    [`${site}/a/x`, `b/${path}`],
    [`${site}/x/y//z/`, `../../../../a/b/${path}`],
    [`${site}/${'long/'.repeat(20)}`, `${'../'.repeat(20)}a/b/${path}`],
  ];
}

test('known folders: one path of a site, in any spelling and from any folder: one slot', () => {
  for (const path of ['c', 'c?p=1&q=2', 'c?x:y\\z', 'caf%C3%A9', '%7e;sid=1', 'é', 'd/../e/', '']) {
    for (const site of ['http://one.example', 'https://one.example:8443']) {
      assert.equal(slotsOf(...spellingsOf(site, path)), 1, path);
    }
  }
  assert.equal(slotsOf(['http://one.example/w/', './a:b'], ['http://one.example/', '/w/a:b']), 1);
  for (let length = 1; length < 40; length++) {
    const folder = `/${'f'.repeat(length)}/`;
    const page = `http://one.example${folder}`;
    assert.equal(slotsOf([page, './'], ['http://one.example/', folder]), 1);
    assert.equal(slotsOf([page, 'x'], ['http://one.example/', `${folder}x`]), 1);
    assert.equal(slotsOf([page, 'some/where?x'], [page, `${folder}some/where?x`]), 1);
  }
});

test('known folders: what is no plain path of the site is known by its own bytes', () => {
  const [one, two] = ['http://one.example/d/', 'http://two.example/d/'];
  for (const href of ['a b', 'a\tb', 'a\\b', 'a&amp;b', 'a:b']) {
    assert.equal(slotsOf([one, href], [one, `/d/${href}`]), 2, href);
  }
  for (const rest of [':8080/x', '.org/x', '']) {
    const href = `http://one.example${rest}`;
    assert.equal(slotsOf([one, href], [two, href]), 1, href);
  }
});

test('known folders: a path too long to be kept: its href is known in its folder', () => {
  const folder = `http://one.example/${'d'.repeat(60)}/`;
  const href = 'x'.repeat(30);
  assert.equal(slotsOf([folder, href], [folder, href]), 1);
  assert.equal(slotsOf([folder, href], ['http://one.example/', href]), 2);
  assert.throws(() => slotOf(['http://one.example/', `/${'x'.repeat(80)}`]), /AssertionError/);
});

/** Pairs of which the second would be taken for the first, if not for one guard. */
const PAIRS: readonly (readonly [why: string, first: Found, second: Found])[] = [
  [
    'a doubled slash in a URL of the site',
    ['http://a.example/', 'http://a.example//g.example/x'],
    ['http://a.example/', '//g.example/x'],
  ],
  [
    'a doubled slash below the root',
    ['http://b.example/', './/g.example/x'],
    ['http://b.example/', '//g.example/x'],
  ],
  [
    'a folder that begins with two slashes',
    ['http://c.example//g.example/d/', 'x'],
    ['http://c.example/', '//g.example/d/x'],
  ],
  [
    'folders that begin with two slashes',
    ['http://c.example//g.example/d/', 'y'],
    ['http://c.example//g.example/e/', 'y'],
  ],
  [
    'a backslash',
    ['http://d.example/', 'http://d.example/\\g.example/x'],
    ['http://d.example/', '/\\g.example/x'],
  ],
  [
    'a reference',
    ['http://e.example/', 'http://e.example/&#47;g.example/x'],
    ['http://e.example/', '/&#47;g.example/x'],
  ],
  ['a scheme', ['http://f.example/d/', 'foo:x'], ['http://f.example/', '/d/foo:x']],
  ['another host', ['http://g.example/', 'http://h.example/x'], ['http://g.example/', '/x']],
  ['another scheme', ['http://i.example/', 'https://i.example/x'], ['http://i.example/', '/x']],
  ['two sites', ['http://j.example/d/', 'x'], ['http://k.example/d/', 'x']],
  ['two folders', ['http://j.example/d/', 'y'], ['http://j.example/e/', 'y']],
  ['no letter', ['http://l~m.example/', '/x'], ['http://l~m.example/', 'http://l^m.example/x']],
  ['nor this', ['http://l`m.example/', '/x'], ['http://l`m.example/', 'http://l@m.example/x']],
  ['a file that is dots', ['http://n.example/d/..', 'x'], ['http://n.example/d/e', 'x']],
  ['as an escape', ['http://o.example/d/%2E%2e', 'x'], ['http://o.example/d/e', 'x']],
  ['behind a tab', ['http://p.example/d/\t..', 'x'], ['http://p.example/d/e', 'x']],
  ['a file in a folder', ['http://q.example/d\\e\\f', 'x'], ['http://q.example/f', 'x']],
  ['a hidden file', ['http://r.example/d/.h?e/', 'x'], ['http://r.example/', '/d/.h?e/x']],
  ['dots in a folder', ['http://s.example/d/../e/', '../../x'], ['http://s.example/d/', 'x']],
  ['no path', ['http://t.example?q', 'x'], ['http://u.example?q', 'x']],
  ['no path, from the root', ['http:/t.example', '/x'], ['http:/u.example', '/x']],
  ['an unparsed base', ['http://v.example/d/..', '../x'], ['http://v.example/d/..', 'hx']],
];

for (const [why, first, second] of PAIRS) {
  test(`known folders: ${why}: not mistaken for what has the same letters`, () => {
    for (const [base, href] of [first, second, first]) {
      const body = { bytes: Buffer.from(`<a href="${href}"></a>`), ascii: false };
      const expected = canonicalize(decodeAttribute(href), base);
      assert.deepEqual(urlsOf(scanHtml(body, base)), expected === undefined ? [] : [expected]);
    }
  });
}

test('known folders: an href that ends within what looks like its site: ends there', () => {
  const body = { bytes: Buffer.from(`<a href='http://w'x.example/y'></a>`), ascii: false };
  assert.deepEqual(urlsOf(scanHtml(body, `http://w'x.example/`)), ['http://w/']);
});

test('known folders: a folder longer than is kept: nothing is read from its rest', () => {
  for (let length = 600; length < 900; length++) {
    const above = `http://z${length}.example/a/`;
    const html = '<a href="../y"></a><a href="../../z"></a><a href="../../../z"></a>';
    const body = { bytes: Buffer.from(html), ascii: false };
    const root = `http://z${length}.example/z`;
    const urls = urlsOf(scanHtml(body, `${above}${'l'.repeat(length)}/`));
    assert.deepEqual(urls, [`${above}y`, root, root]);
    const below = { bytes: Buffer.from('<a href="z"></a>'), ascii: false };
    assert.deepEqual(urlsOf(scanHtml(below, above)), [`${above}z`]);
  }
});

test('known folders: two paths of one hash: told apart in each of their parts', () => {
  // Found by trying, for a site with the number 2.
  const collisions = [
    ['/', '--1y3kx', '/', '--48rhx'],
    ['/---745/', 'x', '/--1b10/', 'x'],
    ['/', 'sevenseven---s1l', '/', 'sevenseven--2w2g'],
  ] as const;
  for (const [folder, href, otherFolder, other] of collisions) {
    const slots = [lookUp(folder, href), lookUp(otherFolder, other)];
    assert.equal(Math.abs(slots[0]! - slots[1]!), 1, 'side by side, so of one hash');
  }
});

function lookUp(folder: string, href: string): number {
  const site = 'http://one.example';
  const bytes = kernel.bytes.write(site + folder, FOLDER_AT);
  kernel.exports.setFolder(1, 2, site.length, bytes);
  return slotAt(href);
}
