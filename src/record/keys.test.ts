import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_KEY_BYTES, hostKeyOf, URL_KEY_BYTES, urlKeyOf } from './index.ts';

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

test('keys: made with the host’s key or without, a URL’s key is the same', () => {
  const url = 'http://h.example:81/a?b=c';
  assert.deepEqual(urlKeyOf(url, hostKeyOf('h.example:81')), urlKeyOf(url));
});

test('keys: the colons of an IPv6 address are no port', () => {
  assert.equal(hostKeyOf('[::1]').readUInt16BE(8), 0);
  const withPort = hostKeyOf('[::1]:8080');
  assert.equal(withPort.readUInt16BE(8), 8080);
  assert.ok(withPort.subarray(0, 8).equals(hostKeyOf('[::1]').subarray(0, 8)));
});
