/**
 * PDFs made for tests: objects in, a file out, with a table or a stream of cross-references, and
 * encrypted as the standard security handler does it with an empty user password.
 */
import { createCipheriv, createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { rc4 } from './rc4.ts';

export type Piece = string | { readonly dict: string; readonly stream: Uint8Array };

/** A catalog, a tree, one page with this content, and a font; objects 1 to 5. */
export function onePage(
  content: string,
  more: { font?: string; page?: string; dict?: string } = {},
): Piece[] {
  const font = more.font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
  return [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> ${more.page ?? ''} >>`,
    { dict: more.dict ?? '', stream: Buffer.from(content, 'latin1') },
    font,
  ];
}

function bytesOf(piece: Piece, seal: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes): Buffer {
  if (typeof piece === 'string') return Buffer.from(piece, 'latin1');
  const stream = seal(piece.stream);
  const head = `<< /Length ${stream.length} ${piece.dict} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), stream, Buffer.from('\nendstream')]);
}

/** With a table; `trailer` has what stands beside Size and Root. */
export function pdfWithTable(
  pieces: readonly Piece[],
  trailer = '',
  seal?: (bytes: Uint8Array, num: number) => Uint8Array,
): Buffer {
  const { body, offsets } = laidOut(pieces, seal);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = pieces.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.concat([body, Buffer.from(end, 'latin1')]);
}

function laidOut(pieces: readonly Piece[], seal?: (bytes: Uint8Array, num: number) => Uint8Array) {
  const parts = [Buffer.from('%PDF-1.7\n')];
  let length = parts[0]?.length ?? 0;
  const offsets = pieces.map((piece, i) => {
    const bytes = bytesOf(piece, seal && ((stream) => seal(stream, i + 1)));
    const whole = Buffer.concat([
      Buffer.from(`${i + 1} 0 obj\n`),
      bytes,
      Buffer.from('\nendobj\n'),
    ]);
    const offset = length;
    parts.push(whole);
    length += whole.length;
    return offset;
  });
  return { body: Buffer.concat(parts), offsets };
}

/** Plain objects in an object stream, places in a stream with a predictor, as writers do since 1.5. */
export function pdfWithStreams(pieces: readonly Piece[]): Buffer {
  const plain = pieces.flatMap((piece, i) =>
    typeof piece === 'string' ? [[i + 1, piece] as const] : [],
  );
  const streams = pieces.flatMap((piece, i) =>
    typeof piece === 'string' ? [] : [[i + 1, piece] as const],
  );
  let at = 0;
  const heads = plain.map(([num, text]) => {
    const head = `${num} ${at} `;
    at += text.length + 1;
    return head;
  });
  const first = heads.join('').length;
  const packed = Buffer.from(
    `${heads.join('')}${plain.map(([, text]) => `${text} `).join('')}`,
    'latin1',
  );
  const holder = pieces.length + 1;
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const rows = new Map<number, readonly [number, number, number]>([[0, [0, 0, 255]]]);
  for (const [nth, [num]] of plain.entries()) rows.set(num, [2, holder, nth]);
  const add = (num: number, bytes: Uint8Array) => {
    rows.set(num, [1, parts.reduce((sum, part) => sum + part.length, 0), 0]);
    parts.push(Buffer.concat([Buffer.from(`${num} 0 obj\n`), bytes, Buffer.from('\nendobj\n')]));
  };
  for (const [num, piece] of streams) add(num, bytesOf(piece));
  const objectStream = {
    dict: `/Type /ObjStm /N ${plain.length} /First ${first} /Filter /FlateDecode`,
    stream: deflateSync(packed),
  };
  add(holder, bytesOf(objectStream));
  const start = parts.reduce((sum, part) => sum + part.length, 0);
  rows.set(holder + 1, [1, start, 0]);
  const table = Buffer.concat(
    [...Array(holder + 2).keys()].map((num) => rowBytes(rows.get(num) ?? [0, 0, 0])),
  );
  const dict = `/Type /XRef /Size ${holder + 2} /Root 1 0 R /W [1 4 1] /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 6 >>`;
  add(holder + 1, bytesOf({ dict, stream: deflateSync(differences(table, 6)) }));
  return Buffer.concat([...parts, Buffer.from(`startxref\n${start}\n%%EOF\n`)]);
}

