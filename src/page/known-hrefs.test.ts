import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalize } from '../url/index.ts';
import { decodeAttribute } from './references.ts';
import { scanHtml, urlsOf } from './scan.ts';

const hrefs = fc
  .oneof(
    fc.webPath(),
    fc.constantFrom(
      '#top',
      '?q=1',
      '',
      'a.html',
      '../b',
      '/c?x#y',
      './d',
      '//h.example/e',
      'ü.html',
    ),
    fc.constantFrom(' #top', '\t?q', 'https:?q=1', 'https:', 'https:a', 'h\nttps:?x', '\\x', 'x:y'),
    fc.constantFrom(
      'a#b',
      'a&#35;c',
      'a&b#c',
      '/p?a&amp;b#c',
      'https:#x',
      'd#',
      'e##f',
      'f #g',
      'f ',
    ),
    fc.constantFrom('/', '/r', '/\\x', '/&#47;h/x', '//', '//h.example/x', '/\t/h.example/x'),
    fc.constantFrom('http:/x', 'http://h.example/x', 'https:///h.example', 'http:\\\\x', 'http://'),
    fc.constantFrom(
      'mailto:a@b',
      'javascript:void(0)',
      'http&colon;?q=1',
      'https&#58;x',
      'tel:1',
      'MAILTO:x',
      'java\nscript:x',
      'm&#97;ilto:x',
    ),
    fc.constantFrom(
      '\n a.html ',
      ' /c?x#y\t',
      '\u0001/p\u0001',
      '\0a',
      'a\0',
      ' ',
      '\r\n',
      ' //h.example/e ',
    ),
    fc.constantFrom(
      '//H.example/x',
      '//h.example:80/x',
      '//h.example?q',
      '///x',
      '//1.2.3.4/',
      '//h.example\\x',
    ),
    fc.constantFrom('http://h.example:80', 'http://h.example:8080/x', 'http://h.example:0443/'),
    fc.string(),
    fc.nat(120).map((length) => `/${'x'.repeat(length)}`),
  )
  .map((href) => href.replaceAll('"', ''));

const starts = ['', './', '../', '../../', '../../../', './../', '/', '..//', './/', '/./', '//'];
const hosts = ['//a.example/', '//A.example/', 'http://a.example/', 'http://A.EXAMPLE/'];
const others = ['https://a.example/', 'HTTP://a.example/', '//b.example:8080/', '//u@a.example/'];
const segments = fc.oneof(
  fc.constantFrom('a', 'b', 'folder', 'sub', 'a.example', 'Folder', 'caf%C3%A9', '%7Eu', ''),
  fc.constantFrom('..', '.', '%2e%2E', '.%2e', '..;jsessionid=2', 'a;jsessionid=1', ';sid=x', '.h'),
  fc.constantFrom(`(S(${'s'.repeat(24)}))`, 'a:b', 'http:', 'é', 'a b', '\t', '&#47;', '&colon;'),
  fc.constantFrom('\\', 'a&amp;b', "a'b", '[x]', '%', '%zz', '..\\', 'A'),
);
const ends = fc.constantFrom(
  '',
  '',
  '',
  '/',
  '?',
  '?p=2',
  '?b=1&amp;a=2',
  '?utm_source=x',
  '?a=/',
  '#f',
);

/** One path of a site in many spellings, and what only looks like one. */
const spellings = fc
  .tuple(
    fc.constantFrom(...starts, ...hosts, ...others),
    fc.array(segments, { maxLength: 3 }),
    ends,
  )
  .map(([start, path, end]) => start + path.join('/') + end);

const oddFolders = fc.oneof(
  fc.constantFrom('/', '/folder/', '/folder/sub/', '/a/b/', '/a/', '/Folder/', '/caf%C3%A9/'),
  fc.constantFrom('//', '//a.example/', '//a.example/b/', '/a//', '/a//b/', '/%7Eu/', '/%zz/'),
  fc.constantFrom('/a;jsessionid=1/', '/..;jsessionid=1/b/', `/a/(S(${'s'.repeat(24)}))/b/`),
  fc.constantFrom('/a/../folder/', '/a/%2e%2e/b/', '/a/%2E/', '/a\\b/', '/a/\t/b/', '/é/', ''),
  fc.constantFrom(`/${'l'.repeat(70)}/a/`, `/a/${'l'.repeat(600)}/`, `/${'s/'.repeat(40)}`),
);
const oddFiles = fc.constantFrom(
  ...['one.html', '', 'two.html?p=2', '?q', '?q=/a/', '#a/b', 'c\\d', '\t..', 'a:b', '.h?/'],
  ...['..', '.', '%2e%2e', '%2E?x/', '..?a/', 'é.html', 'x;jsessionid=1', '.. '],
);
const oddSites = fc.constantFrom(
  ...['http://a.example', 'http://a.example', 'https://a.example', 'http://b.example:8080'],
  ...['http://A.example', 'http://a.example:80', 'http://u@a.example', 'http:a.example', 'http:/a'],
);

