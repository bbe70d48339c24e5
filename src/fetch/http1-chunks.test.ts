/** Chunked bodies: lenient, bounded, and the same in any pieces. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ChunkReader } from './http1-chunks.ts';

interface Read {
  readonly body: string;
  readonly end: 'done' | 'broken' | 'more';
  readonly taken: number;
}

function readIn(text: string, cuts: readonly number[], lineBytesMax = 100): Read {
  const bytes = Buffer.from(text, 'latin1');
  const reader = new ChunkReader(lineBytesMax);
  let body = '';
  const onBody = (lent: Buffer, from: number, to: number) => {
    body += lent.toString('latin1', from, to);
  };
  let taken = 0;
  for (const to of [...new Set(cuts), bytes.length].sort((a, b) => a - b)) {
    if (taken < to) taken = reader.read(bytes, taken, to, { onBody });
  }
  return { body, end: reader.isDone ? 'done' : reader.isBroken ? 'broken' : 'more', taken };
}

const CASES: [string, string, string, Read['end']][] = [
  ['chunks', '4\r\nbody\r\n3\r\n + \r\n0\r\n\r\n', 'body + ', 'done'],
  ['line feeds alone', '4\nbody\n0\n\n', 'body', 'done'],
  ['a size in capitals with zeros before', '000A\r\n0123456789\r\n0\r\n\r\n', '0123456789', 'done'],
  ['a space after the size', '4 \r\nbody\r\n0  \r\n\r\n', 'body', 'done'],
  ['extensions', '4;a=b;c="d;e"\r\nbody\r\n0;f\r\n\r\n', 'body', 'done'],
  ['trailers', '4\r\nbody\r\n0\r\nA: b\r\nC: d\r\n\r\n', 'body', 'done'],
  ['no chunk at all', '0\r\n\r\n', '', 'done'],
  ['a size that is no number', '4\r\ngood\r\nzz\r\nbad', 'good', 'broken'],
  ['a negative size', '-4\r\nbody', '', 'broken'],
  ['no size', '\r\nbody', '', 'broken'],
  ['a size with more behind it', '4x\r\nbody', '', 'broken'],
  ['data longer than its size', '4\r\nbodybody\r\n', 'body', 'broken'],
  ['two returns after the data', '4\r\nbody\r\r\n', 'body', 'broken'],
  ['a size beyond numbers', `${'f'.repeat(15)}\r\nbody`, '', 'broken'],
  ['the largest size that is a number', `1${'f'.repeat(13)}\r\nbody`.slice(1), 'body', 'more'],
  ['an extension without end', `4;${'x'.repeat(200)}`, '', 'broken'],
  ['zeros without end', '0'.repeat(200), '', 'broken'],
  ['trailers without end', `0\r\n${'A: b\r\n'.repeat(50)}`, '', 'broken'],
  ['an end in the middle', '50\r\nhalf', 'half', 'more'],
];

describe('http1 chunks', () => {
  for (const [situation, text, body, end] of CASES) {
    it(`${situation}: ${end}, and the same cut anywhere`, () => {
      const whole = readIn(text, []);
      assert.equal(whole.body, body);
      assert.equal(whole.end, end);
      for (let cut = 1; cut < text.length; cut++) assert.deepEqual(readIn(text, [cut]), whole);
      const everywhere = Array.from(text, (_, i) => i);
      assert.deepEqual(readIn(text, everywhere), whole);
    });
  }

  it('bytes after the last chunk: left alone', () => {
    const text = '4\r\nbody\r\n0\r\n\r\nHTTP/1.1 200 OK';
    assert.equal(text.slice(readIn(text, []).taken), 'HTTP/1.1 200 OK');
  });

  it('any text, cut in any way: the same outcome, and no exception', () => {
    const piece = fc.constantFrom('0', '1', '4', 'a', '\r\n', '\n', '\r', ';', ' ', 'body', 'zz');
    const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(100), { maxLength: 12 }), (bytes, cuts) => {
        const inside = cuts.filter((cut) => cut < bytes.length);
        assert.deepEqual(readIn(bytes, inside, 12), readIn(bytes, [], 12));
      }),
      { numRuns: 2_000 },
    );
  });

  it('any body in any chunks: comes out as it went in', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary-ascii', minLength: 1 })), (parts) => {
        const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
        const { body, end } = readIn(`${chunks.join('')}0\r\n\r\n`, []);
        assert.equal(body, parts.join(''));
        assert.equal(end, 'done');
      }),
    );
  });
});
