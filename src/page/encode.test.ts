import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decode } from './decode.ts';
import { inCharset } from './encode.ts';

test('a query is written in the encoding of its page, a path is not', () => {
  assert.equal(inCharset('/п?q=п#п', 'windows-1251'), '/п?q=%EF#п');
  assert.equal(inCharset('/?q=日', 'Shift_JIS'), '/?q=%93%FA');
  assert.equal(inCharset('/?q=日', 'EUC-JP'), '/?q=%C6%FC');
  assert.equal(inCharset('/?q=中', 'GBK'), '/?q=%D6%D0');
  assert.equal(inCharset('/?q=中', 'gb18030'), '/?q=%D6%D0');
  assert.equal(inCharset('/?q=中', 'Big5'), '/?q=%A4%A4');
  assert.equal(inCharset('/?q=가', 'EUC-KR'), '/?q=%B0%A1');
  assert.equal(inCharset('?c=€', 'ISO-8859-15'), '?c=%A4');
});

test('of one character with two spellings the standard writes one', () => {
  assert.equal(inCharset('?纊', 'Shift_JIS'), '?%FA\\');
  assert.equal(inCharset('?∵', 'Shift_JIS'), '?%81%E6');
  assert.equal(inCharset('?═十', 'Big5'), '?%F9%F9%A4Q');
  assert.equal(inCharset('?€', 'GBK'), '?%80');
  assert.equal(inCharset('?€', 'gb18030'), '?%A2%E3');
  assert.equal(inCharset('?¥‾−ｱ', 'Shift_JIS'), '?\\~%81|%B1');
  assert.equal(inCharset('?¥‾−ｱ', 'EUC-JP'), '?\\~%A1%DD%8E%B1');
});

test('what an encoding lacks becomes a reference, as in a form', () => {
  assert.equal(inCharset('/?q=日', 'windows-1252'), '/?q=%26%2326085%3B');
  assert.equal(inCharset('/?q=😀', 'GBK'), '/?q=%26%23128512%3B');
  assert.equal(inCharset('/?q=😀é', 'gb18030'), '/?q=%949%FC6%A8%A6');
});

test('characters that a decoder makes up or leaves out', () => {
  assert.equal(inCharset('?똠€®', 'EUC-KR'), '?%8Cc%A2%E6%A2%E7');
  assert.equal(inCharset('?£', 'EUC-JP'), '?%26%23163%3B');
  assert.equal(inCharset('?\ufffd', 'gb18030'), '?%841%A47');
});

test('UTF-8, UTF-16 and what is no query stay as they are', () => {
  for (const charset of ['UTF-8', 'UTF-16LE', 'replacement', 'ISO-2022-JP']) {
    assert.equal(inCharset('/п?q=п', charset), '/п?q=п');
  }
  assert.equal(inCharset('/п#?п', 'windows-1251'), '/п#?п');
});

const LEGACY = [
  'windows-1251',
  'KOI8-R',
  'GBK',
  'gb18030',
  'Big5',
  'EUC-JP',
  'Shift_JIS',
  'EUC-KR',
];

test('property: the bytes of a query mean what was written', () => {
  const character = fc.constantFrom(...'приветдём中文日本語漢字한국어かなカナ½Ωαβγ、。');
  fc.assert(
    fc.property(fc.constantFrom(...LEGACY), fc.array(character), (charset, characters) => {
      for (const written of characters) {
        const query = inCharset(`?${written}`, charset).slice(1);
        if (query.startsWith('%26%23')) continue;
        const bytes = query.replace(/%([0-9A-F]{2})/g, (_, hex) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        );
        assert.equal(decode(Buffer.from(bytes, 'latin1'), charset), written);
      }
    }),
  );
});