/** Resolves each href of a page where it stands among others; those that lead nowhere are left out. */
function resolveAll(base: string, links: readonly string[], head = ''): readonly string[] {
  const html = head + links.map((href) => `<a href="${href}"></a>`).join('');
  return urlsOf(scanHtml({ bytes: Buffer.from(html), ascii: false }, base));
}

/** The same by the long way. */
function expectedOf(base: string, links: readonly string[]): string[] {
  return links.flatMap((href) => {
    const text = href.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
    return canonicalize(decodeAttribute(text), base) ?? [];
  });
}

test('known hrefs: pages of sites and folders in any order: each gets its own answers', () => {
  const sites = fc.constantFrom('http://a.example', 'https://a.example', 'http://b.example:8080');
  const files = fc.constantFrom('one.html', 'two.html?p=2', '', 'one.html#part', 'sub/three.html');
  const folders = fc.constantFrom('/', '/folder/');
  const pages = fc.tuple(sites, folders, files).map((parts) => parts.join(''));
  const visits = fc.array(fc.tuple(pages, fc.array(hrefs, { maxLength: 8 })), { maxLength: 8 });
  fc.assert(
    fc.property(visits, (visited) => {
      for (const [base, links] of visited) {
        assert.deepEqual(resolveAll(base, links), expectedOf(base, links));
      }
    }),
  );
});

test('known hrefs: odd folders and every spelling, in any order: each gets its own answers', () => {
  const bases = fc.tuple(oddSites, oddFolders, oddFiles).map((parts) => parts.join(''));
  const links = fc.array(spellings, { maxLength: 12 });
  const visits = fc.array(fc.tuple(bases, links, fc.option(spellings)), { maxLength: 6 });
  fc.assert(
    fc.property(visits, (visited) => {
      for (const [url, found, baseHref] of visited) {
        const head = baseHref === null ? '' : `<base href="${baseHref}">`;
        const base = baseHref === null ? url : parsedBase(decodeAttribute(baseHref), url);
        assert.deepEqual(resolveAll(url, found, head), expectedOf(base, found), base);
      }
    }),
    { numRuns: 1_000 },
  );
});

/** A `<base>` that is no URL doesn't count. */
function parsedBase(href: string, url: string): string {
  return URL.parse(href, URL.canParse(url) ? url : undefined)?.href ?? url;
}

test('known hrefs: links that say the same are one target, spelled in two ways mostly too', () => {
  const links = ['a', '#x', 'b', 'a#y', '#z', '/d&#105;r/b', 'a', 'mailto:x@y.example', 'b?q=1'];
  const html = links.map((href) => `<a href="${href}"></a>`).join('');
  const body = { bytes: Buffer.from(html), ascii: false };
  const scans = [1, 2].map(() => scanHtml(body, 'http://one.example/dir/page'));
  for (const { targets, order } of scans) {
    const paths = targets.map((url) => url.slice('http://one.example'.length));
    assert.deepEqual(paths, ['/dir/a', '/dir/page', '/dir/b', '/dir/b', '/dir/b?q=1']);
    assert.deepEqual(order, [0, 1, 2, 0, 1, 3, 0, 4]);
  }
});

test('known hrefs: pages whose own links push each other out: each link keeps its target', () => {
  for (let page = 0; page < 40; page++) {
    const once = Array.from({ length: 4_500 }, (_, i) => `l${page}-${i}`);
    const base = `https://crowd${page}.example/`;
    assert.deepEqual(resolveAll(base, [...once, ...once]), expectedOf(base, [...once, ...once]));
  }
});

test('known hrefs: more folders and links than it keeps: the answers stay right', () => {
  for (let folder = 0; folder < 12_000; folder++) {
    const base = `https://many${folder % 11_000}.example/${folder}/index.html`;
    const links = ['a', '../b', '#c', `d${folder}`, 'e', 'f', 'g', 'h', 'i', 'j'];
    assert.deepEqual(resolveAll(base, links), expectedOf(base, links));
  }
});
