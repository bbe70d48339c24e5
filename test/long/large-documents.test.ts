/**
 * A PDF of 500 MB (X2, B3): cut at the limit on bodies with the reason recorded, in bounded
 * memory, and the crawl goes on. Beside it, hostile documents through the whole path.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { encryptedPdf, onePage, pdfWithTable } from '../../src/document/pdf/pdf.testkit.ts';
import { FLAGS } from '../../src/record/index.ts';
import { orb, recordsOf, scratch } from '../kit/index.ts';

const MB = 1024 * 1024;
const LARGE_BYTES = 500 * MB;
const FAST = ['--allow-private', '--rate', 'max', '--scope', 'host'];
const HELLO = 'BT /F1 12 Tf 72 700 Td (Hello, see https://b.example/x) Tj ET';
/** Its words stand at the start; a picture makes up the rest. */
const HEAD = pdfWithTable(onePage(HELLO));

interface Page {
  readonly type: string;
  readonly body: Uint8Array;
}

/** Counts what of `/large.pdf` went out, as the kernel took it. */
async function openSite(t: TestContext, pages: Readonly<Record<string, Page>>) {
  const told = { largeBytes: 0 };
  const links = ['/large.pdf', ...Object.keys(pages), '/after.html'];
  const home = links.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  const html = (text: string) => ({ type: 'text/html', body: Buffer.from(text) });
  const all: Record<string, Page> = {
    ...{ '/': html(home), '/after.html': html('<title>After</title>words') },
    ...pages,
  };
  const server = createServer(({ url = '/' }, reply) => {
    if (url === '/large.pdf') return sendLarge(reply, told);
    const page = all[url];
    reply.statusCode = page === undefined ? 404 : 200;
    reply.setHeader('content-type', page?.type ?? 'text/plain');
    reply.end(page?.body);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { told, start: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function sendLarge(reply: ServerResponse, told: { largeBytes: number }): void {
  reply.writeHead(200, { 'content-type': 'application/pdf', 'content-length': LARGE_BYTES });
  const part = Buffer.alloc(64 * 1024, 'x');
  function* parts() {
    for (let sent = 0; sent < LARGE_BYTES; sent = told.largeBytes) {
      const bytes = sent === 0 ? HEAD : part.subarray(0, LARGE_BYTES - sent);
      told.largeBytes = sent + bytes.length;
      yield bytes;
    }
  }
  // That the other side hangs up is what is expected.
  pipeline(Readable.from(parts()), reply, () => {});
}

test('large documents: 500 MB are cut at the limit, hostile ones have their reason, the rest is crawled', async (t) => {
  const deep = `/X ${'<</A '.repeat(10_000)}${'>>'.repeat(10_000)}`;
  const pdf = (body: Uint8Array): Page => ({ type: 'application/pdf', body });
  const site = await openSite(t, {
    '/deep.pdf': pdf(pdfWithTable(onePage(HELLO, { page: deep }))),
    '/open.pdf': pdf(encryptedPdf(HELLO, 'aes-128')),
    '/locked.pdf': pdf(encryptedPdf(HELLO, 'rc4-128', 'secret')),
    '/paper.pdf.gz': { type: 'application/gzip', body: gzipSync(HEAD) },
    '/code.tar.gz': { type: 'application/gzip', body: gzipSync(Buffer.alloc(10_240)) },
  });
  const dir = join(await scratch(t), 'crawl');
  const end = await orb(t, ['crawl', site.start, '--dir', dir, ...FAST]);
  assert.equal(end.code, 0, end.stderr);
  const { urls } = await recordsOf(t, dir);
  const at = (path: string) => [...urls.values()].find(({ url }) => url.endsWith(path));

  const large = at('/large.pdf');
  assert.deepEqual(
    [large?.state, (large?.flags ?? 0) & FLAGS.truncated],
    ['indexed', FLAGS.truncated],
  );
  assert.match(large?.reason ?? '', /^pdf: .*cut off/);
  assert.ok((large?.bodyBytes ?? 0) <= 10 * MB, `${large?.bodyBytes} bytes are kept`);
  assert.ok(site.told.largeBytes < 40 * MB, `${site.told.largeBytes} bytes were sent`);
  assert.ok(end.maxRssBytes < 500 * MB, `${Math.round(end.maxRssBytes / MB)} MB at most`);

  assert.equal(at('/after.html')?.title, 'After');
  assert.deepEqual(
    ['/deep.pdf', '/open.pdf', '/locked.pdf', '/paper.pdf.gz'].map((path) => at(path)?.reason),
    ['', '', 'pdf: encrypted with a password', ''],
  );
  assert.equal(at('/code.tar.gz')?.bodyBytes, 0, 'an archive stops at the headers');

  const shown = await orb(t, ['pages', '--dir', dir, '--format', 'markdown']);
  const count = shown.stdout.split('Hello, see https://b.example/x').length - 1;
  assert.equal(count, 4, shown.stdout);
});
