import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_KEY_BYTES, hostKeyIn, hostKeyOf, URL_KEY_BYTES, urlKeyOf } from './index.ts';

test('keys: a URL and its host stand at one place on the circle, whatever the port', () => {
  const host = hostKeyOf('h.example');
  const withPort = hostKeyOf('h.example:8080');
  assert.deepEqual([host.length, withPort.length], [HOST_KEY_BYTES, HOST_KEY_BYTES]);
  assert.ok(host.subarray(0, 8).equals(withPort.subarray(0, 8)));
  assert.deepEqual([host.readUInt16BE(8), withPort.readUInt16BE(8)], [0, 8080]);
  for (const url of ['http://h.example/a', 'https://h.example:8080/a']) {
    assert.equal(urlKeyOf(url).length, URL_KEY_BYTES);
    assert.ok(urlKeyOf(url).subarray(0, 8).equals(host.subarray(0, 8)));
  }
  assert.ok(!urlKeyOf('http://h.example/a').equals(urlKeyOf('http://h.example/b')));
});

test('keys: a URL’s key starts with its host’s place, asked for once or again', () => {
  const url = 'http://h.example:81/a?b=c';
  const place = hostKeyOf('h.example:81').subarray(0, 8);
  for (let i = 0; i < 2; i++) assert.deepEqual(urlKeyOf(url).subarray(0, 8), place);
});

test('keys: the colons of an IPv6 address are no port', () => {
  assert.equal(hostKeyOf('[::1]').readUInt16BE(8), 0);
  const withPort = hostKeyOf('[::1]:8080');
  assert.equal(withPort.readUInt16BE(8), 8080);
  assert.ok(withPort.subarray(0, 8).equals(hostKeyOf('[::1]').subarray(0, 8)));
});

test('keys: a host’s key read out of a URL’s key is the one made from its name', () => {
  const urls = [
    'http://h.example/a',
    'https://h.example:8443/b',
    'http://[::1]/',
    'http://[::1]:81/',
  ];
  for (const url of urls) {
    assert.deepEqual(hostKeyIn(urlKeyOf(url), url), hostKeyOf(new URL(url).host));
  }
});
