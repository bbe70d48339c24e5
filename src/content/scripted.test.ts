import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digest } from './digest.ts';
import { needsScripts } from './scripted.ts';

function looksEmpty(html: string | Buffer, contentType = 'text/html'): boolean {
  const headers = { 'content-type': contentType };
  const page = { url: 'http://a.test/', kind: 'page', headers, agent: 'orbweaver' } as const;
  const { body, words, links } = digest({ ...page, body: Buffer.from(html), decodedBytesMax: 1e7 });
  return needsScripts({ body, contentType, words, links: links.length });
}

const bundle = '<script src=/assets/index-4f1d.js></script>';
const lots = 'Some words of a page that anybody can read. '.repeat(12);
const shell = (body: string, head = '') =>
  `<!doctype html><html><head><title>An app</title>${head}</head><body>${body}</body></html>`;

const EMPTY: Readonly<Record<string, string>> = {
  react: shell('<noscript>You need to enable JavaScript.</noscript><div id="root"></div>', bundle),
  vite: shell('<div id="app"></div>', '<script type="module" src="/assets/a.js"></script>'),
  angular: shell(`<app-root></app-root>${bundle}`),
  'custom element': shell(`<my-shop class="x">Loading…</my-shop>${bundle}`),
  ember: shell(`${bundle}<div id=ember-basic-dropdown-wormhole></div>`),
  'inline state': shell(`<script>window.S=${JSON.stringify('x'.repeat(3_000))}</script>${bundle}`),
  spinner: shell(`<div id="__next"><div class=s>Please wait</div></div>${bundle}`),
  nuxt: shell(`<div id="__nuxt"></div><script>window.__NUXT__={}</script>${bundle}`),
  'menu and footer': shell(
    `<nav><a href=/a>Home</a> <a href=/b>About us</a> <a href=/c>Contact</a></nav>
    <div id="app"></div><footer>© 2026 The company. All rights reserved. Imprint.</footer>${bundle}`,
  ),
  'long footer': shell(
    `<div id="root"></div><footer>${lots}</footer><noscript>Please enable JavaScript.</noscript>${bundle}`,
  ),
  written: shell('<script>document.write(location.search)</script>'),
  'upper case': '<HTML><BODY><DIV ID="root"></DIV><SCRIPT SRC="app.js"></SCRIPT></BODY></HTML>',
  gatsby: shell(`<div id="___gatsby"></div>${bundle}`),
  'a refresh for those without scripts': shell(
    '<div id=root></div>',
    `<noscript><meta http-equiv="refresh" content="0;url=/plain"></noscript>${bundle}`,
  ),
  'a logo over an empty root': shell(`<img src=/logo.svg><div id=app></div>${bundle}`),
  'noscript only': shell(
    `<div class=page></div><noscript><p>This site needs JavaScript to work. Here is how to switch it on
    in your browser: open the settings and allow scripts for this site.</p></noscript>${bundle}`,
  ),
};

for (const [name, html] of Object.entries(EMPTY)) {
  test(`scripted: ${name}: empty without scripts`, () => assert.ok(looksEmpty(html)));
}

const FULL: Readonly<Record<string, string>> = {
  'a page with scripts': shell(`<p>${lots}</p>${bundle}<div id="comments"></div>`),
  'rendered on the server': shell(`<div id="root"><main><p>${lots}</p></main></div>${bundle}`),
  'short, without a script': shell('<p>Under construction.</p>'),
  'a redirect by the page': shell('', `<meta http-equiv="refresh" content="0;url=/a">${bundle}`),
  frames: `<html><head>${bundle}</head><frameset><frame src=a.html></frameset></html>`,
  'short, with statistics': shell(
    `<h1>Opening hours</h1><p>Monday to Friday from nine to five, on Saturday until noon; closed
    on holidays.</p><p>Call us, or <a href=/map>find us</a> in the High Street.</p>${bundle}`,
  ),
  'a form': shell(
    `<form action=/in><label>Name <input name=n></label><label>Password <input type=password></label>
    <button>Sign in</button></form>${bundle}`,
  ),
  'a picture': shell(
    `<h1>The harbour at dawn</h1><img src=/p.jpg alt=""><p>Photo: A. B.</p>${bundle}`,
  ),
  'short, with a module': shell(
    `<h1>Thank you</h1><p>Your message has been sent. We answer within two days.</p>
    <a href=/>Back</a><script type=module src=/a.js></script>`,
  ),
  'a wide menu': shell(
    `${Array.from({ length: 40 }, (_, n) => `<a href=/${n}>Part ${n}</a>`).join(' ')}${bundle}`,
  ),
  'words in a custom element': shell(`<my-page><p>${lots}</p></my-page>${bundle}`),
};

for (const [name, html] of Object.entries(FULL)) {
  test(`scripted: ${name}: not rendered for nothing`, () => assert.equal(looksEmpty(html), false));
}

test('scripted: what is no HTML is not looked at', () => {
  assert.equal(looksEmpty('<script>1</script>', 'text/plain'), false);
  assert.equal(looksEmpty('', 'text/html'), false);
});

test('scripted: of the documentation on this machine at most 2% would be rendered for nothing', (t) => {
  const root = '/usr/share/doc';
  const named = existsSync(root) ? globSync('**/*.html', { cwd: root, withFileTypes: true }) : [];
  // Folders are named so, too.
  const files = named.filter((one) => one.isFile()).slice(0, 20_000);
  const chosen = files.filter((_, n) => n % Math.ceil(files.length / 300) === 0);
  if (chosen.length < 100) return t.skip(`${root} has ${files.length} pages: too few to count`);
  const wrong = chosen
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => looksEmpty(readFileSync(path)));
  t.diagnostic(`${wrong.length} of ${chosen.length}`);
  assert.ok(wrong.length <= 0.02 * chosen.length, wrong.join(' '));
});

const HOSTILE: Readonly<Record<string, string>> = {
  scripts: '<script>',
  comments: '<!--',
  notices: '<noscript>javascript ',
  'tags without an end': '<a-b ',
  'elements of its own': '<a-b>',
  roots: '<div id=root>',
  brackets: '<',
  'end tags': '</script',
};

for (const [name, unit] of Object.entries(HOSTILE)) {
  test(`scripted: 256 KB of ${name}: decided in one pass`, () => {
    const body = Buffer.from(`<script></script>${unit.repeat(2 ** 18 / unit.length)}`);
    const before = process.cpuUsage();
    for (const words of [5, 50]) {
      needsScripts({ body, contentType: 'text/html', words, links: 9 });
    }
    const { user } = process.cpuUsage(before);
    assert.ok(user < 1_000_000, `${user / 1_000} ms`);
  });
}
