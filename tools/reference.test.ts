import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ERRORS } from '../src/base/errors.ts';
import { ENTRIES } from '../src/config/index.ts';
import { referencePages, stalePages } from './reference.ts';

test('reference: the committed pages are what the source prints', () => {
  assert.deepEqual(stalePages(), [], "run 'npm run reference'");
});

test('reference: pages that are missing are stale', () => {
  const stale = stalePages(fileURLToPath(new URL('./no-such-folder', import.meta.url)));
  const pages = ['settings.md', 'errors.md', 'exit-codes.md', 'columns.md', 'events.schema.json'];
  assert.deepEqual(stale, pages);
});

test('reference: every setting and every error has its place', () => {
  const pages = referencePages();
  for (const { key, environment } of ENTRIES) {
    assert.ok(pages.get('settings.md')?.includes(`### \`${key}\``), key);
    assert.ok(pages.get('settings.md')?.includes(`\`${environment}\``), environment);
  }
  for (const code of Object.keys(ERRORS)) assert.ok(pages.get('errors.md')?.includes(code), code);
});

test('reference --check: it ends with 0 when nothing differs', () => {
  const tool = fileURLToPath(new URL('./reference.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [tool, '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});
