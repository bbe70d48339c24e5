/** What is served of the dashboard, and for how long a browser may keep it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashboardFile, openDashboard } from './files.ts';

test('dashboard files: the page is asked for each time, what has a hash in its name never again', async () => {
  const files = await openDashboard();
  const page = dashboardFile(files, '/');
  assert.equal(page?.type, 'text/html; charset=utf-8');
  assert.equal(page?.cache, 'no-cache');
  const html = Buffer.from(page.bytes).toString('utf8');
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] as string);
  assert.ok(named.length >= 3);
  for (const name of named) assert.match(dashboardFile(files, name)?.cache ?? '', /immutable/);
  assert.equal(dashboardFile(files, '/assets/licenses.txt')?.cache, 'no-cache');
});

test('dashboard files: nothing inline, nothing from elsewhere, nothing beside them', async () => {
  const files = await openDashboard();
  const html = Buffer.from(dashboardFile(files, '/')?.bytes ?? []).toString('utf8');
  assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)|(?:src|href)="https?:/);
  for (const path of ['/../package.json', '/assets/../index.html', '/assets/', '/nothing']) {
    assert.equal(dashboardFile(files, path), undefined, path);
  }
});
