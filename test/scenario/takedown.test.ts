/**
 * Takedown under fire (G1, G2): a page is taken down while the crawl keeps meeting links to it,
 * and is gone: from every file, from the lists, from what is asked, over restarts and requests.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFolder } from '../../src/compose.ts';
import type { Answers } from '../../src/crawl/answers.ts';
import { placesOf } from '../kit/folder-bytes.ts';
import {
  inventoryOf,
  openWebFor,
  orb,
  pageRequests,
  scratch,
  startOrb,
  type TestWeb,
  waitForRequests,
} from '../kit/index.ts';

const WEB = { seed: 71, hosts: 3, pages: 240, features: 'plain' as const, bodyBytes: 3_000 };
const FAST = ['--allow-private', '--rate', 'max'];

async function asking<T>(dir: string, ask: (answers: Answers) => Promise<T>): Promise<T> {
  const folder = await readFolder(dir);
  try {
    return await ask(folder.answers);
  } finally {
    await folder.close();
  }
}

/** Words that no other page has in this order: from the middle of its text. */
function wordsOf(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString();
  const at = Math.floor(text.length / 2);
  return [text.slice(at, at + 60), text.slice(at + 200, at + 260)];
}

function requestsFor(site: TestWeb, url: string): number {
  return pageRequests(site).filter((row) => row.url === url).length;
}

test('takedown under fire: gone from every file, never asked again, audited', async (t) => {
  const site = await openWebFor(t, WEB);
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, '--scope', 'any', ...site.flags, ...FAST];
  const crawl = startOrb(t, ['crawl', site.start, '--keep-fresh', '--limit', '100000', ...flags]);
  assert.ok(await waitForRequests(site, 60, () => crawl.isOver), crawl.stderr);
  const url = pageRequests(site)[12]?.url as string;
  const kept = pageRequests(site)[13]?.url as string;
  const body = await asking(dir, (answers) => answers.body(url));
  assert.ok(body, 'the page is stored');
  const words = wordsOf(body);
  const title = (await asking(dir, (answers) => answers.why(url))).record?.title as string;
  assert.ok(title.length > 3);

  const erased = await orb(t, [
    'erase',
    '--url',
    url,
    '--reason',
    'a\nb',
    '--by',
    'A',
    '--dir',
    dir,
  ]);
  assert.equal(erased.code, 0, erased.stderr);
  assert.match(erased.stdout, /1 records, 1 bodies, 1 events/);
  const asked = requestsFor(site, url);
  assert.ok(await waitForRequests(site, WEB.pages - 1, () => crawl.isOver), 'the crawl goes on');
  const again = await asking(dir, (answers) => answers.recrawl({ what: [url] }));
  assert.equal(again.asked, 0);
  const why = await asking(dir, (answers) => answers.why(url));
  assert.equal(why.verdict, 'denied');
  assert.match(why.story.join(' '), /was taken down by A on .*: a/);
  crawl.kill('SIGINT');
  await crawl.ended;

  assert.deepEqual(await placesOf(t, dir, [...words, title]), []);
  const other = await asking(dir, (answers) => answers.body(kept));
  assert.ok(other && other.length > 0, 'what shared its block is as it was');
  assert.deepEqual((await placesOf(t, dir, wordsOf(other))).length > 0, true, 'the look is real');
  await inventoryOf(t, dir);
  await asking(dir, async (answers) => {
    for await (const page of answers.pages({})) assert.notEqual(page.url, url);
    assert.equal(await answers.body(url), undefined);
    for await (const _ of answers.links({ url })) assert.fail('its links are gone');
  });

  await asking(dir, (answers) => answers.recrawl({ what: [], all: true }));
  const second = await orb(t, ['crawl', ...flags]);
  assert.equal(second.code, 0, second.stderr);
  assert.equal(requestsFor(site, url), asked, 'neither a restart nor a request brings it back');
  assert.ok(requestsFor(site, kept) > 1, 'others were asked again');
  assert.deepEqual(await placesOf(t, dir, words), []);
  await inventoryOf(t, dir);
  const whole = await orb(t, ['audit', 'verify', '--dir', dir]);
  assert.equal(whole.code, 0, whole.stdout);
});
