import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGeoTable } from './geo-rows.ts';
import type { GeoTable } from './geo-table.ts';
import { RegionHints } from './hint.ts';
import { isRegionName, regionNamed } from './name.ts';

const geo = readGeoTable('192.0.2.0/24,as\n2001:db8::/32,sa\n') as GeoTable;

test('hint: the own table wins over addresses, addresses over countries, and then there is none', () => {
  const hints = new RegionHints([{ host: 'example.de', region: 'moon' }], geo);
  assert.equal(hints.of('example.de', '192.0.2.1'), 'moon');
  assert.equal(hints.of('other.de', '192.0.2.1'), 'as');
  assert.equal(hints.of('other.de', '2001:db8:7::1'), 'sa');
  assert.equal(hints.of('other.de', '198.51.100.1'), 'eu', 'the table says nothing of it');
  assert.equal(hints.of('other.de', ''), 'eu', 'not looked up yet');
  assert.equal(hints.of('other.com', ''), '');
});

test('hint: of the own table the host itself counts, then the longest domain that it is under', () => {
  const hints = new RegionHints([
    { host: 'tr', region: 'eu' },
    { host: 'example.tr', region: 'as' },
    { host: 'www.example.tr:8443', region: 'na' },
  ]);
  assert.equal(hints.of('www.example.tr:8443', ''), 'na');
  assert.equal(hints.of('www.example.tr', ''), 'as');
  assert.equal(hints.of('www.example.tr:8080', ''), 'as');
  assert.equal(hints.of('example.tr.', ''), 'as');
  assert.equal(hints.of('anexample.tr', ''), 'eu', 'under tr, and not under example.tr');
});

test('hint: a host that is an address is found by it, with brackets and port or without', () => {
  const hints = new RegionHints([{ host: '198.51.100.7', region: 'oc' }], geo);
  assert.equal(hints.of('192.0.2.9', ''), 'as');
  assert.equal(hints.of('192.0.2.9:8080', ''), 'as');
  assert.equal(hints.of('[2001:db8::9]', ''), 'sa');
  assert.equal(hints.of('[2001:db8::9]:8080', ''), 'sa');
  assert.equal(hints.of('198.51.100.7:81', ''), 'oc');
  assert.equal(hints.of('[::1]', ''), '');
});

test('hint: countries are on their continents; names that are sold to everybody tell nothing', () => {
  const hints = new RegionHints([]);
  const of = (top: string) => hints.of(`www.example.${top}`, '');
  const told = ['de', 'uk', 'xn--p1ai', 'jp', 'us', 'gov', 'br', 'au', 'za', 'aq', 'xn--fiqs8s'];
  assert.deepEqual(told.map(of), 'eu eu eu as na na sa oc af an as'.split(' '));
  for (const top of ['com', 'org', 'io', 'tv', 'co', 'ai', 'test', 'invalid']) {
    assert.equal(of(top), '', top);
  }
  assert.equal(hints.of('localhost', ''), '');
});

test('hint: a continent written out is the region of that name, in settings and in tables', () => {
  assert.equal(new RegionHints([{ host: 'com', region: 'europe' }]).of('a.com', ''), 'eu');
  assert.deepEqual(['south-america', 'us-east-1'].map(regionNamed), ['sa', 'us-east-1']);
  assert.ok(isRegionName('us-east-1') && isRegionName('a'.repeat(32)));
  for (const wrong of ['', 'EU', 'a b', '-a', 'ü', 'a'.repeat(33), 'a,b', 'a\n']) {
    assert.ok(!isRegionName(wrong), JSON.stringify(wrong));
  }
});
