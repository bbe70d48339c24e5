import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentBase } from './xml-base.ts';

test('a document says where it belongs, if that is an address of the web', () => {
  const base = (location: string) =>
    documentBase('http://h.example/a/feed', { 'content-location': location });
  assert.equal(base('/b/'), 'http://h.example/b/');
  assert.equal(base('https://other.example/'), 'https://other.example/');
  for (const none of ["javascript:alert('unsafe');", 'mailto:a@h.example', 'http://[']) {
    assert.equal(base(none), 'http://h.example/a/feed');
  }
  assert.equal(documentBase('http://h.example/a/feed', {}), 'http://h.example/a/feed');
});
