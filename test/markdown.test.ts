/**
 * Real documentation as Markdown: pages of many generators, each with a text that a person has
 * read and found good (test/fixtures/markdown/, whose NOTICE.md says whose they are).
 *
 * After a change of the writer, look at what became of them before you take it over:
 *   UPDATE_FIXTURES=1 npm test -- markdown && git diff test/fixtures/markdown
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toMarkdown } from '../src/readable/index.ts';

const FOLDER = join(import.meta.dirname, 'fixtures', 'markdown');
const PAGES: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(FOLDER, 'pages.json'), 'utf8'),
);

for (const [name, url] of Object.entries(PAGES)) {
  test(`markdown: ${name} reads as it was reviewed`, () => {
    const markdown = toMarkdown(readFileSync(join(FOLDER, `${name}.html`)), url);
    const reviewed = join(FOLDER, `${name}.md`);
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(reviewed, markdown);
    assert.equal(markdown, readFileSync(reviewed, 'utf8'));
  });
}

test('markdown: there are 20 reviewed pages at least', () => {
  assert.ok(Object.keys(PAGES).length >= 20);
});
