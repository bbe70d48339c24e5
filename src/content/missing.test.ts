import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanHtml, toUtf8 } from '../page/index.ts';
import { isMissingPage } from './missing.ts';

const page = (title: string, inside: string) =>
  Buffer.from(`<!doctype html><title>${title}</title><body>${inside}</body>`);

function isMissing(body: Buffer, ownWords: number): boolean {
  const scan = scanHtml(toUtf8(body, 'UTF-8'), '', { words: true });
  return isMissingPage(scan, body.length, ownWords);
}

test('missing: the text speaks, not scripts, comments or styles', () => {
  const says = page('Oh', '<h1>Sorry</h1><p>The page <b>could not be found</b>.</p>');
  assert.ok(isMissing(says, 8));
  const hidden = page('Shop', '<script>alert("page not found")</script><!-- page not found -->Tea');
  assert.ok(!isMissing(hidden, 1));
});

test('missing: long pages and empty ones are not looked at', () => {
  const long = page('404', `The page was not found. ${'More of it. '.repeat(200)}`);
  assert.ok(!isMissing(long, 600));
  assert.ok(!isMissing(long, 20), 'its own words are counted as well');
  assert.ok(!isMissing(Buffer.alloc(0), 0));
});

test('missing: hostile markup costs what its length says', () => {
  const bestOf3 = (body: Buffer): number => {
    const times = Array.from({ length: 3 }, () => {
      const started = performance.now();
      for (let i = 0; i < 20; i++) isMissing(body, 10);
      return performance.now() - started;
    });
    return Math.min(...times);
  };
  for (const piece of ['<script', '<!--', '<', 'page ', '404 ', '<head><style>']) {
    const [short, long] = [1_000, 16_000].map((n) =>
      bestOf3(Buffer.from(piece.repeat(n / piece.length))),
    );
    assert.ok(long! < 80 * short! + 20, `${piece}: ${short} ms, 16 times as long ${long} ms`);
  }
});
