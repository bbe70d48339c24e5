/**
 * Signed crawls (P8): a site that knows nothing but the published directory can tell each of our
 * requests from a forgery. The referee is another implementation of RFC 9421.
 */
import assert from 'node:assert/strict';
import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createVerifier, httpbis } from 'http-message-signatures';
import { diskKeyFiles } from '../../src/adapters/node/key-files.ts';
import { type CrawlOptions, crawl } from '../../src/index.ts';
import { authorityOf, DIRECTORY_PATH, directoryOf } from '../../src/sign/index.ts';
import { openWeb, serveWeb, type WebOptions } from '../../testweb/index.ts';
import { scratch } from '../kit/index.ts';

const AGENT = 'https://bot.example';
const FEATURES = ['redirects', 'robots', 'errors', 'busy', 'sitemaps'] as const;
const SIZE = { seed: 12, hosts: 5, pages: 80, bodyBytes: 500, patienceSec: 0 } as const;

const PLAIN = { method: 'GET', headers: {}, atMs: 0 } as const;

type Fields = Record<string, string | string[]>;
type Answer = { status: number; headers: Fields };
type Question = { method: string; url: string; headers: Fields };
type Keys = ReadonlyMap<string, JsonWebKey>;

interface Heard {
  readonly url: string;
  readonly httpVersion: string;
  readonly headers: Fields;
}

interface Signing {
  readonly keyFile: string;
  /** The directory as a site gets it, over HTTP. */
  readonly directory: () => Promise<Response>;
}

