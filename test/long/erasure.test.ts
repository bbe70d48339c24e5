/**
 * Erasure against a crawl that does everything at once (G1, G2), from a seed: pages change with
 * every visit, keep naming what was erased, redirect to it and repeat it; URLs, a pattern and a
 * host are erased, once in a process that is killed meanwhile; all is asked again and again.
 * Afterwards the server's log and every byte of the folder are looked through.
 *
 * ORB_SEED=7 npm test -- erasure    another story
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { seededRandom } from '../../src/base/random.ts';
import { urlKeyOf } from '../../src/record/index.ts';
import { placesOf } from '../kit/folder-bytes.ts';
import { inventoryOf, type OrbRun, orb, scratch, startOrb } from '../kit/index.ts';

const PAGES = 40;
const HOSTS = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
const PROSE = 'The quick brown fox jumps over the lazy dog while rain falls on old roofs. '.repeat(
  6,
);

type Random = ReturnType<typeof seededRandom>;

/** In the body and the title of a page, and in no address. */
function markOf(host: string, n: number): string {
  return `Zk${HOSTS.indexOf(host)}q${n}wv`;
}

async function openWeb(t: TestContext, random: Random) {
  const asked: string[] = [];
  let port = 0;
  const below = (n: number) => Math.floor(random.next() * n);
  const urlOf = (host: number, n: number) => `http://${HOSTS[host]}:${port}/p/${n}.html`;
  const server = createServer(({ url = '', headers }, response) => {
    const host = headers.host?.split(':')[0] as string;
    asked.push(`http://${headers.host}${url}`);
    const n = Number(/^\/p\/(\d+)\.html$/.exec(url)?.[1] ?? Number.NaN);
    if (Number.isNaN(n))
      return void response.writeHead(url === '/' ? 302 : 404, { location: '/p/0.html' }).end();
    if (n % 10 === 9)
      return void response.writeHead(302, { location: urlOf(below(3), n - 8) }).end();
    const links = Array.from(
      { length: 12 },
      () => `<a href="${urlOf(below(3), below(PAGES))}">to</a>`,
    );
    const visit = asked.length;
    // Every fifth page says what its neighbour says, and nothing else of its own but the mark.
    const own =
      n % 5 === 4 ? PROSE : `${PROSE} ${`word${n} term${host} `.repeat(30)} visit${visit}`;
    const text = `<title>${markOf(host, n)}</title><p>${own} ${markOf(host, n)}</p>${links.join(' ')}`;
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(text);
    }, below(15));
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, port, urlOf, below };
}

class Service {
  readonly #t: TestContext;
  readonly #args: readonly string[];
  #run: OrbRun | undefined;
  #at = '';

  constructor(t: TestContext, dir: string) {
    this.#t = t;
    this.#args = ['serve', '--dir', dir, '--port', '0', '--log-format', 'json'];
  }

  async start(): Promise<void> {
    const free = ['--allow-private', '--rate', 'max', '--scope', 'any', '--workers', '0'];
    this.#run = startOrb(this.#t, [...this.#args, ...free, '--concurrency', '8']);
    await this.#run.said(/"port":\d+/);
    this.#at = `http://127.0.0.1:${/"port":(\d+)/.exec(this.#run.stderr)?.[1]}`;
  }

  async stop(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#run?.kill(signal);
    await this.#run?.ended;
  }

