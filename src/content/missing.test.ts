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

test('missing: hostile markup costs no time', () => {
  const started = performance.now();
  for (const piece of ['<script', '<!--', '<', 'page ', '404 ', '<head><style>']) {
    isMissingPage(Buffer.from(piece.repeat(16_000 / piece.length)), piece, 10);
  }
  assert.ok(performance.now() - started < 500, `${performance.now() - started} ms`);
});
