/**
 * Near-duplicates in a crawl (C2): mirrors, printer versions, syndicated and edited copies,
 * archives and honest templates, judged by the web's own labels.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { FLAGS, type UrlRecord } from '../../src/record/index.ts';
import { type Label, sameText, type Web } from '../../testweb/index.ts';
import { keyText, openWebFor, orb, type Records, recordsOf, scratch } from '../kit/index.ts';

const FAST = ['--scope', 'any', '--allow-private', '--rate', 'max'];
const WEB = {
  ...{ seed: 17, hosts: 2, pages: 20, features: 'plain' as const },
  quarters: {
    ...{ mirror: { hosts: 1, pages: 60 }, printer: { pages: 80 }, syndicated: { pages: 90 } },
    ...{ archive: { pages: 100 }, edited: { pages: 140 }, template: { hosts: 2, pages: 80 } },
  },
};
/** Between 3% and this, calling it a copy is neither asked for nor wrong. */
const GREY_MAX = 0.15;

interface Page {
  readonly record: UrlRecord;
  readonly label: Label;
  /** What the crawl says that it repeats. */
  readonly original: Page | undefined;
}

function pagesOf(web: Web, { urls, byKey }: Records): Page[] {
  const known = new Map<string, { record: UrlRecord; label: Label; original: Page | undefined }>();
  for (const [url, record] of urls) {
    const label = web.labelOf(url);
    if (label !== undefined) known.set(url, { record, label, original: undefined });
  }
  const byHash = new Map<string, Page>();
  for (const page of [...known.values()].sort(byFetch)) {
    const { original, contentHash } = page.record;
    const near = original.length > 0 ? byKey.get(keyText(original)) : undefined;
    const hash = keyText(contentHash);
    page.original = near === undefined ? byHash.get(hash) : known.get(near.url);
    if (!byHash.has(hash)) byHash.set(hash, page);
  }
  return [...known.values()];
}

const byFetch = (a: { record: UrlRecord }, b: { record: UrlRecord }): number =>
  a.record.lastFetchedAt - b.record.lastFetchedAt;

const isNear = ({ record }: Page): boolean => (record.flags & FLAGS.near_duplicate) !== 0;
const isText = ({ label }: Page): boolean => !label.text.startsWith('list:');

test('copies: of all kinds, at least 95% are found and 95% of what is found is right', async (t) => {
  const { web, start, flags } = await openWebFor(t, WEB);
  const dir = join(await scratch(t), 'crawl');
  const end = await orb(t, ['crawl', start, '--dir', dir, ...flags, ...FAST]);
  assert.equal(end.code, 0, end.stderr);
  const pages = pagesOf(web, await recordsOf(t, dir)).filter(isText);

  const found = copiesIn(pages);
  const recall = 1 - found.missed.length / found.copies.length;
  const precision = 1 - found.wrong.length / found.called.length;
  for (const kind of KINDS) {
    const [copies, missed] = [found.copies, found.missed].map((list) => countOf(list, kind));
    t.diagnostic(`${kind}: ${copies! - missed!} of ${copies} copies found`);
  }
  t.diagnostic(`recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}`);
  assert.ok(found.copies.length > 200, `${found.copies.length} copies are a test`);
  assert.ok(recall >= 0.95, `recall ${recall}: ${some(found.missed)}`);
  assert.ok(precision >= 0.95, `precision ${precision}: ${some(found.wrong)}`);

  const template = pages.filter(({ record }) => record.url.includes('template-'));
  assert.ok(template.length > 150);
  assert.deepEqual(
    template.filter(isNear).map(({ record }) => record.url),
    [],
    'unrelated pages of one template',
  );
});

const KINDS = ['mirror', 'printer', 'syndicated', 'archive', 'edited'];
const some = (pages: readonly Page[]): string =>
  pages
    .slice(0, 9)
    .map(({ record }) => record.url)
    .join('\n');
const countOf = (pages: readonly Page[], kind: string): number =>
  pages.filter(({ record }) => record.url.includes(`//www.${kind}-`)).length;

/** A copy is a page whose text was fetched before, with under 3% of its words changed. */
function copiesIn(pages: readonly Page[]) {
  const copies: Page[] = [];
  const earlier = new Map<string, Page[]>();
  for (const page of [...pages].sort(byFetch)) {
    const before = earlier.get(page.label.text) ?? [];
    earlier.set(page.label.text, [...before, page]);
    if (before.some(({ label }) => sameText(label, page.label))) copies.push(page);
  }
  const called = pages.filter(({ original }) => original !== undefined);
  const missed = copies.filter(({ original }) => original === undefined);
  const isRight = ({ label, original }: Page) => sameText(label, original!.label, GREY_MAX);
  return { copies, called, missed, wrong: called.filter((page) => !isRight(page)) };
}
