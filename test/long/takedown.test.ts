/**
 * Takedown under fire (G1, G2): a page is taken down while the crawl keeps meeting links to it,
 * and is gone: from every file, from the lists, from what is asked, over restarts and requests.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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

const WEB = { seed: 71, hosts: 3, pages: 120, features: 'plain' as const, bodyBytes: 3_000 };
const FAST = ['--allow-private', '--rate', 'max'];

async function asking<T>(dir: string, ask: (answers: Answers) => Promise<T>): Promise<T> {
  const folder = await readFolder(dir);
  try {
    return await ask(folder.answers);
  } finally {
    await folder.close();
  }
}

/** Where one sentence ends and the next begins: no other page has the two together. */
function wordsOf(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString();
  const words = [...text.matchAll(/[a-z ]{25}\.(?: |<\/p>\s*<p>)[A-Za-z ]{15}/g)]
    .map(([found]) => found)
    .slice(0, 3);
  assert.equal(words.length, 3, text);
  return words;
}

/** It was asked for; soon it is settled, too. */
async function storedBody(dir: string, url: string): Promise<Uint8Array | undefined> {
  for (let asked = 0; asked < 500; asked++) {
    const body = await asking(dir, (answers) => answers.body(url));
    if (body !== undefined) return body;
  }
  return undefined;
}

function requestsFor(site: TestWeb, url: string): number {
  return pageRequests(site).filter((row) => row.url === url).length;
}

test('takedown under fire: gone from every file, never asked again, audited', async (t) => {
  const site = await openWebFor(t, WEB);
  const dir = join(await scratch(t), 'crawl');
  const flags = ['--dir', dir, '--scope', 'any', ...site.flags, ...FAST];
  const crawl = startOrb(t, ['crawl', site.start, '--keep-fresh', '--limit', '100000', ...flags]);
  assert.ok(await waitForRequests(site, 40, () => crawl.isOver), crawl.stderr);
  const url = pageRequests(site)[12]?.url as string;
  const kept = pageRequests(site)[13]?.url as string;
  const body = await storedBody(dir, url);
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
  const whole = await asking(dir, (answers) => answers.verifyTrail());
  assert.deepEqual(whole, { lines: 2, pending: 0 });
  await t.test('killed in the middle of an erasure: visible, ended later, the rest whole', (t) =>
    killedInErasure(t, site, dir),
  );
});

const SECRET = 'The secret of Zw8Qk3Vt is told here and nowhere else.';

/** Two pages that answer when they are told to; every request is noted with the host it is for. */
async function openGates(t: { after(end: () => unknown): void }) {
  const asked: string[] = [];
  const held: ServerResponse[] = [];
  let port = 0;
  const pages: Record<string, () => string> = {
    '/': () => '<a href="/secret">s</a> <a href="/gate">g</a>',
    '/secret': () => `<title>Zw8Qk3Vt</title><p>${SECRET}</p><a href="/from-secret">f</a>`,
    '/gate': () => `<a href="http://127.0.0.2:${port}/x">x</a> <a href="/last">l</a>`,
    '/last': () => 'last',
  };
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(`${headers.host?.split(':')[0]}${url}`);
    const page = pages[url];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' });
    if (url === '/secret' || url === '/gate') held.push(response);
    else response.end(page?.() ?? '');
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () => {
    for (const response of held) response.end(pages[response.req.url ?? '']?.());
  };
  return { asked, held, open, start: `http://127.0.0.1:${port}/`, port };
}

test('a page on its way, and a host not met yet: denied meanwhile, nothing is kept or asked', async (t) => {
  const gates = await openGates(t);
  const dir = join(await scratch(t), 'crawl');
  const { start } = gates;
  const flags = ['--scope', 'any', '--dir', dir, ...FAST];
  const crawl = startOrb(t, ['crawl', start, ...flags]);
  while (gates.held.length < 2) {
    assert.ok(!crawl.isOver, crawl.stderr);
    await new Promise(setImmediate);
  }
  await asking(dir, async (answers) => {
    const said = { reason: 'private', by: 'anna' };
    const report = await answers.takeDown({ url: `${start}secret`, ...said, erase: true });
    assert.equal(report.refused, undefined);
    const optOut = { host: '127.0.0.2', text: 'stop', by: 'them', optOut: true };
    assert.equal((await answers.complain(optOut)).total, 1);
  });
  gates.open();
  const end = await crawl.ended;
  assert.equal(end.code, 0, end.stderr);
  const asked = ['127.0.0.1/', '127.0.0.1/gate', '127.0.0.1/last', '127.0.0.1/robots.txt'];
  assert.deepEqual([...gates.asked].sort(), [...asked, '127.0.0.1/secret']);
  assert.deepEqual(await placesOf(t, dir, ['Zw8Qk3Vt', 'from-secret']), []);
  await inventoryOf(t, dir);
  await asking(dir, async (answers) => {
    assert.equal((await answers.why(`${start}secret`)).verdict, 'denied');
    const { denials, complaints } = await answers.compliance();
    assert.deepEqual([denials.length, complaints], [2, 1]);
  });
});

/** A part of a crawl folder: the trail grows by the intent, the packs by what is moved in them. */
async function bytesIn(dir: string, part: string): Promise<number> {
  const path = join(dir, part);
  const files = (await stat(path)).isDirectory() ? await readdir(path) : [''];
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(path, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** A host is erased in copies of a folder; the trail has some lines already. */
async function killedInErasure(t: TestContext, site: TestWeb, made: string): Promise<void> {
  const folder = await scratch(t);
  const host = new URL(site.start).hostname;
  const other = pageRequests(site).find(({ url }) => new URL(url).hostname !== host)?.url as string;
  const words = wordsOf((await asking(made, (answers) => answers.body(site.start))) as Buffer);
  for (const part of ['audit.jsonl', 'bodies']) {
    const dir = join(folder, `cut-at-${part}`);
    await cp(made, dir, { recursive: true });
    const before = await bytesIn(dir, part);
    const erasing = startOrb(t, ['erase', '--host', host, '--reason', 'r', '--dir', dir]);
    while (!erasing.isOver && (await bytesIn(dir, part)) === before);
    erasing.kill('SIGKILL');
    const wasKilled = (await erasing.ended).signal === 'SIGKILL';
    await asking(dir, async (answers) => {
      if (wasKilled) assert.equal((await answers.verifyTrail()).pending, 1, 'it can be seen');
      await answers.complain({ host: 'x.example', text: 't', by: 'b', optOut: false });
      assert.deepEqual((await answers.verifyTrail()).pending, 0);
      assert.equal((await answers.why(site.start)).record?.title, '');
      assert.ok(((await answers.body(other)) as Uint8Array).length > 0);
    });
    assert.deepEqual(await placesOf(t, dir, words), [], `killed when ${part} had changed`);
    await inventoryOf(t, dir);
  }
  const trail = join(folder, 'cut-at-audit.jsonl', 'audit.jsonl');
  const lines = (await readFile(trail, 'utf8')).split('\n');
  await writeFile(trail, lines.toSpliced(1, 1).join('\n'));
  const cut = await orb(t, ['audit', 'verify', '--dir', join(folder, 'cut-at-audit.jsonl')]);
  assert.deepEqual([cut.code, /^Line 2 of audit\.jsonl/.test(cut.stdout)], [1, true], cut.stdout);
}
