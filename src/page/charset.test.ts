import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sniffCharset } from './charset.ts';
import { encodingOf } from './charset-labels.ts';
import { decode, toUtf8 } from './decode.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test('charset: a byte order mark beats the header, the header beats the page', () => {
  const page = '<meta charset=koi8-r>';
  assert.equal(sniffCharset(bytes(`\xef\xbb\xbf${page}`), 'text/html; charset=big5'), 'UTF-8');
  assert.equal(sniffCharset(bytes(page), 'text/html; charset=big5'), 'Big5');
  assert.equal(sniffCharset(bytes(page), 'text/html'), 'KOI8-R');
  assert.equal(sniffCharset(bytes(page), 'text/html; charset=nonsense'), 'KOI8-R');
});

test('charset: a page that says UTF-16 in ASCII letters is read as UTF-8', () => {
  assert.equal(sniffCharset(bytes('<meta charset=utf-16>')), 'UTF-8');
  assert.equal(sniffCharset(bytes('<?xml version="1.0" encoding="utf-16le"?>')), 'UTF-8');
});

test('charset: a meta beats an XML declaration, and XML types know no meta', () => {
  const page = bytes('<?xml version="1.0" encoding="latin2"?><meta charset=koi8-r>');
  assert.equal(sniffCharset(page), 'KOI8-R');
  assert.equal(sniffCharset(page, 'application/xhtml+xml'), 'ISO-8859-2');
});

test('charset: a meta after the first 1,024 bytes is not looked for', () => {
  const late = bytes(`\xe9${' '.repeat(1024)}<meta charset=koi8-r>`);
  assert.equal(sniffCharset(late), 'windows-1252');
});

test('charset: without a word about it, valid UTF-8 is UTF-8, also when cut in a character', () => {
  const page = Buffer.from('déjà vu €');
  assert.equal(sniffCharset(page), 'UTF-8');
  assert.equal(sniffCharset(page.subarray(0, page.length - 1)), 'UTF-8');
  assert.equal(sniffCharset(bytes('d\xe9j\xe0 vu')), 'windows-1252');
});

test('charset: every label that TextDecoder knows means the same to us', () => {
  for (const label of ['l1', 'latin1', 'ascii', 'sjis', 'chinese', 'greek', 'logical', 'utf8']) {
    assert.equal(encodingOf(label)?.toLowerCase(), new TextDecoder(label).encoding, label);
  }
});

test('decode: windows-1252 has its own characters where ISO-8859-1 has controls', () => {
  assert.equal(decode(bytes('\x80 \x99 \xe9'), 'windows-1252'), '€ ™ é');
});

test('decode: a wide encoding comes out as UTF-8, a byte order mark is no text', () => {
  assert.equal(toUtf8(Buffer.from('hé', 'utf16le'), 'UTF-16LE').bytes.toString(), 'hé');
  assert.equal(toUtf8(bytes('\xef\xbb\xbfhi'), 'UTF-8').bytes.toString(), 'hi');
  assert.equal(
    toUtf8(bytes('\xb5\xdc'), 'KOI8-R').bytes.toString(),
    decode(bytes('\xb5\xdc'), 'KOI8-R'),
  );
});

test('charset: any bytes with any header give a name that decodes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (body, header) => {
      const charset = sniffCharset(body, header);
      assert.equal(typeof decode(body, charset), 'string');
      assert.notEqual(charset, '');
    }),
  );
});
