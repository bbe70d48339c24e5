import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { localName, prefixOf, scanXml } from './xml.ts';
import { decodeXml } from './xml-decode.ts';
import { decodeEntities, xmlAttribute } from './xml-text.ts';

function tokens(text: string): string[] {
  const seen: string[] = [];
  scanXml(text, {
    open: (name, attributes, empty) => seen.push(`<${name}${attributes}${empty ? '/' : ''}>`),
    close: (name) => seen.push(`</${name}>`),
    text: (words) => seen.push(words),
  });
  return seen;
}

test('well-formed: tags, text, CDATA, comments and instructions', () => {
  const text = '<?xml version="1.0"?><!-- <x> --><a b="1>2">t &amp; u<![CDATA[<&amp;]]><c/></a>';
  assert.deepEqual(tokens(text), ['<a b="1>2">', 't & u', '<&amp;', '<c/>', '</c>', '</a>']);
});

test('DOCTYPE: nothing is loaded, and what is no plain text is nothing', () => {
  const bomb =
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;">]><a>&y;</a>';
  assert.deepEqual(tokens(bomb), ['<a>', '</a>']);
  assert.deepEqual(tokens('<!DOCTYPE a><a>'), ['<a>']);
});

test('DOCTYPE: a plain entity is its text, up to a bound', () => {
  const declared = '<!DOCTYPE a [<!ENTITY x "a b"><!ENTITY % p "q">]>';
  assert.deepEqual(tokens(`${declared}<a>1&x;2&p;</a>`), ['<a>', '1a b2&p;', '</a>']);
  const bomb = `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(256)}">]><a>${'&x;'.repeat(100_000)}</a>`;
  assert.ok(tokens(bomb).join('').length < 1_100_000);
});

test('DOCTYPE: what a comment declares does not count', () => {
  const declared = '<!DOCTYPE a [<!-- <!ENTITY x "old"> --><!ENTITY x "new"><!-- <!ENTITY y "z">]>';
  assert.deepEqual(tokens(`${declared}<a>&x;&y;</a>`), ['<a>', 'new&y;', '</a>']);
});

test('DOCTYPE: entities in attributes, and with references of XML itself', () => {
  const declared = `<!DOCTYPE a [<!ENTITY x "b&amp;c"><!ENTITY q '"'><!ENTITY e "&x;">]>`;
  assert.deepEqual(tokens(`${declared}<a b="&x;&q;&e;&amp;">&x;&q;&e;</a>`), [
    '<a b="b&amp;c&amp;">',
    'b&c"',
    '</a>',
  ]);
});

test('broken: a tag that meets `<` is dropped, the rest is read', () => {
  assert.deepEqual(tokens('<a><b c="d<e>f</e>'), ['<a>', '<e>', 'f', '</e>']);
  assert.deepEqual(tokens('<a b="c>d</a>'), ['<a b="c>', 'd', '</a>']);
  assert.deepEqual(tokens('<a>cut'), ['<a>']);
  assert.deepEqual(tokens('<a><!-- never closed <b>'), ['<a>']);
});

test('attributes: quotes of both kinds, entities, case, and what is no attribute', () => {
  const raw = ` A = "1&amp;2" b='3"' c=4 d e="f`;
  const read = (name: string) => xmlAttribute(raw, name);
  assert.deepEqual(['a', 'b', 'c', 'd', 'e', 'g'].map(read), [
    '1&2',
    '3"',
    '4',
    undefined,
    'f',
    undefined,
  ]);
});

test('entities: XML knows five and numbers; others stay', () => {
  assert.equal(
    decodeEntities('&lt;&#65;&#x42;&nbsp;&#0;&#x110000;& &amp;amp;'),
    '<AB&nbsp;&#0;&#x110000;& &amp;',
  );
});

test('names: prefix and local part', () => {
  assert.deepEqual(
    [localName('image:LOC'), prefixOf('image:loc'), prefixOf('loc')],
    ['loc', 'image:', ''],
  );
});

test('encodings: mark, declaration, and a declaration that lies', () => {
  const utf16 = Buffer.from('\ufeff<a>é</a>', 'utf16le');
  assert.equal(decodeXml(utf16), '<a>é</a>');
  assert.equal(decodeXml(Buffer.from('<a>é</a>', 'utf16le')), '<a>é</a>');
  const declared = (label: string) => `<?xml version="1.0" encoding="${label}"?><a>é</a>`;
  for (const label of ['ISO-8859-1', 'windows-1252']) {
    assert.equal(decodeXml(Buffer.from(declared(label), 'latin1')), declared(label));
  }
  for (const label of ['UTF-16', 'no-such', 'utf-8', 'iso-2022-kr']) {
    assert.equal(decodeXml(Buffer.from(declared(label))), declared(label));
  }
  // A syllable that only the whole of EUC-KR has.
  const korean = (text: string) => `<?xml version="1.0" encoding="EUC-KR"?><a>${text}</a>`;
  assert.equal(decodeXml(Buffer.from(korean('\x8cc'), 'latin1')), korean('똠'));
});

const sign = fc.constantFrom(
  '<',
  '>',
  '/',
  '"',
  "'",
  '=',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '<!',
  '[',
  ']',
  '&',
  ';',
  'a',
  ' ',
);

test('property: any text is survived, and no text is given twice', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(sign, fc.string()), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      const given = tokens(text).filter((token) => !token.startsWith('</'));
      assert.ok(given.join('').length <= text.length + given.length);
      xmlAttribute(text, 'a');
    }),
  );
});

test('hostile: a repeated fragment of any kind takes linear time', () => {
  for (const part of [
    '<',
    '<a ',
    '<a "',
    '<a b="',
    '<!--',
    '<![CDATA[',
    '<?',
    '<!',
    '<!x[>',
    '<!DOCTYPE[<!ENTITY x "',
    '<!DOCTYPE[<!ENTITY x "y">]>',
    '&#',
    'a=',
  ]) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    const started = performance.now();
    tokens(text);
    xmlAttribute(text, 'zz');
    assert.ok(performance.now() - started < 2_000, part);
  }
});
