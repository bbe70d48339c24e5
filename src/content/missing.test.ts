import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissingPage } from './missing.ts';

const page = (title: string, inside: string) =>
  Buffer.from(`<!doctype html><title>${title}</title><body>${inside}</body>`);

test('missing: the text speaks, not scripts, comments or styles', () => {
  const says = page('Oh', '<h1>Sorry</h1><p>The page <b>could not be found</b>.</p>');
  assert.ok(isMissingPage(says, 'Oh', 8));
  const hidden = page('Shop', '<script>alert("page not found")</script><!-- page not found -->Tea');
  assert.ok(!isMissingPage(hidden, 'Shop', 1));
});

test('missing: long pages and empty ones are not looked at', () => {
  const long = page('404', `The page was not found. ${'More of it. '.repeat(200)}`);
  assert.ok(!isMissingPage(long, 'Essay', 600));
  assert.ok(!isMissingPage(long, 'Essay', 20), 'its own words are counted as well');
  assert.ok(!isMissingPage(new Uint8Array(0), 'Page not found', 0));
});

test('missing: hostile markup costs what its length says', () => {
  const bestOf3 = (body: Buffer): number => {
    const times = Array.from({ length: 3 }, () => {
      const started = performance.now();
      for (let i = 0; i < 20; i++) isMissingPage(body, 'x', 10);
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
