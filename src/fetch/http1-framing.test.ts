/** Where bodies end, and which connections may be used again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Framing, framingOf } from './http1-framing.ts';
import type { Head } from './http1-head.ts';

function framing(headers: Record<string, string>, rest: Partial<Head> = {}): Framing {
  return framingOf({ version: '1.1', status: 200, headers, ...rest }, 15_000);
}

const CASES: [string, Record<string, string>, string][] = [
  ['a length', { 'content-length': '5' }, 'length 5 kept'],
  ['a length of nothing', { 'content-length': '0' }, 'none 0 kept'],
  ['the same length twice', { 'content-length': '5, 5' }, 'length 5 kept'],
  ['the same length, written otherwise', { 'content-length': '5,05' }, 'length 5 kept'],
  ['lengths that differ', { 'content-length': '5, 7' }, 'length 7 disputed'],
  ['lengths that differ, one of them nothing', { 'content-length': '0, 7' }, 'length 7 disputed'],
  ['a negative length', { 'content-length': '-5' }, 'close 0'],
  ['a length with a sign', { 'content-length': '+5' }, 'close 0'],
  ['a length that is no number', { 'content-length': 'NaN' }, 'close 0'],
  ['an empty length', { 'content-length': '' }, 'close 0'],
  ['a length in hexadecimal', { 'content-length': '0x10' }, 'close 0'],
  ['a broken length', { 'content-length': '5.5' }, 'close 0'],
  ['a length beside one that is no number', { 'content-length': '5, x' }, 'length 5'],
  ['a length beyond numbers', { 'content-length': '9'.repeat(400) }, 'length Infinity kept'],
  ['no length', {}, 'close 0'],
  ['chunks', { 'transfer-encoding': 'Chunked' }, 'chunks 0 kept'],
  ['a coding and chunks', { 'transfer-encoding': 'gzip, chunked' }, 'chunks 0 kept'],
  [
    'chunks beside a length: they win, and the connection is not used again',
    { 'transfer-encoding': 'chunked', 'content-length': '5' },
    'chunks 0',
  ],
  [
    'a coding that is not chunked: ignored',
    { 'transfer-encoding': 'identity', 'content-length': '5' },
    'length 5 kept',
  ],
];

describe('http1 framing', () => {
  for (const [situation, headers, expected] of CASES) {
    it(`${situation}: ${expected}`, () => {
      const { ending, bytes, isDisputed, idleMs } = framing(headers);
      const marks = `${isDisputed ? ' disputed' : ''}${idleMs > 0 ? ' kept' : ''}`;
      assert.equal(`${ending} ${bytes}${marks}`, expected);
    });
  }

  it('204 and 304: no body, whatever is announced', () => {
    for (const status of [204, 304]) {
      assert.equal(framing({ 'content-length': '5' }, { status }).ending, 'none');
      assert.equal(framing({ 'transfer-encoding': 'chunked' }, { status }).ending, 'none');
    }
  });

  it('chunks from HTTP/1.0, which has none: ignored', () => {
    const old = { version: '1.0' } as const;
    assert.equal(framing({ 'transfer-encoding': 'chunked' }, old).ending, 'close');
  });

  const keeping: [string, Head['version'], Record<string, string>, number][] = [
    ['HTTP/1.1', '1.1', {}, 15_000],
    ['HTTP/1.0', '1.0', {}, 0],
    ['HTTP/1.0 that offers to', '1.0', { connection: 'Keep-Alive' }, 15_000],
    ['a close', '1.1', { connection: 'close' }, 0],
    ['a close among others', '1.1', { connection: 'Keep-Alive, Close' }, 0],
    ['a word that only looks like close', '1.1', { connection: 'closely' }, 15_000],
    ['a hint: a second less than it says', '1.1', { 'keep-alive': 'timeout=5, max=100' }, 4_000],
    ['a hint that is too short', '1.1', { 'keep-alive': 'timeout=1' }, 0],
    ['a hint that is too long', '1.1', { 'keep-alive': 'max=9, timeout=999999' }, 15_000],
    ['a hint that says nothing', '1.1', { 'keep-alive': 'max=100' }, 15_000],
  ];
  for (const [situation, version, headers, idleMs] of keeping) {
    it(`a connection after ${situation}: kept for ${idleMs} ms`, () => {
      assert.equal(framing({ 'content-length': '5', ...headers }, { version }).idleMs, idleMs);
    });
  }
});
