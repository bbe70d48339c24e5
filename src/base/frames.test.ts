import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFrames, writeFrames } from './frames.ts';

const HEAD = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));
const FRAMES = fc.array(
  fc.record({ head: HEAD, parts: fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 }) }),
  { maxLength: 5 },
);

test('frames: whatever is written is read again, heads and bytes', () => {
  fc.assert(
    fc.property(FRAMES, (frames) => {
      const read = readFrames(writeFrames(frames), frames.length);
      assert.ok(typeof read !== 'string');
      const plain = read.map(({ head, body }) => [JSON.stringify(head), body.toString('hex')]);
      const given = frames.map(({ head, parts }) => [
        JSON.stringify(head),
        Buffer.concat(parts).toString('hex'),
      ]);
      assert.deepEqual(plain, given);
    }),
  );
});

test('frames: cut anywhere within a frame, it is said and nothing is read beyond the end', () => {
  const message = writeFrames([{ head: { a: 1 }, parts: [Buffer.from('body')] }]);
  for (let end = 1; end < message.length; end++) {
    assert.match(String(readFrames(message.subarray(0, end), 1)), /ends within/, String(end));
  }
});

test('frames: bytes of a stranger come to frames or to a reason, never to an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const read = readFrames(bytes, 3);
      assert.ok(typeof read === 'string' || Array.isArray(read));
    }),
  );
  const many = writeFrames([1, 2, 3].map((nth) => ({ head: { nth }, parts: [] })));
  assert.match(String(readFrames(many, 2)), /more than 2/);
  const huge = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]);
  assert.match(String(readFrames(huge, 2)), /ends within a frame/);
});
