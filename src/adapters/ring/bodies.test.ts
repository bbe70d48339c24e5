/** Row operations as bytes: what is written is read, and nothing else is (D4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BadRows } from '../../ports/arc-copies.ts';
import { BODY_BYTES_MAX } from '../../ports/arc-log.ts';
import { robotsRecord, settling, waitingFor } from '../../ports/shard-store.contract.rows.ts';
import {
  blankHost,
  encodeHost,
  encodeRobots,
  hostKeyOf,
  urlKeyOf,
  type Waiting,
} from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import { arcKey, TABLE, tableKey } from '../embedded/keys.ts';
import { admit, move, type Ops, put, settle } from '../embedded/queue-rows.ts';
import { decodeVisited, encodeVisited } from '../embedded/rows.ts';
import { bodiesOf, encodeOps, type RowOp } from './bodies.ts';
import { readBody } from './read-bodies.ts';
import { asSent } from './sent.ts';

const HOST = 'h.example';
const ARC = arcOf(hostKeyOf(HOST));
const PLACE = { file: 3, at: 70_000, length: 900, from: 12, bytes: 400 };

/** What a commit with these URLs of one host comes to, its host last. */
function opsOf(urls: readonly Waiting[], isSettled: boolean): Ops {
  const ops: Ops = [];
  for (const url of urls) {
    admit(ops, url);
    if (isSettled) settle(ops, settling(url, { nextCrawlAt: 5 }), PLACE);
  }
  put(ops, tableKey(TABLE.host, hostKeyOf(HOST)), encodeHost(blankHost(HOST)));
  put(ops, arcKey(TABLE.inbox, ARC, Buffer.from('a name')), Buffer.from('a mention'));
  ops.push({ type: 'del', key: arcKey(TABLE.book, ARC) });
  return ops;
}

const urlsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => waitingFor(`http://${HOST}/${n}`));

/** The last thing that is said about each row. */
function outcome(ops: readonly RowOp[]): Map<string, string> {
  return new Map(
    ops.map((op) => {
      const value = op.type === 'put' ? asSent(op.key, op.value) : undefined;
      return [op.key.toString('hex'), value?.toString('hex') ?? 'gone'];
    }),
  );
}

test('any number of URLs: every body fits, and together they come to the same', () => {
  const cases = fc.record({ count: fc.integer({ min: 0, max: 400 }), isSettled: fc.boolean() });
  fc.assert(
    fc.property(cases, ({ count, isSettled }) => {
      const ops = opsOf(urlsOf(count), isSettled);
      const bodies = bodiesOf(ops);
      assert.ok(bodies.every(({ length }) => length <= BODY_BYTES_MAX));
      const read = bodies.flatMap((body) => readBody(ARC, body));
      assert.equal(read.length, ops.length);
      assert.deepEqual(outcome(read), outcome(ops));
    }),
    { numRuns: 30 },
  );
});

test('more than one body: hosts are in the first, and nothing of a URL is cut apart', () => {
  const ops = opsOf(urlsOf(400), true);
  const bodies = bodiesOf(ops).map((body) => readBody(ARC, body));
  assert.ok(bodies.length > 3);
  assert.equal(bodies[0]?.[0]?.key[0], TABLE.host);
  const inBodies = new Map<string, Set<number>>();
  bodies.forEach((body, nth) => {
    for (const { key } of body) {
      const at = key[0] === TABLE.due ? 16 : key[0] === TABLE.waiting ? 15 : 9;
      if (key.length < 23) continue;
      const url = key.toString('hex', at, at + 8);
      inBodies.set(url, (inBodies.get(url) ?? new Set()).add(nth));
    }
  });
  assert.equal(inBodies.size, 400);
  assert.ok([...inBodies.values()].every(({ size }) => size === 1));
});

test('a row that is taken away and put again in one commit: there, also in many bodies', () => {
  const ops: Ops = [];
  for (const url of urlsOf(300)) move(ops, url, { ...url, fails: 3 });
  const read = bodiesOf(ops).flatMap((body) => readBody(ARC, body));
  assert.deepEqual(outcome(read), outcome(ops));
});

test('small: a URL that was admitted takes little more than its name and keys', () => {
  const urls = urlsOf(100);
  const ops: Ops = [];
  for (const url of urls) admit(ops, url);
  const letters = urls.reduce((sum, { url }) => sum + url.length, 0);
  const bytes = bodiesOf(ops).reduce((sum, body) => sum + body.length, 0);
  assert.ok(bytes - letters < 100 * 90, `${(bytes - letters) / 100} bytes each`);
});

