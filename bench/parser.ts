/**
 * What it costs to have a page read elsewhere (K3): CPU of the node and of the parser for a page,
 * beside reading it at once. Real HTTP over loopback, the parser in a process of its own.
 *
 *   npm run bench -- parser [--pages 2000] [--bytes 30000]
 *
 *   here     the node reads it itself
 *   node     what the node has to do: to lend it, and to take what was read
 *   parser   to lease it, to read it, to bring it back
 */
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { openReadingLender } from '../src/adapters/api/index.ts';
import { systemClock } from '../src/adapters/node/index.ts';
import { type Digest, digest, type RawPage } from '../src/content/index.ts';
import { Hand } from '../src/crawl/hand.ts';
import { openReadingDesk } from '../test/kit/reading.ts';
import { inChild } from './in-child.ts';
import { type Emit, type Say, sayFor, watch } from './measure.ts';

const MENU_LINKS = 40;
const NEW_LINKS = 20;
/** Pages that a busy node has under way. */
const AT_ONCE = 128;

export async function run(args: string[], emit: Emit): Promise<void> {
  const options = { pages: { type: 'string' }, bytes: { type: 'string' } } as const;
  const { values } = parseArgs({ args, options });
  const [pages, bytes] = [Number(values.pages ?? 2_000), Number(values.bytes ?? 30_000)];
  const say = sayFor('parser', emit);
  say('pages', pages, 'pages');
  say('page', pageOf(0, bytes, '').body.length, 'bytes');
  for (const encoding of ['', 'gzip']) await compare(pages, bytes, encoding, say);
}

async function compare(pages: number, bytes: number, encoding: string, say: Say): Promise<void> {
  const all = Array.from({ length: pages }, (_, nth) => pageOf(nth, bytes, encoding));
  const name = (what: string) => (encoding === '' ? what : `${what}.${encoding}`);
  const perPage = (cpuSec: number) => (cpuSec * 1e6) / pages;
  for (const page of all.slice(0, 200)) digest(page);
  const here = watch();
  for (const page of all) digest(page);
  say(name('here'), perPage(here().cpuSec), 'µs a page');
  const desk = await openReadingDesk();
  const child = inChild<string, number>(desk.at, { module: import.meta.url });
  await desk.readings.digest(pageOf(0, bytes, encoding));
  const node = watch();
  await readAll(all, (page) => desk.readings.digest(page));
  const { cpuSec, wallSec } = node();
  say(name('node'), perPage(cpuSec), 'µs a page');
  say(name('rate'), pages / wallSec, 'pages/s');
  await desk.close();
  say(name('parser'), perPage((await child)?.result ?? Number.NaN), 'µs a page');
}

async function readAll(
  pages: readonly RawPage[],
  read: (page: RawPage) => Promise<Digest>,
): Promise<void> {
  const left = [...pages].reverse();
  const one = async () => {
    for (let page = left.pop(); page !== undefined; page = left.pop()) await read(page);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** In the child: a parser until its node is gone; answers its CPU since the first page. */
export async function work(at: string): Promise<number> {
  let since: ReturnType<typeof watch> | undefined;
  const over = new AbortController();
  const hand = new Hand<RawPage, Digest>(
    systemClock(),
    {
      do: async ({ job }) => {
        const made = digest(job);
        since ??= watch();
        return made;
      },
      bytesOf: ({ bodyBytes }) => bodyBytes,
      atOnce: 32,
    },
    { onTrouble: () => over.abort() },
  );
  const run = hand.run([openReadingLender({ url: at, worker: 'one', types: [] })]);
  await new Promise((gone) => over.signal.addEventListener('abort', gone));
  hand.abort();
  await run;
  return since?.().cpuSec ?? Number.NaN;
}

function pageOf(nth: number, bytes: number, encoding: string): RawPage {
  const link = (to: string) => `<li><a href="/${to}" class="nav">The page about ${to}</a></li>`;
  const menu = Array.from({ length: MENU_LINKS }, (_, at) => link(`section-${at}/`));
  const own = Array.from({ length: NEW_LINKS }, (_, at) => link(`article-${nth}-${at}.html`));
  const head = `<title>Article ${nth}</title><ul>${menu.join('')}</ul><ul>${own.join('')}</ul>`;
  const words = `<p>Some words of article ${nth} that say one thing and another.</p>`;
  const text = words.repeat(Math.max(0, Math.ceil((bytes - head.length) / words.length)));
  const body = Buffer.from(head + text);
  return {
    ...{ url: `https://www.example.com/articles/${nth}`, kind: 'page', agent: 'Orbweaver' },
    body: encoding === 'gzip' ? gzipSync(body) : body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(encoding !== '' && { 'content-encoding': encoding }),
    },
    decodedBytesMax: 1_000_000,
  };
}
