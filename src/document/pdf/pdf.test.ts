import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { hardenedHash } from './crypt-key.ts';
import { glyphText } from './glyph-names.ts';
import {
  encryptedPdf,
  encryptedPdf256,
  onePage,
  type Piece,
  pdfWithStreams,
  pdfWithTable,
} from './pdf.testkit.ts';
import { readPdf } from './read-pdf.ts';

const HELLO = 'BT /F1 12 Tf 72 700 Td (Hello, world) Tj ET';

function read(body: Uint8Array) {
  const found = readPdf({
    url: 'https://a.example/x.pdf',
    body,
    linksMax: 1_000,
    textCharsMax: 1_000_000,
  });
  return { ...found, text: (found.text ?? '').trim(), links: found.links ?? [] };
}

const textOf = (content: string, font?: string) =>
  read(pdfWithTable(onePage(content, font === undefined ? {} : { font }))).text;

test('pdf: text, links and title of a file with a table of places', () => {
  const page = '/Annots [<< /Subtype /Link /A << /S /URI /URI (https://b.example/x) >> >>]';
  const pieces = [
    ...onePage(HELLO, { page }),
    '<< /Title <feff0054006900740065006c> /Author (\\366) >>',
  ];
  const found = read(pdfWithTable(pieces, '/Info 6 0 R'));
  assert.deepEqual([found.text, found.title, found.trouble], ['Hello, world', 'Titel', undefined]);
  assert.deepEqual(found.links, [{ href: 'https://b.example/x' }]);
  assert.deepEqual(found.metadata, { author: 'ö', pages: '1' });
});

test('pdf: links of scripts, of a table of contents, and without a scheme', () => {
  const link = (action: string) => `<< /Subtype /Link /A << ${action} >> >>`;
  const script = '/S /JavaScript /JS (app.launchURL\\("https://c.example/", true\\))';
  const page = `/Annots [${link('/S /URI /URI (www.b.example/x)')} ${link(script)} ${link('/S /GoTo /D [3 0 R]')}]`;
  const pieces = onePage(HELLO, { page });
  pieces[0] = '<< /Type /Catalog /Pages 2 0 R /Outlines << /First 6 0 R >> >>';
  pieces.push('<< /Title (Out) /A << /S /URI /URI (https://d.example/) >> /Next 6 0 R >>');
  const hrefs = read(pdfWithTable(pieces)).links.map(({ href }) => href);
  assert.deepEqual(hrefs, ['http://www.b.example/x', 'https://c.example/', 'https://d.example/']);
});

test('pdf: objects in object streams, places in a stream with a predictor', () => {
  assert.deepEqual([read(pdfWithStreams(onePage(HELLO))).text], ['Hello, world']);
});

test('pdf: each filter, and two in a row', () => {
  const plain = Buffer.from(HELLO);
  const hex = Buffer.from(`${plain.toString('hex')}>`);
  const cases: [string, Uint8Array][] = [
    ['/FlateDecode', deflateSync(plain)],
    ['/ASCIIHexDecode', hex],
    [
      '/RunLengthDecode',
      Buffer.concat([Buffer.from([plain.length - 1]), plain, Buffer.from([128])]),
    ],
    ['[/ASCIIHexDecode /FlateDecode]', Buffer.from(`${deflateSync(plain).toString('hex')}>`)],
    ['/ASCII85Decode', Buffer.from(`${ascii85(plain)}~>`)],
    ['/LZWDecode', lzw(plain)],
  ];
  for (const [filter, stream] of cases) {
    const pieces = onePage('');
    pieces[3] = { dict: `/Filter ${filter}`, stream };
    assert.equal(read(pdfWithTable(pieces)).text, 'Hello, world', filter);
  }
});

test('pdf: words are told by gaps, not by how the text is cut', () => {
  const kerned = 'BT /F1 10 Tf 0 0 Td [(W) 80 (orld) -400 (of) -333 (w) 20 (ords)] TJ ET';
  assert.equal(textOf(kerned), 'World of words');
  const placed =
    'BT /F1 10 Tf 1 0 0 1 0 50 Tm (one) Tj 1 0 0 1 100 50 Tm (two) Tj 1 0 0 1 0 30 Tm (next) Tj ET';
  assert.equal(textOf(placed), 'one two\nnext');
  assert.equal(textOf("BT /F1 10 Tf 12 TL (a) Tj T* (b) Tj (c) ' ET"), 'a\nb\nc');
});

test('pdf: an encoding with differences, by glyph names', () => {
  const font =
    '<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /f_i /eacute /uni20AC /afii10017] >> >>';
  assert.equal(textOf('BT /F1 9 Tf (\\001\\002\\003\\004) Tj ET', font), 'fié€А');
  const names = ['Aacute', 'zcaron', 'ffi', 'Omega', 'a.alt', 'u1F600', 'g17'].map(glyphText);
  assert.deepEqual(names, ['Á', 'ž', 'ffi', 'Ω', 'a', '😀', undefined]);
});

