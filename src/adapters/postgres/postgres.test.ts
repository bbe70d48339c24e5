/** What needs no server: binary arrays, what errors say, versions. The rest: test/live/. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import {
  admitting,
  busyHost,
  settling,
  waitingFor,
} from '../../ports/shard-store.contract.rows.ts';
import { type Commit, NOTHING } from '../../ports/shard-store.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { type HostRecord, hostKeyOf, urlKeyOf } from '../../record/index.ts';
import { quarterOf } from '../../url/index.ts';
import { bytesArray, float8Array, int4Array, int8Array, long8Array, textArray } from './arrays.ts';
import { hostColumns, lastOf } from './columns.ts';
import { arcsOf } from './fence.ts';
import { isPassing, storeError } from './problems.ts';
import { dueOf } from './reads.ts';
import { refuseOld } from './schema.ts';
import { MIGRATIONS } from './steps.ts';

const WHERE = 'db.example:5432/crawl';

test('arrays: bytes, with a null among them: as the server reads them', () => {
  const array = bytesArray([Buffer.from([1, 2]), null, Buffer.alloc(0)]);
  const head = '00000001 00000001 00000011 00000003 00000001';
  const elements = '00000002 0102 ffffffff 00000000';
  assert.equal(array.toString('hex'), `${head}${elements}`.replaceAll(' ', ''));
});

test('arrays: texts by their bytes, not by their letters', () => {
  const array = textArray(['ü']);
  assert.equal(array.subarray(20).toString('hex'), '00000002c3bc');
});

test('arrays: instants are rounded; ranks above 2^31 and counts above 2^32 are whole', () => {
  const array = int8Array([1.5, 2 ** 32 - 1, 1e15]);
  const read = [24, 36, 48].map((at) => Number(array.readBigInt64BE(at)));
  assert.deepEqual(read, [2, 2 ** 32 - 1, 1e15]);
  assert.equal(int4Array([-7]).readInt32BE(24), -7);
  assert.equal(float8Array([0.1]).readDoubleBE(24), 0.1);
});

test('errors: a restart, a cut line and a deadlock pass; a wrong password and a full disk do not', () => {
  const passing = ['57P01', '57P03', '08006', '40P01', '53300', 'ECONNREFUSED', 'ECONNRESET'];
  for (const code of passing) assert.ok(isPassing({ code }), code);
  assert.ok(isPassing(new Error('Connection terminated unexpectedly')));
  for (const code of ['28P01', '3D000', '53100', '42P01', '22021']) {
    assert.equal(isPassing({ code, message: '' }), false, code);
  }
});

test('errors: each says where, what was said, and what to do', () => {
  const codes = { '28P01': 'E_CONFIG', '3D000': 'E_CONFIG', '42501': 'E_CONFIG' };
  const more = { '53100': 'E_DISK_FULL', '53300': 'E_STORE_DOWN', XX001: 'E_STORE_DAMAGED' };
  for (const [code, ours] of Object.entries({ ...codes, ...more, '22021': 'E_STORE_DOWN' })) {
    const error = storeError(Object.assign(new Error('said so'), { code }), WHERE);
    assert.ok(error instanceof CrawlError);
    assert.equal(error.code, ours);
    assert.match(error.message, /db\.example:5432\/crawl.*said so/);
    assert.ok(error.hint.length > 20);
  }
});

test('an old server: refused with its version; a current one is taken', () => {
  assert.throws(() => refuseOld(130_011, WHERE), { code: 'E_CONFIG', message: /PostgreSQL 13/ });
  refuseOld(140_000, WHERE);
});

test('errors: that an arc is not ours is told as it is, and not tried again', () => {
  const error = new NotOurs([3, 9]);
  assert.equal(storeError(error, WHERE), error);
  assert.equal(isPassing(error), false);
});

test('fence: every kind of change names its arc, each once, in order', () => {
  const [url, host] = ['https://fence.example/a', 'fence.example'];
  const [key, place] = [urlKeyOf(url), hostKeyOf(host)];
  const waiting = waitingFor(url);
  const kinds: Partial<Commit>[] = [
    { settled: [settling(waiting)] },
    { admitted: [{ waiting, maybeKnown: false }] },
    { requeued: [{ due: { at: 1, key }, waiting }] },
    { redated: [{ due: { at: 1, key }, to: 2 }] },
    { moved: [{ from: waiting, to: waiting }] },
    { hosts: [busyHost(host)] },
    { robots: [{ host: place, records: [] }] },
    { sketches: [{ host: place, bytes: Buffer.alloc(1) }] },
    { erased: [{ key, record: settling(waiting).record }] },
    ...[{ untraced: [key] }, { shelved: [waiting] }, { unshelved: [waiting] }],
    { forgotten: [waiting] },
  ];
  for (const kind of kinds) {
    assert.deepEqual(arcsOf({ ...NOTHING, ...kind }), [quarterOf(key)], Object.keys(kind)[0]);
  }
  assert.deepEqual(arcsOf({ ...NOTHING, change: { known: 1 } }), []);
  const urls = Array.from({ length: 200 }, (_, n) => waitingFor(`https://f${n}.example/`));
  const arcs = [...new Set(urls.map((one) => quarterOf(one.key)))].sort((a, b) => a - b);
  assert.deepEqual(arcsOf(admitting(urls)), arcs);
});

test('rows: each key once, as named last, in the order of keys, whoever names them', () => {
  const rows = [3, 1, 2, 1].map((byte, nth) => ({ key: Buffer.from([byte, 200]), nth }));
  const keys = lastOf(rows, ({ key }) => key).map(({ key, nth }) => [key[0], nth]);
  assert.deepEqual(keys, [
    [1, 3],
    [2, 2],
    [3, 0],
  ]);
  const [first, second] = ['b.example', 'a.example'].map((host) => busyHost(host));
  const column = (hosts: HostRecord[]) => hostColumns(hosts)[0];
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual(column([first, second]), column([second, first]));
});

test('due: of some arcs, their partitions are read and no other; of all, one statement', () => {
  const partitions = (arcs: number[]) =>
    [...dueOf(arcs).text.matchAll(/url_\d\d/g)].map(([name]) => name);
  assert.deepEqual(partitions([3, 41]), ['url_03', 'url_41']);
  assert.equal(dueOf([3, 41]).name, '', 'not kept for each set of arcs');
  assert.equal(dueOf(undefined), dueOf(Array.from({ length: 64 }, (_, arc) => arc)));
});

test('arrays: 64 bits as they are, the highest one too', () => {
  const array = long8Array([0xffff_ffff_ffff_fffen, 1n]);
  assert.equal(array.readBigUInt64BE(24), 0xffff_ffff_ffff_fffen);
  assert.equal(array.readBigUInt64BE(36), 1n);
});

test('the schema: 64 partitions that cover the circle, each where the last one ends', () => {
  const [tables = ''] = MIGRATIONS;
  const bounds = [...tables.matchAll(/FROM \((\S+)\) TO \((\S+)\)/g)].map(([, a, b]) => [a, b]);
  assert.equal(bounds.length, 64);
  assert.deepEqual([bounds[0]?.[0], bounds[63]?.[1]], ['MINVALUE', 'MAXVALUE']);
  for (let arc = 1; arc < 64; arc++) assert.equal(bounds[arc]?.[0], bounds[arc - 1]?.[1]);
});