test('a trace stays with its node: not sent, and the record is whole', () => {
  const { record } = settling(waitingFor(`http://${HOST}/`), { title: 'as it was' });
  const key = tableKey(TABLE.visited, urlKeyOf(record.url));
  const [op] = readBody(
    ARC,
    bodiesOf([{ type: 'put', key, value: encodeVisited(record, PLACE) }])[0] as Buffer,
  );
  assert.ok(op?.type === 'put' && op.value[0] === 0);
  assert.deepEqual(decodeVisited(op.value), decodeVisited(encodeVisited(record, undefined)));
});

test('too long for a message: robots.txt is gone for others, a record loses its words, a long URL is none', () => {
  const robots = { ...robotsRecord(`http://${HOST}`), body: Buffer.alloc(300_000, 'x') };
  const long = `http://${HOST}/${'x'.repeat(20_000)}`;
  const { record } = settling(waitingFor(`http://${HOST}/`), { etag: 'e'.repeat(60_000) });
  const ops: Ops = [];
  put(ops, tableKey(TABLE.robots, hostKeyOf(HOST)), encodeRobots([robots]));
  put(ops, tableKey(TABLE.visited, urlKeyOf(record.url)), encodeVisited(record, PLACE));
  admit(ops, waitingFor(long));
  const bodies = bodiesOf(ops);
  assert.ok(bodies.every(({ length }) => length <= BODY_BYTES_MAX));
  const [rules, visited, known, waiting] = bodies.flatMap((body) => readBody(ARC, body));
  assert.equal(rules?.type, 'del');
  assert.ok(visited?.type === 'put' && decodeVisited(visited.value).httpStatus === 200);
  assert.deepEqual([known?.type, waiting?.type], ['put', 'del']);
});

test('any bytes: rows of this arc, or refused; never anything else, and never for long', () => {
  const good = encodeOps(
    opsOf(urlsOf(5), true)
      .slice(0, 14)
      .map((op) => (op.type === 'put' ? { ...op, value: asSent(op.key, op.value) as Buffer } : op)),
  );
  assert.equal(readBody(ARC, good).length, 14);
  const changed = fc
    .tuple(fc.nat(good.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.boolean())
    .map(([at, bytes, isCut]) => {
      const body = Buffer.concat([good.subarray(0, at), bytes]);
      return isCut ? body : Buffer.concat([body, good.subarray(at + bytes.length)]);
    });
  fc.assert(
    fc.property(fc.oneof(changed, fc.uint8Array({ maxLength: 300 })), (body) => {
      try {
        for (const { key } of readBody(ARC, body)) {
          assert.ok(key[0] !== TABLE.body);
          const isPlaced = key[0] !== TABLE.due && key.length > 8 && key[0] !== TABLE.inbox;
          if (isPlaced && key[0] !== TABLE.book && key[0] !== TABLE.counts) {
            assert.equal((key[1] as number) >> 2, ARC);
          } else assert.equal(key[1], ARC);
        }
      } catch (error) {
        assert.ok(error instanceof BadRows, String(error));
      }
    }),
    { numRuns: 3_000 },
  );
});

test('rows that a node would fall over: refused', () => {
  const host = tableKey(TABLE.host, hostKeyOf(HOST));
  const count = arcKey(TABLE.counts, ARC);
  const bad: RowOp[] = [
    { type: 'put', key: tableKey(TABLE.body, Buffer.alloc(32)), value: Buffer.from('x') },
    { type: 'put', key: arcKey(TABLE.saved, ARC), value: Buffer.from('x') },
    { type: 'put', key: Buffer.from('mtotals'), value: Buffer.from('{}') },
    { type: 'put', key: host, value: encodeHost({ ...blankHost(HOST), turnAt: Number.NaN }) },
    { type: 'put', key: host, value: Buffer.from('no host') },
    { type: 'put', key: tableKey(TABLE.url, urlKeyOf(`http://${HOST}/`)), value: Buffer.alloc(7) },
    { type: 'put', key: count, value: Buffer.from('null') },
    { type: 'put', key: count, value: Buffer.from('{"known":"12"}') },
    { type: 'put', key: count, value: Buffer.from('{"own":7}') },
    { type: 'put', key: count, value: Buffer.from('{') },
    { type: 'put', key: arcKey(TABLE.inbox, ARC, Buffer.alloc(65)), value: Buffer.alloc(1) },
    { type: 'put', key: arcKey(TABLE.inbox, ARC + 1), value: Buffer.alloc(1) },
    { type: 'put', key: arcKey(TABLE.inbox, ARC), value: Buffer.alloc(40_000) },
  ];
  for (const op of bad) {
    assert.throws(() => readBody(ARC, encodeOps([op])), BadRows, op.key.toString('latin1'));
  }
  const good = Buffer.from(JSON.stringify({ known: -3, own: { named: 1 } }));
  assert.equal(readBody(ARC, encodeOps([{ type: 'put', key: count, value: good }])).length, 1);
});