test('pdf: two-byte codes through ToUnicode, single and in ranges', () => {
  const cmap =
    '1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfchar <0003> <00660069> endbfchar ' +
    '2 beginbfrange <0010> <0012> <0041> <0020> <0021> [<4E2D> <6587>] endbfrange';
  const pieces: Piece[] = [
    ...onePage('BT /F1 9 Tf <000300100011001200200021> Tj ET', {
      font: '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /DW 500 >>] >>',
    }),
    { dict: '', stream: Buffer.from(cmap) },
  ];
  assert.equal(read(pdfWithTable(pieces)).text, 'fiABC中文');
});

test('pdf: forms on a page, pictures in its content, and text that stands for a part', () => {
  const content =
    'q BI /W 1 /H 1 ID \x01(\x02)Tj EI Q /Fm Do BT /F1 9 Tf 0 50 Td /Span << /ActualText (real) >> BDC (xx) Tj EMC ET';
  const pieces = onePage(content);
  pieces[2] =
    '<< /Type /Page /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /Fm 6 0 R >> >> >>';
  pieces.push({ dict: '/Subtype /Form', stream: Buffer.from('BT /F1 9 Tf (inner) Tj ET') });
  assert.equal(read(pdfWithTable(pieces)).text, 'inner\nreal');
});

test('pdf: encrypted without a password: RC4 of 40 and 128 bits, AES of 128 and 256', () => {
  for (const method of ['rc4-40', 'rc4-128', 'aes-128'] as const) {
    assert.equal(read(encryptedPdf(HELLO, method)).text, 'Hello, world', method);
  }
  const plain = (salt: Uint8Array) => createHash('sha256').update(salt).digest();
  assert.equal(read(encryptedPdf256(HELLO, plain, 5)).text, 'Hello, world');
  assert.equal(read(encryptedPdf256(HELLO, hardenedHash, 6)).text, 'Hello, world');
});

test('pdf: encrypted with a password: said so, nothing read', () => {
  assert.throws(() => read(encryptedPdf(HELLO, 'rc4-128', 'secret')), /encrypted with a password/);
});

test('pdf: places that are wrong or missing: every object is found by looking', () => {
  const whole = pdfWithTable(onePage(HELLO)).toString('latin1');
  const moved = whole.replace('%PDF-1.7\n', '%PDF-1.7\n% a line that moves everything\n');
  const bare = whole.slice(0, whole.indexOf('xref'));
  for (const broken of [moved, bare, whole.replace('startxref', 'startxxxx')]) {
    const found = read(Buffer.from(broken, 'latin1'));
    assert.equal(found.text, 'Hello, world');
  }
  assert.match(read(Buffer.from(bare, 'latin1')).trouble ?? '', /broken or cut off/);
  const packed = pdfWithStreams(onePage(HELLO))
    .toString('latin1')
    .replace(/startxref\n\d+/, 'startxref\n7');
  assert.equal(read(Buffer.from(packed, 'latin1')).text, 'Hello, world');
});

test('pdf: cut off in the middle: what came is read', () => {
  const lines = Array.from(
    { length: 2_000 },
    (_, n) => `BT /F1 9 Tf 0 ${n * 12} Td (line ${n} of many) Tj ET`,
  );
  const pieces = onePage('');
  const [catalog, tree, page, , font] = pieces;
  const stream = {
    dict: '/Filter /FlateDecode',
    stream: deflateSync(Buffer.from(lines.join('\n'))),
  };
  const ordered = pdfWithTable([
    catalog,
    tree,
    String(page).replace('4 0 R', '5 0 R').replace('/F1 5', '/F1 4'),
    font,
    stream,
  ] as Piece[]);
  const found = read(ordered.subarray(0, Math.floor(ordered.length / 2)));
  assert.match(found.text, /^line 0 of many\nline 1 of many/);
  assert.ok(found.text.split('\n').length > 500);
});

test('pdf: a tree of pages that turns in circles, references to themselves: it ends', () => {
  const pieces = onePage(HELLO);
  pieces[1] = '<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R] /Count 9 >>';
  pieces.push('6 0 R');
  assert.equal(read(pdfWithTable(pieces)).text, 'Hello, world');
  const looped = ['<< /Type /Catalog /Pages 1 0 R /Kids 1 0 R >>'];
  assert.equal(read(pdfWithTable(looped)).text, '');
});

test('pdf: a stream that unfolds to forty megabytes: it is cut at the limit', () => {
  let bomb: Buffer = deflateSync(Buffer.alloc(40_000_000));
  for (let i = 0; i < 2; i++) bomb = deflateSync(bomb);
  const pieces = onePage('');
  pieces[3] = { dict: '/Filter [/FlateDecode /FlateDecode /FlateDecode]', stream: bomb };
  assert.equal(read(pdfWithTable(pieces)).text, '');
});

