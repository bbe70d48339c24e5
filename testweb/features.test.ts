/** Each kind of page does what its name says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as zlib from 'node:zlib';
import { linksIn } from './brute-crawl.ts';
import type { WebAnswer } from './exchange.ts';
import { BUSY, PAGE_NATURES } from './nature.ts';
import { BENIGN, HARSH } from './options.ts';
import { openWeb, type Web } from './web.ts';

const AT = Date.UTC(2026, 0, 1);
const web = openWeb({ seed: 3, hosts: 120, pages: 20_000, features: [...BENIGN, 'server-errors'] });

test('web: the same seed gives the same bytes, another seed another web', () => {
  const again = openWeb({
    seed: 3,
    hosts: 120,
    pages: 20_000,
    features: [...BENIGN, 'server-errors'],
  });
  const other = openWeb({ seed: 4, hosts: 120, pages: 20_000 });
  for (const resource of [0, 1, 17, 100, 400]) {
    const url = web.urlOf(2, resource);
    assert.equal(again.urlOf(2, resource), url);
    assert.deepEqual(get(again, url), get(web, url));
  }
  assert.notEqual(text(get(other, other.urlOf(0, 0))), text(get(web, web.urlOf(0, 0))));
});

test('web: every numbered page has a path of its own that leads back to it', () => {
  const seen = new Set<string>();
  for (const host of web.hosts) {
    for (let page = 0; page < host.size; page++) {
      const url = web.urlOf(host.index, page);
      assert.ok(!seen.has(url), url);
      seen.add(url);
      assert.equal(web.describe(url)?.resource, page, url);
    }
  }
  assert.equal(seen.size, 20_000);
});

test('web: every kind of page has an example', () => {
  for (const nature of PAGE_NATURES) {
    const [url] = web.examples(nature);
    assert.ok(url !== undefined, nature);
    assert.equal(web.describe(url)?.nature, nature);
  }
});

test('web: pages hold 30 to 60 links and 8 to 21 KB, and no link of the graph is lost in HTML', () => {
  for (const url of web.examples('page', 80)) {
    const html = text(get(web, url));
    assert.ok(html.length > 8_000 && html.length < 21_000, `${url}: ${html.length}`);
    const links = linksIn(html, url);
    assert.ok(links.length >= 30 && links.length <= 75, `${url}: ${links.length}`);
    for (const link of links) {
      const asked = get(web, link);
      assert.ok(asked.resource >= 0, `${url} links to ${link}, which nothing answers`);
    }
  }
});

test('redirects: each status redirects, a chain ends, a loop returns, a long one has nine hops', () => {
  for (const status of [301, 302, 307, 308]) {
    const [url] = web.examples(`redirect-${status}` as 'redirect-301');
    assert.equal(get(web, url!).status, status);
    assert.equal(follow(url!).at(-1)!.status, 200);
  }
  const chain = follow(web.examples('redirect-chain')[0]!);
  assert.ok(chain.length >= 3 && chain.at(-1)!.status === 200);
  const long = follow(web.examples('redirect-long')[0]!);
  assert.equal(long.length, 10);
  const [loop] = web.examples('redirect-loop');
  assert.equal(follow(loop!)[3]!.url, loop);
  const [away] = web.examples('redirect-away');
  const [from, to] = follow(away!);
  assert.notEqual(new URL(from!.url).host, new URL(to!.url).host);
});

test('errors: a page answers the status in its name', () => {
  for (const status of [403, 404, 410, 451, 500]) {
    const [url] = web.examples(`status-${status}` as 'status-404');
    assert.equal(get(web, url!).status, status);
  }
});

test('busy: the first request is refused with its kind of Retry-After, the second is served', () => {
  for (const nature of BUSY) {
    const [url] = web.examples(nature);
    const [, status, how] = nature.split('-');
    const first = get(web, url!);
    assert.equal(first.status, Number(status));
    const after = first.headers['retry-after'];
    if (how === 'seconds') assert.equal(after, '1');
    if (how === 'date') assert.ok(Date.parse(after!) >= AT + 1_000);
    if (how === 'silent') assert.equal(after, undefined);
    assert.equal(get(web, url!, {}, 1).status, 200);
  }
});

test('copies: twins are equal byte by byte, mirrors too, near copies share most of their text', () => {
  const bodies = web.examples('twin', 200).map((url) => text(get(web, url)));
  assert.ok(new Set(bodies).size < bodies.length);
  const mirror = web.hosts.find((host, at) => web.hosts[at - 1]?.seed === host.seed)!;
  const same = [5, 6, 7, 8, 9, 10].map((page) => {
    const own = text(get(web, web.urlOf(mirror.index, page)));
    return own === text(get(web, web.urlOf(mirror.index - 1, page)));
  });
  assert.ok(same.filter(Boolean).length >= 5, String(same));
  const near = web.examples('near', 60).filter((url) => url.startsWith(web.hosts[0]!.origin));
  const words = near.map((url) => new Set(text(get(web, url)).split('. ')));
  const shared = words.some((one, at) =>
    words.some((two, other) => at !== other && overlap(one, two) > 0.5),
  );
  assert.ok(shared);
});

test('charsets: bytes decode in the charset that the page declares', () => {
  const cyrillic = /[а-я]{3}/;
  for (const [nature, charset, pattern] of [
    ['windows-1251', 'windows-1251', cyrillic],
    ['shift_jis', 'shift_jis', /[ぁ-んァ-ヶ東日]/],
    ['utf-16', 'utf-16le', cyrillic],
    ['wrong-meta', 'utf-8', cyrillic],
  ] as const) {
    const answer = get(web, web.examples(nature)[0]!);
    const title = /<title>(.*)<\/title>/.exec(new TextDecoder(charset).decode(bytes(answer)))![1]!;
    assert.match(title, pattern, nature);
    assert.ok(!title.includes('\ufffd'), nature);
  }
});

test('changes: a page changes once an interval, and its validators say so', () => {
  const [url] = web.examples('changing');
  const now = web.describe(url!, AT)!;
  const then = now.changedAtMs + now.changesEveryMs!;
  const first = web.answer({ url: url!, method: 'GET', headers: {}, atMs: then - 1 });
  const etag = first.headers.etag!;
  const ask = (atMs: number) =>
    web.answer({ url: url!, method: 'GET', headers: { 'if-none-match': etag }, atMs });
  assert.equal(ask(then - 1).status, 304);
  assert.equal(ask(then).status, 200);
  assert.equal(web.describe(url!, then)!.version, now.version + 1);
  assert.notEqual(text(ask(then)), text(first));
});

test('encodings: a host compresses when asked to, and the bytes unfold to the same page', () => {
  const undo = {
    gzip: zlib.gunzipSync,
    deflate: zlib.inflateSync,
    br: zlib.brotliDecompressSync,
    zstd: (data: Uint8Array) => zlib.zstdDecompressSync(data),
  };
  for (const coding of ['gzip', 'deflate', 'br', 'zstd'] as const) {
    const big = openWeb({ hosts: 400, pages: 4_000, features: ['encodings'] });
    const host = big.hosts.find((one) => one.coding === coding)!;
    const url = big.urlOf(host.index, 0);
    const packed = get(big, url, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    assert.equal(packed.headers['content-encoding'], coding);
    assert.equal(undo[coding](bytes(packed)).toString(), text(get(big, url)));
    assert.equal(get(big, url).headers['content-encoding'], undefined);
  }
});

test('documents and directives: types, tags and headers are as named', () => {
  const one = (nature: (typeof PAGE_NATURES)[number]) => get(web, web.examples(nature)[0]!);
  assert.ok(text(one('pdf')).startsWith('%PDF-1.4'));
  assert.equal(one('pdf').headers['content-type'], 'application/pdf');
  assert.equal(one('binary-as-html').headers['content-type'], 'text/html');
  assert.match(one('plain-text').headers['content-type']!, /^text\/plain/);
  assert.match(text(one('script-only')), /<div id="root"><\/div>/);
  assert.match(text(one('soft-404')), /not found/);
  assert.match(text(one('meta-noindex')), /<meta name="robots" content="noindex">/);
  assert.match(text(one('meta-nofollow')), /NoFollow/);
  assert.equal(one('x-robots').headers['x-robots-tag'], 'noindex, nofollow');
  assert.ok(one('slow').delayMs >= 600);
});

test('web: every feature can be asked for alone', () => {
  for (const feature of [...BENIGN, ...HARSH]) {
    const alone = openWeb({ hosts: 30, pages: 600, features: [feature] });
    assert.equal(get(alone, alone.urlOf(0, 0)).status, 200, feature);
    assert.ok(alone.truth().count('page') > 400, feature);
  }
});

test('web: other methods than GET and HEAD are not allowed, other hosts are misdirected', () => {
  const url = web.urlOf(0, 0);
  assert.equal(web.answer({ url, method: 'POST', headers: {}, atMs: AT }).status, 405);
  assert.equal(get(web, 'http://elsewhere.test/').status, 421);
});

function get(from: Web, url: string, headers: Record<string, string> = {}, asked = 0): WebAnswer {
  return from.answer({ url, method: 'GET', headers, atMs: AT, asked });
}

function bytes(answer: WebAnswer): Uint8Array {
  assert.equal(answer.body.kind, 'whole');
  return answer.body.kind === 'whole' ? answer.body.bytes : new Uint8Array();
}

const text = (answer: WebAnswer): string => Buffer.from(bytes(answer)).toString();

function follow(url: string): { url: string; status: number }[] {
  const hops: { url: string; status: number }[] = [];
  for (let at = url; hops.length < 12; ) {
    const answer = get(web, at);
    hops.push({ url: at, status: answer.status });
    if (answer.headers.location === undefined) return hops;
    at = new URL(answer.headers.location, at).href;
  }
  return hops;
}

function overlap(one: ReadonlySet<string>, two: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of one) if (two.has(item)) shared++;
  return shared / Math.max(one.size, two.size);
}
