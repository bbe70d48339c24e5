import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toUtf8 } from './decode.ts';
import { scanHtml, urlsOf } from './scan.ts';

/** The links of a page by what their href says: `s…` for shared parts, `t…` for text. */
function judged(html: string): string {
  const scan = scanHtml(toUtf8(Buffer.from(html), 'utf-8'), 'http://h.test/');
  return urlsOf(scan)
    .map((url, i) => `${url.slice(14)}${scan.boilerplate[i]}`)
    .join(' ');
}

const link = (name: string): string => `<a href="/${name}">x</a>`;

const SITUATIONS: readonly (readonly [situation: string, html: string, expected: string])[] = [
  ['no parts at all', link('t1'), 't10'],
  ['each shared part', sharedParts(), 's11 s21 s31 s41 s51 t10'],
  ['upper case', `<NAV>${link('s1')}</NAV>${link('t1')}`, 's11 t10'],
  ['attributes', `<nav class="a>b" role=x>${link('s1')}</nav >${link('t1')}`, 's11 t10'],
  ['nested', `<header><nav>${link('s1')}</nav>${link('s2')}</header>${link('t1')}`, 's11 s21 t10'],
  ['crossed', `<header><nav>${link('s1')}</header>${link('s2')}</nav>${link('t1')}`, 's11 s21 t10'],
  ['closed twice', `<nav></nav></nav><nav>${link('s1')}</nav>${link('t1')}`, 's11 t10'],
  ['closed, never opened', `</footer></aside>${link('t1')}`, 't10'],
  ['never closed, then main', `<nav>${link('s1')}<main>${link('t1')}</main>`, 's11 t10'],
  ['aside in main', `<main>${link('t1')}<aside>${link('s1')}</aside></main>`, 't10 s11'],
  ["an article's header", `<article><header>${link('t1')}</header></article>`, 't10'],
  ['an article in a sidebar', `<aside><article>${link('s1')}</article></aside>`, 's11'],
  ['a template', `<template><nav></template>${link('s1')}</nav>${link('t1')}`, 's11 t10'],
  ['in a comment', `<!-- <nav> -->${link('t1')}`, 't10'],
  ['a longer name', `<navigator>${link('t1')}</navigator><head-er>${link('t2')}`, 't10 t20'],
];

function sharedParts(): string {
  const parts = ['nav', 'header', 'footer', 'aside', 'menu'];
  return parts.map((part, i) => `<${part}>${link(`s${i + 1}`)}</${part}>`).join('') + link('t1');
}

for (const [situation, html, expected] of SITUATIONS) {
  test(`zones: ${situation}: links of shared parts are told from those of the text`, () => {
    assert.equal(judged(html), expected);
  });
}

test('zones: 300 navigations inside each other, and the text after them is text', () => {
  const html = '<nav>'.repeat(300) + link('s1') + '</nav>'.repeat(300) + link('t1');
  assert.equal(judged(html), 's11 t10');
});

test('zones: whatever order the tags come in, main ends every shared part', () => {
  const tag = fc.constantFrom('nav', 'header', 'footer', 'aside', 'menu', 'article', 'div');
  const tags = fc.array(fc.tuple(fc.boolean(), tag), { maxLength: 30 });
  fc.assert(
    fc.property(tags, (mess) => {
      const html = mess.map(([isEnd, name]) => `<${isEnd ? '/' : ''}${name}>`).join('');
      assert.equal(judged(`${html}<main>${link('t1')}`), 't10');
    }),
  );
});

/** The places of a page's links, with all words gathered, as one digit each. */
function places(html: string): string {
  const body = toUtf8(Buffer.from(`<title>A title</title>${html}`), 'utf-8');
  return scanHtml(body, 'http://h.test/', { text: true }).boilerplate.join('');
}

const LIST = `<ul>${['a', 'b', 'c', 'd'].map((n) => `<li>${link(n)}</li>`).join(' | ')}</ul>`;
const TEXT = `<p>${'words that stand in a text '.repeat(30)}</p>`;

test('lists: a menu without tags of its own stands above the text and is taken for one', () => {
  assert.equal(places(`<div>Our site</div>${LIST}${TEXT}${link('x')}`), '11110');
});

test('lists: links one after another below the text are a list, those in the text are not', () => {
  const apart = `${link('x')} ${TEXT} ${link('y')} ${TEXT}`;
  assert.equal(places(`${TEXT}${apart}${LIST}`), '002222');
});

test('lists: a page of links only has lists and no menu; three links are no list', () => {
  assert.equal(places(LIST + LIST), '22222222');
  assert.equal(places(link('a') + link('b') + link('c')), '000');
});

test('lists: in the navigation both are said', () => {
  assert.equal(places(`${TEXT}<nav>${LIST}</nav>`), '3333');
});

test('lists: without the words nothing is known of them', () => {
  assert.equal(judged(LIST), 'a0 b0 c0 d0');
});
