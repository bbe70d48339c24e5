import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Ip, isInNetwork, parseNetwork } from '../fetch/ip.ts';
import { isGeoProblem, readGeoTable } from './geo-rows.ts';
import type { GeoTable } from './geo-table.ts';

function tableOf(text: string): GeoTable {
  const table = readGeoTable(text);
  assert.ok(!isGeoProblem(table), JSON.stringify(table));
  return table;
}

test('geo: of networks that hold an address the smallest counts, up to the last address of all', () => {
  const table = tableOf(
    [
      ...['0.0.0.0/0,rest', '10.0.0.0/8,eu', '10.1.0.0/16,as', '10.1.0.0/24,na', '10.1.0.9,sa'],
      ...['255.255.255.255/32,end', '::/1,low', 'ffff::/16,high'],
    ].join('\n'),
  );
  const asked = {
    '9.255.255.255': 'rest',
    '10.0.0.0': 'eu',
    '10.0.255.255': 'eu',
    '10.1.0.0': 'na',
    '10.1.0.9': 'sa',
    '10.1.0.10': 'na',
    '10.1.1.0': 'as',
    '10.2.0.0': 'eu',
    '11.0.0.0': 'rest',
    '255.255.255.255': 'end',
    '::1': 'low',
    '::ffff:10.1.0.9': 'sa',
    '7fff:ffff::': 'low',
    '8000::': '',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': 'high',
    'www.example.com': '',
    '': '',
  };
  for (const [address, region] of Object.entries(asked)) {
    assert.equal(table.regionOf(address), region, address);
  }
});

test('geo: neighbours of one region are one range', () => {
  const lines = Array.from({ length: 256 }, (_, nth) => `10.0.${nth}.0/24,eu`);
  assert.equal(tableOf(lines.join('\n')).ranges, 2, 'and the rest after it');
});

/** Few bits differ, so that networks often hold one another and addresses often hit. */
const word = fc.constantFrom(0, 1, 0x80000000, 0xffffffff, 0xffff);
const words = fc.tuple(word, word, word, word);
const text = ([a, b, c, d]: Ip) =>
  [a, b, c, d].flatMap((w) => [w >>> 16, w & 0xffff].map((part) => part.toString(16))).join(':');
const v4 = (value: number) => [24, 16, 8, 0].map((by) => (value >>> by) & 255).join('.');
const cleared = (value: number, bits: number) =>
  bits <= 0 ? 0 : bits >= 32 ? value : (value & ~(0xffffffff >>> bits)) >>> 0;

const network6 = fc.tuple(words, fc.integer({ min: 0, max: 128 })).map(([ip, bits]) => {
  const base = ip.map((w, nth) => cleared(w, bits - 32 * nth)) as unknown as Ip;
  return `${text(base)}/${bits}`;
});
const network4 = fc
  .tuple(word, fc.integer({ min: 0, max: 32 }))
  .map(([ip, bits]) => `${v4(cleared(ip, bits))}/${bits}`);
const row = fc.tuple(fc.oneof(network4, network6), fc.constantFrom('eu', 'as', 'na'));

test('geo: any table answers as looking through all of its networks does', () => {
  const addresses = fc.array(fc.oneof(words.map(text), word.map(v4)), { minLength: 1 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), addresses, (rows, asked) => {
      const byNetwork = new Map(rows.map(([cidr, region]) => [keyOf(cidr), { cidr, region }]));
      const kept = [...byNetwork.values()];
      const table = tableOf(kept.map(({ cidr, region }) => `${cidr},${region}`).join('\n'));
      for (const address of asked) assert.equal(table.regionOf(address), slowly(kept, address));
    }),
    { numRuns: 300 },
  );
});

function keyOf(cidr: string): string {
  return JSON.stringify(parseNetwork(cidr));
}

function slowly(rows: readonly { cidr: string; region: string }[], address: string): string {
  const ip = parseNetwork(address)?.base as Ip;
  const holding = rows
    .map(({ cidr, region }) => ({ network: parseNetwork(cidr), region }))
    .flatMap(({ network, region }) => (network === undefined ? [] : [{ network, region }]))
    .filter(({ network }) => isInNetwork(ip, network))
    .sort((a, b) => b.network.bits - a.network.bits);
  return holding[0]?.region ?? '';
}

test('geo: header, comments, empty lines, quotes, CRLF and a byte order mark are read', () => {
  const table = tableOf(
    '\ufeffNetwork,Region\r\n# ours\r\n\r\n "192.0.2.0/24" , "EUROPE" \r\n198.51.100.1,us-east-1',
  );
  assert.equal(table.regionOf('192.0.2.77'), 'eu');
  assert.equal(table.regionOf('198.51.100.1'), 'us-east-1');
  assert.equal(table.regionOf('198.51.100.2'), '');
});

test('geo: what is not understood is refused with its line and what is wrong there', () => {
  const refused: readonly (readonly [text: string, line: number, problem: RegExp])[] = [
    ['', 0, /no network/],
    ['network,region\n# nothing\n', 2, /no network/],
    ['192.0.2.0/24,eu\nnetwork,region', 2, /'network', which is no address/],
    ['192.0.2.0/24', 1, /of the form network,region/],
    ['192.0.2.0/24,eu,de', 1, /of the form network,region/],
    ['# one\n\n192.0.2.0/33,eu', 3, /no address or network/],
    ['2001:db8::/129,eu', 1, /no address or network/],
    ['192.0.2/24,eu', 1, /no address or network/],
    ['192.0.2.0/,eu', 1, /no address or network/],
    ['192.0.2.0/-1,eu', 1, /no address or network/],
    ['example.com,eu', 1, /'example.com'/],
    ['192.0.2.7/24,eu', 1, /'192.0.2.7\/24', which has bits set after its prefix/],
    ['2001:db8::1/32,eu', 1, /bits set after its prefix/],
    ['192.0.2.0/24,', 1, /has '' for a region/],
    ['192.0.2.0/24,Western Europe', 1, /has 'Western Europe' for a region/],
    ['192.0.2.0/24;eu', 1, /of the form/],
    ['\0\x1b[31m,eu', 1, /begins with '\?\?\[31m'/],
    ['192.0.2.0/24,eu\n192.0.2.0/25,as\n192.0.2.0/24,as', 3, /that line 1 puts in eu/],
    ['192.0.2.0/24,eu\n::ffff:192.0.2.0/120,as', 2, /that line 1 puts in eu/],
  ];
  for (const [given, line, problem] of refused) {
    const found = readGeoTable(given);
    assert.ok(isGeoProblem(found), JSON.stringify(given));
    assert.equal(found.line, line, JSON.stringify(given));
    assert.match(found.problem, problem);
  }
  tableOf('192.0.2.0/24,eu\n192.0.2.0/24,europe');
});

test('geo: no more regions than can be told apart, and no line without end in a message', () => {
  const lines = Array.from(
    { length: 1_001 },
    (_, nth) => `10.${nth >> 8}.${nth & 255}.0/24,r${nth}`,
  );
  const found = readGeoTable(lines.join('\n'));
  assert.ok(isGeoProblem(found) && found.line === 1_001 && /1000/.test(found.problem));
  tableOf(lines.slice(0, 1_000).join('\n'));
  const long = readGeoTable('x'.repeat(100_000));
  assert.ok(isGeoProblem(long) && long.problem.length < 200);
});