function rowBytes([type, a, b]: readonly [number, number, number]): Buffer {
  const row = Buffer.alloc(6);
  row[0] = type;
  row.writeUInt32BE(a, 1);
  row[5] = b;
  return row;
}

/** Each row as its difference from the one above (PNG's `up`). */
function differences(bytes: Buffer, columns: number): Buffer {
  const rows: Buffer[] = [];
  for (let from = 0; from < bytes.length; from += columns) {
    const row = Buffer.alloc(columns + 1, 2);
    for (let i = 0; i < columns; i++)
      row[i + 1] = ((bytes[from + i] as number) - (bytes[from + i - columns] ?? 0)) & 255;
    rows.push(row);
  }
  return Buffer.concat(rows);
}

const PADDING = Buffer.from(
  '28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a',
  'hex',
);
const ID = Buffer.from('0123456789abcdef');
const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`;
const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest();

/** RC4 with 40 or 128 bits, or AES-128. */
export function encryptedPdf(
  content: string,
  method: 'rc4-40' | 'rc4-128' | 'aes-128',
  password = '',
): Buffer {
  const isShort = method === 'rc4-40';
  const bytes = isShort ? 5 : 16;
  const owner = Buffer.alloc(32, 7);
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  let key = md5(padded, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), ID).subarray(0, bytes);
  for (let i = 0; !isShort && i < 50; i++) key = md5(key).subarray(0, bytes);
  let user: Uint8Array = isShort ? rc4(key, PADDING) : md5(PADDING, ID);
  for (let i = 0; !isShort && i < 20; i++)
    user = rc4(
      key.map((byte) => byte ^ i),
      user,
    );
  const mark = Buffer.concat([user, Buffer.alloc(32)]).subarray(0, 32);
  const filters = '/CF << /StdCF << /CFM /AESV2 /Length 16 >> >> /StmF /StdCF /StrF /StdCF';
  const kinds = {
    'rc4-40': '/V 1 /R 2',
    'rc4-128': '/V 2 /R 3 /Length 128',
    'aes-128': `/V 4 /R 4 /Length 128 ${filters}`,
  };
  const encrypt = `/Encrypt << /Filter /Standard ${kinds[method]} /O ${hex(owner)} /U ${hex(mark)} /P -4 >> /ID [${hex(ID)} ${hex(ID)}]`;
  const seal = (plain: Uint8Array, num: number) => {
    const salt = Buffer.from([num & 255, num >> 8, 0, 0, 0]);
    if (method !== 'aes-128') return rc4(md5(key, salt).subarray(0, bytes + 5), plain);
    return aes(md5(key, salt, Buffer.from('sAlT')), plain);
  };
  return pdfWithTable(onePage(content), encrypt, seal);
}

function aes(key: Buffer, plain: Uint8Array): Buffer {
  const start = Buffer.alloc(16, 9);
  const cipher = createCipheriv(key.length === 32 ? 'aes-256-cbc' : 'aes-128-cbc', key, start);
  return Buffer.concat([start, cipher.update(plain), cipher.final()]);
}

/** AES-256 (V 5) with the hash of revision 5 or the hardened one of 6. */
export function encryptedPdf256(
  content: string,
  hash: (salt: Uint8Array) => Buffer,
  revision: 5 | 6,
): Buffer {
  const key = Buffer.alloc(32, 3);
  const [check, seal] = [Buffer.from('checksum'), Buffer.from('keysalt!')];
  const user = Buffer.concat([hash(check), check, seal]);
  const cipher = createCipheriv('aes-256-cbc', hash(seal), Buffer.alloc(16));
  cipher.setAutoPadding(false);
  const userKey = cipher.update(key);
  const filters = '/CF << /StdCF << /CFM /AESV3 /Length 32 >> >> /StmF /StdCF /StrF /StdCF';
  const encrypt = `/Encrypt << /Filter /Standard /V 5 /R ${revision} /Length 256 ${filters} /O ${hex(user)} /U ${hex(user)} /UE ${hex(userKey)} /OE ${hex(userKey)} /P -4 >>`;
  return pdfWithTable(onePage(content), encrypt, (plain) => aes(key, plain));
}
