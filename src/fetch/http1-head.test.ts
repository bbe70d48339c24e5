/** Heads of HTTP/1 answers: lenient where browsers are, bounded, and the same in any pieces. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Head, type HeadFault, HeadReader } from './http1-head.ts';

interface Read {
  readonly head: Head | undefined;
  readonly fault: HeadFault | undefined;
  /** How many bytes were taken when the head was whole. */
  readonly taken: number;
}

/** Feeds the pieces that the cuts make; each lies in a buffer that is overwritten afterwards. */
function readIn(bytes: Buffer, cuts: readonly number[], bytesMax = 16_384): Read {
  const reader = new HeadReader(bytesMax);
  const ends = [...new Set(cuts), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const to of ends) {
    const lent = Buffer.from(bytes.subarray(from, to));
    const end = reader.read(lent, 0, lent.length);
    lent.fill(0x58);
    if (end !== -1) return { head: reader.head, fault: undefined, taken: from + end };
    if (reader.fault !== undefined) return { head: undefined, fault: reader.fault, taken: -1 };
    from = to;
  }
  return { head: undefined, fault: undefined, taken: -1 };
}

function headOf(text: string): Head {
  const { head, fault } = readIn(Buffer.from(text, 'latin1'), []);
  assert.ok(head, JSON.stringify(fault ?? 'more is needed'));
  return head;
}

