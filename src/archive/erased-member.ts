/**
 * What stands in the place of a record that was erased (G2): a metadata record that says so, in
 * exactly as many bytes, so that nothing behind it moves and every index stays true.
 *
 *   gzip head │ empty blocks of 5 bytes each, as many as it takes │ the record, stored │ CRC, length
 */
import { crc32 } from 'node:zlib';
import { fieldOf, type ReadWarcRecord } from './warc-read.ts';

const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const EMPTY_BLOCK = Buffer.from([0, 0, 0, 0xff, 0xff]);
const BLOCK_HEAD_BYTES = 5;
const TAIL_BYTES = 8;

/** Undefined when there is no room for it: no record of ours is that short. */
export function erasedMember(record: ReadWarcRecord, length: number): Buffer | undefined {
  for (let spaces = 0; spaces < 2 * EMPTY_BLOCK.length; spaces++) {
    const bytes = noteFor(record, spaces);
    const room = length - HEAD.length - BLOCK_HEAD_BYTES - bytes.length - TAIL_BYTES;
    if (room < 0) return undefined;
    if (room % EMPTY_BLOCK.length === 0) return memberOf(bytes, room / EMPTY_BLOCK.length);
  }
  return undefined;
}

/** It keeps its id, because others name it, and its date; not what it was about. */
function noteFor({ fields }: ReadWarcRecord, spaces: number): Buffer {
  const block = `erased: yes${' '.repeat(spaces)}\r\n`;
  const lines = [
    'WARC/1.1',
    'WARC-Type: metadata',
    `WARC-Record-ID: ${fieldOf(fields, 'WARC-Record-ID')}`,
    `WARC-Date: ${fieldOf(fields, 'WARC-Date')}`,
    'Content-Type: application/warc-fields',
    `Content-Length: ${block.length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${block}\r\n\r\n`);
}

function memberOf(bytes: Buffer, empties: number): Buffer {
  const block = Buffer.alloc(BLOCK_HEAD_BYTES);
  block[0] = 1;
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(bytes.length ^ 0xffff, 3);
  const tail = Buffer.alloc(TAIL_BYTES);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  const empty = Buffer.alloc(empties * EMPTY_BLOCK.length, EMPTY_BLOCK);
  return Buffer.concat([HEAD, empty, block, bytes, tail]);
}
