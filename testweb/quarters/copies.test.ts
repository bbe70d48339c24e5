/** Labels of copies, checked against the words that stand on the pages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebAnswer } from '../exchange.ts';
import { openWeb } from '../web.ts';
import { EDITS } from './copies.ts';
import { editedProse, proseOf } from './prose.ts';
import { type QuarterName, sameText } from './quarter.ts';

const AT = Date.UTC(2026, 0, 1);
const web = openWeb({
  ...{ seed: 4, hosts: 1, pages: 4, features: 'plain' },
  quarters: {
    ...{ mirror: { pages: 20 }, printer: { pages: 20 }, syndicated: { pages: 21 } },
    ...{
      archive: { pages: 40 },
      edited: { pages: 70 },
      template: { pages: 40 },
      farm: { pages: 40 },
    },
  },
});

interface Page {
  readonly url: string;
  readonly bytes: string;
  readonly words: readonly string[];
}

const pagesOf = (kind: QuarterName): Page[] => web.urlsIn(kind).map(pageAt);

function pageAt(url: string): Page {
  const bytes = textOf(web.answer({ url, method: 'GET', headers: {}, atMs: AT }));
  const words =
    bytes
      .replace(/<[^>]*>/g, ' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return { url, bytes, words };
}

const textOf = ({ body }: WebAnswer) =>
  body.kind === 'whole' ? Buffer.from(body.bytes).toString() : '';

/** Of the rows of three words on the longer page, the share that is on the other, too. */
function agreement(a: Page, b: Page): number {
  const [one, two] = [shingles(a), shingles(b)];
  let shared = 0;
  for (const row of one) if (two.has(row)) shared++;
  return shared / Math.max(one.size, two.size);
}

function shingles({ words }: Page): Set<string> {
  return new Set(words.map((word, at) => `${word} ${words[at + 1]} ${words[at + 2]}`));
}

test('edits: the share of replaced words is exact', () => {
  const prose = proseOf(1, 40);
  const words = prose.join(' ').split(' ');
  for (const share of EDITS) {
    const { paragraphs, edited } = editedProse(prose, share, 7);
    const next = paragraphs.join(' ').split(' ');
    const differ = words.filter((word, at) => word !== next[at]).length;
    assert.equal(differ, Math.floor(words.length * share));
    assert.equal(edited, differ / words.length);
  }
});

test('mirror: a host under another name, byte by byte, and labelled so', () => {
  const pages = pagesOf('mirror');
  const half = pages.length / 2;
  for (let at = 0; at < half; at++) {
    const [one, two] = [pages[at]!, pages[at + half]!];
    assert.equal(one.bytes, two.bytes);
    assert.ok(sameText(web.labelOf(one.url)!, web.labelOf(two.url)!));
    assert.notEqual(new URL(one.url).host, new URL(two.url).host);
  }
});

test('copies: labels agree with the words: what is called the same shares nearly all of them', () => {
  for (const kind of ['printer', 'syndicated', 'archive', 'edited', 'template'] as const) {
    const pages = pagesOf(kind).filter(({ words }) => words.length > 200);
    let same = 0;
    for (const [at, one] of pages.entries()) {
      for (const two of pages.slice(at + 1)) {
        const [a, b] = [web.labelOf(one.url)!, web.labelOf(two.url)!];
        if (sameText(a, b)) same++;
        if (kind === 'template') continue;
        const shared = agreement(one, two);
        if (sameText(a, b)) assert.ok(shared > 0.8, `${one.url} ${two.url} ${shared}`);
        else if (a.text !== b.text) assert.ok(shared < 0.3, `${one.url} ${two.url} ${shared}`);
      }
    }
    assert.equal(same > 0, kind !== 'template', kind);
  }
});

test('edited: seven versions of each text, and only the near ones count as copies', () => {
  const labels = pagesOf('edited').flatMap(({ url }) => {
    const label = web.labelOf(url)!;
    return label.text.startsWith('edited:') ? [label] : [];
  });
  assert.equal(labels.length, 70);
  const versions = labels.filter(({ text }) => text === labels[0]!.text);
  assert.equal(versions.length, EDITS.length);
  const near = versions.filter((label) => sameText(label, labels[0]!));
  assert.equal(near.length, 4, '0, 1, 2 and 2.9%');
});

test('farm: hundreds of pages whose texts differ by a word in fifty or less', () => {
  const pages = pagesOf('farm').filter(({ url }) => web.labelOf(url)?.role === 'farm');
  for (const page of pages.slice(1)) assert.ok(agreement(pages[0]!, page) > 0.9, page.url);
  assert.equal(new Set(pages.map(({ bytes }) => bytes)).size, pages.length);
});

test('template: most words of a page are its template’s, and no two pages share their own', () => {
  const articles = pagesOf('template').filter(({ url }) =>
    web.labelOf(url)?.text.startsWith('art'),
  );
  const [one, two] = [articles[1]!, articles[2]!];
  const shared = one.bytes.split(/\s+/).filter((word) => two.bytes.split(/\s+/).includes(word));
  assert.ok(shared.length > 250, `${shared.length}`);
  assert.notEqual(web.labelOf(one.url)!.text, web.labelOf(two.url)!.text);
});