function fieldsOf(...lines: string[]): Record<string, string> {
  return { ...headOf(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`).headers };
}

/** Heads as servers send them, and as they should not. */
const SAMPLES = [
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n',
  'HTTP/1.0 404\n\n',
  'HTTP/1.1 200 OK\nA: 1\nB: 2\n\nbody',
  'HTTP/1.1 200 OK\r\nA: 1\n\r\nbody\r\n\r\n',
  'HTTP/1.1 200 OK\r\nA: 1\r\n and\r\n\tmore\r\nB: 2\r\n\r\n',
  'HTTP/1.1 200 OK\r\nno colon\r\n folded\r\n: no name\r\nA : 1\r\n\r\n',
  '\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nA: x\ry\r\n\r\n',
  'HTTP/1.1 200 OK\r\nA: x\0y\r\n\r\n',
  'HTTP/1.1 abc OK\r\n\r\n',
  'http/1.1 200 ok\r\n\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTPS/1.1 200\r\n\r\n',
  'SSH-2.0-OpenSSH_9.2\r\n',
  '<html>\n\n',
  'HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nset-cookie: b\r\nConstructor: c\r\n__proto__: d\r\n\r\n',
];

describe('http1 head', () => {
  it('an ordinary head: version, status and fields, and where the body begins', () => {
    const text = 'HTTP/1.1 404 Not Found\r\nContent-Type:  text/html \r\nETag: "x"\r\n\r\nrest';
    const { head, taken } = readIn(Buffer.from(text), []);
    assert.equal(taken, text.length - 4);
    assert.equal(head?.version, '1.1');
    assert.equal(head?.status, 404);
    assert.deepEqual({ ...head?.headers }, { 'content-type': 'text/html', etag: '"x"' });
  });

  for (const text of SAMPLES) {
    it(`${JSON.stringify(text)}: byte by byte and cut anywhere, the same as in one piece`, () => {
      const bytes = Buffer.from(text, 'latin1');
      const whole = readIn(bytes, []);
      for (let cut = 0; cut <= bytes.length; cut++) {
        assert.deepEqual(readIn(bytes, [cut]), whole);
      }
      assert.deepEqual(
        readIn(
          bytes,
          Array.from(bytes, (_, i) => i),
        ),
        whole,
      );
    });
  }

  it('any bytes, cut in any way: the same outcome, and no exception', () => {
    const piece = fc.constantFrom(
      'HTTP/1.1 200 OK',
      '\r\n',
      '\n',
      '\r',
      ' ',
      ':',
      'A: b',
      '\0',
      'é',
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    const cuts = fc.array(fc.nat(200), { maxLength: 20 });
    fc.assert(
      fc.property(
        text,
        cuts,
        fc.boolean(),
        fc.integer({ min: 0, max: 80 }),
        (tail, at, good, max) => {
          const bytes = Buffer.from(`${good ? 'HTTP/1.1 200 OK\r\n' : ''}${tail}`, 'latin1');
          const inside = at.filter((cut) => cut < bytes.length);
          assert.deepEqual(readIn(bytes, inside, max), readIn(bytes, [], max));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('repeated fields: joined with commas, cookies and robots tags with line feeds', () => {
    const joined = fieldsOf(
      'A: 1',
      'a: 2',
      'Set-Cookie: x=1, y',
      'set-cookie: z',
      'X-Robots-Tag: a: b',
    );
    assert.deepEqual(joined, { a: '1, 2', 'set-cookie': 'x=1, y\nz', 'x-robots-tag': 'a: b' });
    assert.equal(fieldsOf('X-Robots-Tag: a', 'X-Robots-Tag: b')['x-robots-tag'], 'a\nb');
  });

  it('a folded field: joined with one space; a fold of nothing adds nothing', () => {
    assert.deepEqual(fieldsOf('A: 1', '  2', ' ', '\t3', 'B:', ' 4'), { a: '1 2 3', b: '4' });
  });

  it('lines that are no fields: passed over, with what is folded to them', () => {
    const odd = ['no colon', ' folded', ': no name', 'a b: c', 'X\x01Y: d', ' folded', 'Good: yes'];
    assert.deepEqual(fieldsOf(...odd), { good: 'yes' });
  });

  it('a space before the colon: dropped', () => {
    assert.deepEqual(fieldsOf('Content-Length : 5'), { 'content-length': '5' });
  });

  it('a carriage return in a value: a space, so that no value holds a line end', () => {
    assert.deepEqual(fieldsOf('A: x\ry'), { a: 'x y' });
  });

  it('names that objects have by themselves: fields like any other, and nothing when not sent', () => {
    const { headers } = headOf('HTTP/1.1 200 OK\r\n__proto__: x\r\nToString: y\r\n\r\n');
    assert.deepEqual(Object.entries(headers), [
      ['__proto__', 'x'],
      ['tostring', 'y'],
    ]);
    assert.equal(headers.constructor as unknown, undefined);
  });

  it('bytes beyond ASCII: kept as latin1', () => {
    assert.deepEqual(fieldsOf('Location: /caf\xe9'), { location: '/caf\xe9' });
  });

  for (const [line, version] of [
    ['HTTP/1.0 200 OK', '1.0'],
    ['HTTP/0.9 200', '1.0'],
    ['HTTP/1 200', '1.0'],
    ['HTTP/1.1  200', '1.1'],
    ['HTTP/1.2 200', '1.1'],
    ['HTTP/2.0 200', '1.1'],
  ]) {
    it(`${line}: taken as ${version}`, () => {
      assert.equal(headOf(`${line}\r\n\r\n`).version, version);
    });
  }

  for (const line of ['HTTP/1.1', 'HTTP/1.1 20', 'HTTP/1.1 2000', 'HTTP/1.1 -200', 'HTTP/x 200']) {
    it(`${line}: no status line`, () => {
      assert.equal(readIn(Buffer.from(`${line}\r\n\r\n`), []).fault?.reason, 'protocol');
    });
  }

  it('another protocol: known from the first wrong byte, without waiting for a line', () => {
    assert.equal(readIn(Buffer.from('SSH'), []).fault?.reason, 'protocol');
    assert.equal(readIn(Buffer.from('HTTP-'), []).fault?.reason, 'protocol');
    assert.equal(readIn(Buffer.from('HTT'), []).fault, undefined);
  });

  it('a head of exactly the limit: taken; one byte more, and in any pieces: not', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nA: 12345\r\n\r\n');
    for (const cuts of [[], [5], [bytes.length - 1]]) {
      assert.ok(readIn(bytes, cuts, bytes.length).head);
      assert.equal(readIn(bytes, cuts, bytes.length - 1).fault?.reason, 'header-limit');
    }
  });

  for (const flood of ['X: y\r\n', 'no colon\n', ' fold\r\n', '\r\n', 'x']) {
    it(`${JSON.stringify(flood)} without end: stopped at the limit`, () => {
      const start = flood === '\r\n' ? '' : 'HTTP/1.1 200 OK\r\n';
      const reader = new HeadReader(65_536);
      const piece = Buffer.from(start + flood.repeat(1_000));
      let pieces = 0;
      while (reader.fault === undefined && pieces++ < 1_000) reader.read(piece, 0, piece.length);
      assert.equal(reader.fault?.reason, 'header-limit');
    });
  }

  for (const line of ['X: y', 'no colon', ' fold', 'A: b: c']) {
    it(`100,000 lines of ${JSON.stringify(line)} within the limit: read in one pass`, () => {
      const text = `HTTP/1.1 200 OK\r\nA: b\r\n${`${line}\r\n`.repeat(100_000)}Last: z\r\n\r\n`;
      const cuts = Array.from({ length: 100 }, (_, i) => i * 7_000);
      assert.equal(readIn(Buffer.from(text), cuts, 4_000_000).head?.headers.last, 'z');
    });
  }

  it('one head after another in one piece: each is read, the rest is left', () => {
    const bytes = Buffer.from('HTTP/1.1 103 X\r\nA: 1\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody');
    const reader = new HeadReader(1_000);
    const first = reader.read(bytes, 0, bytes.length);
    assert.equal(reader.head?.status, 103);
    const second = reader.read(bytes, first, bytes.length);
    assert.equal(reader.head?.status, 200);
    assert.equal(bytes.toString('latin1', second), 'body');
  });
});
