/**
 * Bytes in older charsets. The platform can decode them and not encode, so the tables are made
 * by decoding every sequence once, on first use. What a charset lacks becomes `&#n;`.
 */
const tables = new Map<string, Map<string, number>>();

export type Charset = 'utf-8' | 'windows-1251' | 'shift_jis' | 'utf-16le';

export function encodeText(text: string, charset: Charset): Uint8Array {
  if (charset === 'utf-8') return Buffer.from(text, 'utf8');
  if (charset === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  const table = tableOf(charset);
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.charCodeAt(0);
    const mapped = code < 0x80 ? code : table.get(char);
    if (mapped === undefined)
      for (const c of `&#${char.codePointAt(0)};`) bytes.push(c.charCodeAt(0));
    else if (mapped > 0xff) bytes.push(mapped >> 8, mapped & 0xff);
    else bytes.push(mapped);
  }
  return Uint8Array.from(bytes);
}

function tableOf(charset: 'windows-1251' | 'shift_jis'): Map<string, number> {
  let table = tables.get(charset);
  if (table === undefined) {
    table = charset === 'windows-1251' ? singleBytes(charset) : doubleBytes(charset);
    tables.set(charset, table);
  }
  return table;
}

function singleBytes(charset: string): Map<string, number> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, number>();
  for (let byte = 0x80; byte < 0x100; byte++) table.set(decoder.decode(Uint8Array.of(byte)), byte);
  return table;
}

function doubleBytes(charset: string): Map<string, number> {
  const decoder = new TextDecoder(charset);
  const table = new Map<string, number>();
  for (let lead = 0x81; lead < 0xa0; lead++) {
    for (let trail = 0x40; trail < 0xfd; trail++) {
      const char = decoder.decode(Uint8Array.of(lead, trail));
      if ([...char].length === 1 && char !== '\ufffd') table.set(char, (lead << 8) | trail);
    }
  }
  return table;
}
