import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseContentType } from './content-type.ts';

const read = (field: string) => {
  const type = parseContentType(field);
  return type && [type.essence, type.charset];
};

test('one value: its type and the first charset that can be one', () => {
  assert.deepEqual(read(' Text/HTML ; charset=gbk'), ['text/html', 'gbk']);
  assert.deepEqual(read('text/html;charset="gbk, a";charset=big5'), ['text/html', 'gbk, a']);
  assert.deepEqual(read('text/html; charset=\fgbk'), ['text/html', undefined]);
  assert.equal(read('\ftext/html'), undefined);
  assert.equal(read('nonsense'), undefined);
});

test('several values: the last type, with its charset or the first that was said of it', () => {
  assert.deepEqual(read('text/html;charset=gbk, text/html'), ['text/html', 'gbk']);
  assert.deepEqual(read('text/html, text/html; charset=gbk'), ['text/html', 'gbk']);
  assert.deepEqual(read('text/html;charset=big5, text/html;charset=gbk'), ['text/html', 'gbk']);
  const three = 'text/html;charset=gbk, text/html;charset=big5, text/html';
  assert.deepEqual(read(three), ['text/html', 'gbk']);
  assert.deepEqual(read('text/plain;charset=gbk, text/html'), ['text/html', undefined]);
  assert.deepEqual(read('text/html;charset=gbk, nonsense, */*'), ['text/html', 'gbk']);
  assert.deepEqual(read('*/*, text/html'), ['text/html', undefined]);
});