async function openSigning(t: TestContext): Promise<Signing> {
  const keyFile = join(await scratch(t), 'key.json');
  const key = await diskKeyFiles('/').create(keyFile);
  const server = createServer((request, response) => {
    const { body, headers } = directoryOf([key], Date.now(), authorityOf(AGENT));
    const isThere = request.url === DIRECTORY_PATH;
    response.writeHead(isThere ? 200 : 404, headers).end(isThere ? body : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  return { keyFile, directory: () => fetch(`http://127.0.0.1:${port}${DIRECTORY_PATH}`) };
}

async function keysOf(response: Response): Promise<Keys> {
  const { keys } = (await response.json()) as { keys: (JsonWebKey & { kid: string })[] };
  return new Map(keys.map((key) => [key.kid, key]));
}

/** What the referee says: true, false, or null for a message without a signature. */
function verdictOn(
  keys: Keys,
  message: Question | Answer,
  about?: Question,
): Promise<boolean | null> {
  const keyLookup = async ({ keyid }: { keyid?: string }) => {
    const key = keys.get(keyid ?? '');
    if (key === undefined) return null;
    const verify = createVerifier(createPublicKey({ key, format: 'jwk' }), 'ed25519');
    return { algs: ['ed25519'], verify };
  };
  const requiredParams = ['created', 'expires', 'keyid', 'tag'];
  const config = { keyLookup, requiredParams, all: true };
  return 'status' in message
    ? httpbis.verifyMessage(config, message, about)
    : httpbis.verifyMessage(config, message);
}

async function crawlSigned(t: TestContext, web: WebOptions, more: CrawlOptions | object = {}) {
  const heard: Heard[] = [];
  const server = await serveWeb(openWeb({ ...SIZE, features: FEATURES, ...web }), {
    onRequest: ({ url, httpVersion, headers, socket }) => {
      const authority = String(headers[':authority'] ?? headers.host);
      const scheme = 'encrypted' in socket ? 'https' : 'http';
      const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':')) as never;
      const at = `${scheme}://${authority}${url}`;
      heard.push({ url: at, httpVersion, headers: Object.fromEntries(fields) });
    },
  });
  t.after(() => server.close());
  const options: CrawlOptions = {
    ...{ seeds: server.web.urlOf(0, 0), scope: 'any', allowPrivate: true, insecure: true },
    ...{ dns: [`127.0.0.1:${server.dnsPort}`], rate: 'max', backoff: '50ms', workers: 0 },
    ...more,
  };
  for await (const _page of crawl(options)) {
  }
  assert.equal(heard.length, server.log.length);
  return { heard, server };
}

async function everyOneIsOurs(heard: readonly Heard[], keys: Keys): Promise<void> {
  for (const { url, headers } of heard) {
    const verdict = await verdictOn(keys, { method: 'GET', url, headers });
    assert.equal(verdict, true, `${url} is signed`);
  }
}

const inputsOf = (heard: readonly Heard[]) =>
  heard.map(({ headers }) => String(headers['signature-input']));

for (const scheme of ['http', 'https'] as const) {
  const version = scheme === 'http' ? '1.1' : '2.0';
  test(`signed: a site verifies every request of a crawl over HTTP/${version}`, async (t) => {
    const { keyFile: signKey, directory } = await openSigning(t);
    const keys = await keysOf(await directory());
    const signing = { signKey, signatureAgent: AGENT };
    const { heard, server } = await crawlSigned(t, { scheme }, signing);
    await everyOneIsOurs(heard, keys);

    assert.deepEqual([...new Set(heard.map((one) => one.httpVersion))], [version]);
    assert.deepEqual(
      [...new Set(heard.map(({ headers }) => headers['signature-agent']))],
      [`sig1="${AGENT}"`],
    );
    const paths = heard.map(({ url }) => new URL(url).pathname);
    for (const path of [/^\/robots\.txt$/, /sitemap/, /^\/hop\//]) {
      assert.ok(
        paths.some((one) => path.test(one)),
        `${path} was asked for`,
      );
    }
    const [away = ''] = server.web.examples('redirect-away');
    const { location = '' } = server.web.answer({ url: away, ...PLAIN }).headers;
    assert.notEqual(new URL(location).host, new URL(away).host);
    const urls = new Set(heard.map(({ url }) => url));
    assert.ok(urls.has(away) && urls.has(location), `${away} led to ${location}`);
    const nonces = inputsOf(heard).map((input) => /nonce="([^"]+)"/.exec(input)?.[1]);
    assert.equal(new Set(nonces).size, heard.length, 'no signature is used twice');
    assert.ok(heard.length > urls.size, 'some were asked again');
  });
}

test('signed: what was signed for one host is a forgery at another, and ends in minutes', async (t) => {
  const { keyFile: signKey, directory } = await openSigning(t);
  const keys = await keysOf(await directory());
  const signing = { signKey, signatureAgent: AGENT, limit: 3 };
  const { heard } = await crawlSigned(t, { features: 'plain' }, signing);
  const [{ headers }] = heard as [Heard];
  const elsewhere = { method: 'GET', url: 'http://other.example/', headers };
  assert.equal(await verdictOn(keys, elsewhere), false);
  const [, created, expires] = /created=(\d+).*expires=(\d+)/.exec(inputsOf(heard)[0] ?? '') ?? [];
  assert.equal(Number(expires) - Number(created), 300);
});

test('signed: the older form, a bare string, verifies as well', async (t) => {
  const { keyFile: signKey, directory } = await openSigning(t);
  const keys = await keysOf(await directory());
  const signing = { signKey, signatureAgent: AGENT, signatureForm: 'string', limit: 3 };
  const { heard } = await crawlSigned(t, { features: 'plain' }, signing);
  await everyOneIsOurs(heard, keys);
  assert.equal(heard[0]?.headers['signature-agent'], `"${AGENT}"`);
});

test('unsigned: a crawl without a key carries none of the fields', async (t) => {
  const { heard } = await crawlSigned(t, { features: 'plain' }, { limit: 5 });
  assert.ok(heard.length >= 5);
  for (const { headers } of heard) {
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('signature')),
      [],
    );
  }
});

test('directory: its own signature verifies for its own host alone, and its digest is of its body', async (t) => {
  const { directory } = await openSigning(t);
  const response = await directory();
  assert.equal(
    response.headers.get('content-type'),
    'application/http-message-signatures-directory+json',
  );
  const keys = await keysOf(response.clone());
  const headers = Object.fromEntries(response.headers);
  const digest = createHash('sha256').update(await response.text());
  assert.equal(headers['content-digest'], `sha-256=:${digest.digest('base64')}:`);
  const message = { status: 200, headers };
  const asked = (origin: string) => ({ method: 'GET', url: origin + DIRECTORY_PATH, headers: {} });
  assert.equal(await verdictOn(keys, message, asked(AGENT)), true);
  assert.equal(await verdictOn(keys, message, asked('https://copy.example')), false);
});
