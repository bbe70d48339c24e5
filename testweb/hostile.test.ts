/** Each hostile page does, on a real socket, what its name says. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import * as zlib from 'node:zlib';
import { ask } from './brute-crawl.ts';
import { HOSTILE } from './hostile.ts';
import { serveWeb, type WebServer } from './serve.ts';
import { TRAP_LABELS } from './traps.ts';
import { openWeb } from './web.ts';

let server: WebServer;
before(async () => {
  server = await serveWeb(openWeb({ hosts: 3, pages: 60, features: 'hostile' }));
});
after(() => server.close());

test('hostile: every host has an honest root that names its bad page', async () => {
  for (const label of HOSTILE) {
    const special = server.web.specials.find((one) => one.label === label)!;
    const reply = await ask(special.root, () => special.address);
    assert.equal(reply.status, 200, label);
    assert.ok(reply.body.toString().includes(`href="/${label}"`), label);
  }
});

test('hostile: the root of host 0 leads to all of them', async () => {
  const { web } = server;
  const reply = await ask(web.urlOf(0, 0), () => web.hosts[0]!.address);
  for (const special of web.specials.filter((one) => one.linked)) {
    assert.ok(reply.body.toString().includes(`"${special.root}"`), special.label);
  }
});

test('hostile: drip sends one byte and keeps the connection', async () => {
  const { text, ended } = await raw('drip', (got) => /\r\n\r\n1\r\n.\r\n/.test(got));
  assert.match(text, /transfer-encoding: chunked/i);
  assert.equal(ended, false);
});

test('hostile: endless goes on past 50 MB', async () => {
  let bytes = 0;
  const { ended } = await raw(
    'endless',
    (got) => {
      bytes += got.length;
      return bytes > 50e6;
    },
    true,
  );
  assert.equal(ended, false);
});

test('hostile: header-flood sends headers past 20 MB and no end of them', async () => {
  let bytes = 0;
  let blank = false;
  await raw(
    'header-flood',
    (got) => {
      bytes += got.length;
      blank ||= got.includes('\r\n\r\n');
      return bytes > 20e6;
    },
    true,
  );
  assert.ok(bytes > 20e6);
  assert.equal(blank, false);
});

test('hostile: drip-head, silence, reset and garbage give no answer', async () => {
  assert.match((await raw('drip-head', (got) => got.endsWith('x-slow: '))).text, /^HTTP\/1.1 200/);
  assert.equal((await raw('garbage')).text, '220 mail.example ESMTP\r\n');
  const reset = await raw('reset');
  assert.equal(reset.text, '');
  assert.equal(reset.code, 'ECONNRESET');
  const special = server.web.specials.find((one) => one.label === 'silence')!;
  const seen = server.log.length;
  const socket = sendTo(special.address, server.port, special.hostName, '/silence');
  while (server.log.length === seen) await new Promise((next) => setImmediate(next));
  assert.equal(server.log.row(seen).endMs, Number.POSITIVE_INFINITY);
  assert.equal(socket.bytesRead, 0);
  socket.destroy();
});

test('hostile: lengths lie both ways', async () => {
  const long = await raw('length-long');
  const short = await raw('length-short');
  for (const { text, declared, more } of [
    { text: long.text, declared: 100_000, more: false },
    { text: short.text, declared: 1_000, more: true },
  ]) {
    assert.match(text, new RegExp(`content-length: ${declared}\r\n`));
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    assert.equal(body.length > declared, more);
  }
});

test('hostile: broken-chunk breaks, cut closes half-way', async () => {
  const broken = await raw('broken-chunk', (got) => got.endsWith('not a size\r\n'));
  assert.match(broken.text, /\r\nZZZ\r\n/);
  const cut = await raw('cut');
  assert.ok(!cut.text.endsWith('0\r\n\r\n'));
  assert.ok(cut.ended || cut.code === 'ECONNRESET');
});

test('hostile: bombs are small and unfold past 64 MB', () => {
  const undo = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync };
  for (const [coding, unpack] of Object.entries(undo)) {
    const answer = server.web.answer({
      url: server.web.hostile.urlOf(`bomb-${coding}`),
      method: 'GET',
      headers: {},
      atMs: 0,
    });
    assert.ok(answer.body.kind === 'whole');
    assert.ok(answer.body.bytes.length < 1.2e6, `${coding}: ${answer.body.bytes.length}`);
    assert.equal(answer.headers['content-encoding'], coding);
    const { bytes } = answer.body;
    assert.throws(() => unpack(bytes, { maxOutputLength: 64 * 1024 * 1024 - 1 }), {
      code: 'ERR_BUFFER_TOO_LARGE',
    });
  }
});

test('hostile: a million links, a hundred thousand tags', async () => {
  let links = 0;
  const special = server.web.specials.find((one) => one.label === 'million-links')!;
  const answer = special.answer('/million-links', {
    url: special.target,
    method: 'GET',
    headers: {},
    atMs: 0,
  });
  assert.ok(answer.body.kind === 'stream');
  for (const chunk of answer.body.chunks()) {
    links += Buffer.from(chunk).toString('latin1').split('<a ').length - 1;
  }
  assert.equal(links, 1_000_000);
  const nested = await raw('nested');
  assert.equal(nested.text.split('<div>').length - 1, 100_000);
});

test('hostile: redirects point inside, by every spelling', async () => {
  const where = async (label: string) => {
    const special = server.web.specials.find((one) => one.label === label)!;
    const reply = await ask(special.target, () => special.address);
    return String(reply.headers.location);
  };
  const { port } = server;
  assert.equal(await where('redirect-loopback'), `http://127.0.0.1:${port}/secret`);
  assert.equal(await where('redirect-ipv6'), `http://[::1]:${port}/secret`);
  assert.equal(await where('redirect-mapped'), `http://[::ffff:127.0.0.1]:${port}/secret`);
  assert.equal(await where('redirect-metadata'), 'http://169.254.169.254/latest/meta-data/');
  const inside = server.web.resolve(new URL(await where('redirect-name')).hostname);
  assert.deepEqual(inside, { kind: 'address', address: '127.0.0.1' });
  assert.equal(await where('redirect-circle'), '/circle');
});

test('traps: each page of a trap leads deeper, and the honest pages are there', () => {
  for (const label of TRAP_LABELS) {
    const special = server.web.specials.find((one) => one.label === label)!;
    const seen = new Set<string>([special.target]);
    const queue = [special.target];
    while (queue.length > 0 && seen.size < 300) {
      const url = queue.shift()!;
      const answer = server.web.answer({ url, method: 'GET', headers: {}, atMs: 0 });
      assert.equal(answer.status, 200, url);
      assert.ok(answer.body.kind === 'whole');
      const html = Buffer.from(answer.body.bytes).toString();
      for (const [, href] of html.matchAll(/href="([^"]*)"/g)) {
        const link = new URL(href!.replaceAll('&amp;', '&'), url).href;
        if (!seen.has(link)) queue.push(link);
        seen.add(link);
      }
    }
    assert.ok(seen.size >= 300, label);
    for (const url of special.honest) {
      assert.equal(server.web.answer({ url, method: 'GET', headers: {}, atMs: 0 }).status, 200);
    }
  }
});

interface Heard {
  readonly text: string;
  readonly ended: boolean;
  readonly code: string | undefined;
}

/** Asks for a label's page by hand and listens until `enough`, the end, or an error. */
function raw(
  label: string,
  enough: (text: string) => boolean = () => false,
  pieces = false,
): Promise<Heard> {
  const special = server.web.specials.find((one) => one.label === label)!;
  const socket = sendTo(special.address, server.port, special.hostName, `/${label}`);
  let text = '';
  return new Promise((done) => {
    const finish = (ended: boolean, code?: string): void => {
      socket.destroy();
      done({ text, ended, code });
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      if (!pieces) text += chunk;
      if (enough(pieces ? chunk : text)) finish(false);
    });
    socket.on('end', () => finish(true));
    socket.on('error', (error: NodeJS.ErrnoException) => finish(false, error.code));
  });
}

function sendTo(address: string, port: number, host: string, path: string) {
  const socket = connect({ host: address, port });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
  return socket;
}