  // biome-ignore lint/suspicious/noExplicitAny: looked at field by field.
  async ask(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<any> {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const answer = await fetch(`${this.#at}${path}`, init);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`);
    return answer.json();
  }
}

test('erasure in a crawl that is killed, recrawled and full of links to it: nothing is left', async (t) => {
  const seed = Number(process.env.ORB_SEED ?? 3);
  t.diagnostic(`seed ${seed}`);
  const web = await openWeb(t, seededRandom(seed));
  const dir = join(await scratch(t), 'crawl');
  const service = new Service(t, dir);
  const more = async (count: number) => {
    const until = web.asked.length + count;
    while (web.asked.length < until) await new Promise((look) => setTimeout(look, 1));
  };
  const again = () =>
    service.ask('/crawl/recrawl', { what: HOSTS.map((host) => `${host}:${web.port}`) });
  /** What was erased, and how much had been asked for when it was answered. */
  const gone: { readonly fits: (url: string) => boolean; readonly from: number }[] = [];
  const erase = async (subject: object, fits: (url: string) => boolean) => {
    const report = await service.ask('/takedowns', { ...subject, reason: 'r' });
    gone.push({ fits, from: web.asked.length });
    return report;
  };

  await service.start();
  await service.ask('/crawl/seeds', { urls: HOSTS.map((host) => `http://${host}:${web.port}/`) });
  await more(60 + web.below(40));
  const held = web.urlOf(1, 12);
  await service.ask('/holds', { url: held, reason: 'court' });
  const single = web.urlOf(0, 1 + web.below(3));
  await again();
  await erase({ url: single }, (url) => url === single);
  await more(web.below(30));
  const isPattern = (url: string) => url.startsWith(web.urlOf(1, 1).slice(0, -5)) && url !== held;
  await erase({ pattern: `http://127.0.0.2:${web.port}/p/1*` }, isPattern);
  await again();
  await more(20 + web.below(20));

  const killed = web.urlOf(0, 5 + web.below(3));
  const dying = service.ask('/takedowns', { url: killed, reason: 'k' }).catch(() => undefined);
  await new Promise((later) => setTimeout(later, web.below(25)));
  await service.stop('SIGKILL');
  await dying;
  await service.start();
  const rules = await service.ask('/denylist');
  const wasHeard = rules.denials.some(({ value }: { value: string }) => value === killed);
  if (wasHeard) gone.push({ fits: (url) => url === killed, from: web.asked.length });
  await service.ask('/crawl/seeds', { urls: [single, killed], recrawl_ttl_hours: 0 });
  await again();
  await more(40);
  const last = HOSTS[2] as string;
  await erase({ host: last }, (url) => url.includes(`//${last}:`));
  await again();
  await more(30);

  await t.test('no answer shows what was erased', () => noAnswer(service, web.urlOf, single, last));
  await service.stop('SIGTERM');
  for (const { fits, from } of gone) {
    const late = web.asked.slice(from).filter((url) => fits(url));
    assert.deepEqual(late, [], 'nothing is asked for once its takedown was answered');
  }
  const all = HOSTS.flatMap((host, h) =>
    Array.from({ length: PAGES }, (_, n) => ({ url: web.urlOf(h, n), mark: markOf(host, n) })),
  );
  const marks = all.filter(({ url }) => gone.some(({ fits }) => fits(url))).map(({ mark }) => mark);
  assert.ok(marks.length > PAGES, `${marks.length}`);
  assert.deepEqual(await placesOf(t, dir, marks), []);
  assert.ok((await placesOf(t, dir, [markOf('127.0.0.2', 12)])).length > 0, 'what is held is kept');
  await inventoryOf(t, dir);
  const verdict = await orb(t, ['audit', 'verify', '--dir', dir]);
  assert.equal(verdict.code, 0, verdict.stdout);
  for (const command of ['links', 'pages']) {
    const listed = await orb(t, [command, '--dir', dir, '--json']);
    const rows = listed.stdout.trim().split('\n');
    assert.ok(rows.length > 10, listed.stderr);
    for (const row of rows) {
      const { url, source, target } = JSON.parse(row);
      assert.ok(![url, source, target].includes(single), `${command}: ${row}`);
    }
  }
});

async function noAnswer(
  service: Service,
  urlOf: (host: number, n: number) => string,
  single: string,
  host: string,
): Promise<void> {
  const key = (url: string) => urlKeyOf(url).toString('hex');
  const { page } = await service.ask(`/pages/${key(single)}`);
  assert.deepEqual([page.title, page.content_hash, page.state], [undefined, undefined, 'skipped']);
  const { pages } = await service.ask('/pages?limit=1000');
  const shown = pages.map(({ url }: { url: string }) => url);
  assert.ok(shown.length > 10 && !shown.includes(single));
  assert.ok(!shown.some((url: string) => url.includes(`//${host}:`)));
  for (let n = 10; n < 20; n++) {
    const { links } = await service
      .ask(`/pages/${key(urlOf(0, n))}/links`)
      .catch(() => ({ links: [] }));
    for (const { target } of links) {
      assert.ok(target !== single && !target.includes(`//${host}:`), `${n} shows ${target}`);
    }
  }
}