test('pdf: nested ten thousand deep, in dictionaries, arrays and objects: it is read all the same', () => {
  const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000);
  const page = `/X ${deep('<</A ', '>>')} /Y ${deep('[', ']')} /Z ${deep('<</A [', ']>>')}`;
  assert.equal(read(pdfWithTable(onePage(HELLO, { page }))).text, 'Hello, world');
  const chain = Array.from({ length: 10_000 }, (_, i) => `<< /Kids [${7 + i} 0 R] >>`);
  const pieces: Piece[] = [...onePage(HELLO), ...chain];
  pieces[1] = '<< /Type /Pages /Kids [6 0 R 3 0 R] >>';
  assert.equal(read(pdfWithTable(pieces)).text, 'Hello, world');
});

test('pdf: places that name themselves, or more than there are: it ends', () => {
  const whole = pdfWithTable(onePage(HELLO)).toString('latin1');
  const loop = whole.replace('/Size 6', `/Size 6 /Prev ${whole.indexOf('xref\n')}`);
  const many = whole.replace('xref\n0 6', 'xref\n0 999999999');
  for (const text of [loop, many]) {
    assert.equal(read(Buffer.from(text, 'latin1')).text, 'Hello, world');
  }
});

test('pdf: a stream that lies about its length is read to its end', () => {
  for (const length of ['0', '99999999999', '-5', '1e99', '9 0 R', '4 0 R', '(x)']) {
    const text = pdfWithTable(onePage(HELLO)).toString('latin1');
    const lie = text.replace(/\/Length \d+/, `/Length ${length}`);
    assert.equal(read(Buffer.from(lie, 'latin1')).text, 'Hello, world', length);
  }
});

test('pdf: a bomb among its object streams, or one that names a million objects: said so, and the rest is read', () => {
  const bomb = deflateSync(Buffer.alloc(64 << 20, 32));
  const names = deflateSync(Buffer.alloc(8 << 20, '1 0 '));
  const dict = (count: number) => `/Type /ObjStm /N ${count} /First 10 /Filter /FlateDecode`;
  const cut = (stream: Uint8Array) => {
    const whole = pdfWithTable([...onePage(HELLO), { dict: dict(1e9), stream }]);
    return whole.subarray(0, whole.lastIndexOf('xref\n'));
  };
  const swollen = read(cut(bomb));
  assert.equal(swollen.text, 'Hello, world');
  assert.match(swollen.trouble ?? '', /unfolds to more than is read/);
  assert.equal(read(cut(names)).text, 'Hello, world');
});

test('pdf: a hundred thousand pages: the first ten thousand are read, and it is said', () => {
  const count = 100_000;
  const kids = '<< /Type /Page /Contents 3 0 R >> '.repeat(count);
  const pieces: Piece[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Resources << /Font << /F1 4 0 R >> >> >>`,
    { dict: '', stream: Buffer.from('BT /F1 9 Tf (a) Tj ET') },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const found = read(pdfWithTable(pieces));
  assert.deepEqual([found.text.length, found.metadata?.pages], [19_999, '10000']);
  assert.equal(found.trouble, 'only its first 10000 pages are read');
});

test('pdf: whatever is done to its bytes, it ends with a document or a problem of its own', () => {
  const whole = pdfWithStreams(onePage(HELLO));
  const table = pdfWithTable(onePage(HELLO));
  const change = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.nat(), file: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const bytes = Buffer.from(changes[0]?.file ? whole : table);
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte;
      const cut = (changes[0]?.cut ?? 0) % bytes.length;
      try {
        readPdf({
          url: 'https://a.example/',
          body: bytes.subarray(0, cut || bytes.length),
          linksMax: 10,
          textCharsMax: 1_000,
        });
      } catch (error) {
        assert.equal((error as Error).constructor.name, 'PdfProblem');
      }
    }),
    { numRuns: 300 },
  );
});

function ascii85(bytes: Buffer): string {
  let out = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const part = bytes.subarray(at, at + 4);
    let value = Buffer.concat([part, Buffer.alloc(4)]).readUInt32BE();
    const digits = Array.from({ length: 5 }, () => {
      const digit = value % 85;
      value = Math.floor(value / 85);
      return String.fromCharCode(33 + digit);
    });
    out += digits
      .reverse()
      .join('')
      .slice(0, part.length + 1);
  }
  return out;
}

/** Clears before every run of codes and never makes long ones: valid, and simple. */
function lzw(bytes: Buffer): Buffer {
  const codes: number[] = [];
  bytes.forEach((byte, i) => {
    if (i % 100 === 0) codes.push(256);
    codes.push(byte);
  });
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('');
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Buffer.from(whole.match(/.{8}/g)?.map((octet) => Number.parseInt(octet, 2)) ?? []);
}
