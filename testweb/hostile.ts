/**
 * Servers that try to hurt a crawler (Y1, Y2). Each is a host of its own:
 *
 *   http://drip.x7.test/        honest, links to /drip and to three honest pages
 *   http://drip.x7.test/drip    does what the name says
 *
 * A good crawler records why the page failed, in bounded time and memory, and fetches the rest.
 */
import { bomb } from './bombs.ts';
import { binaryBytes } from './documents.ts';
import { type AnswerBody, EMPTY, htmlAnswer, type WebAnswer, whole } from './exchange.ts';
import { originOf } from './hosts.ts';
import type { Settings } from './options.ts';
import type { Draft } from './specials.ts';
import { sentences } from './words.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const SOME = Buffer.from(`<!doctype html><title>Some</title><p>${sentences.slice(0, 50).join('')}`);
const HONEST = ['/', '/page/1', '/page/2', '/page/3'];
const FLOOD_BYTES = 100 * 1024 * 1024;
const LINKS = 1_000_000;
const TAGS = 100_000;

/** What the page of a label answers; `inside` are URLs that must never be asked. */
type Script = (inside: Inside) => WebAnswer;

interface Inside {
  readonly secret: (address: string) => string;
  readonly name: (label: string) => string;
  readonly path: string;
}

const SCRIPTS: Readonly<Record<string, Script>> = {
  drip: () => bad({ kind: 'stream', everyMs: 1_000, chunks: singleBytes }),
  endless: () => bad({ kind: 'stream', everyMs: 0, chunks: () => forever(SOME) }),
  'header-flood': () => bad({ kind: 'header-flood', headerBytes: FLOOD_BYTES }),
  'drip-head': () => bad({ kind: 'drip-head', everyMs: 1_000 }),
  silence: () => bad({ kind: 'silence' }),
  reset: () => bad({ kind: 'reset' }),
  garbage: () => bad({ kind: 'garbage', bytes: Buffer.from('220 mail.example ESMTP\r\n') }),
  'length-long': () => bad({ kind: 'false-length', declared: 100_000, bytes: SOME }),
  'length-short': () => bad({ kind: 'false-length', declared: 1_000, bytes: SOME }),
  'broken-chunk': () => bad({ kind: 'broken-chunk', bytes: SOME }),
  cut: () => bad({ kind: 'cut', bytes: SOME }),
  'bomb-gzip': () => bomb('gzip'),
  'bomb-deflate': () => bomb('deflate'),
  'bomb-br': () => bomb('br'),
  'bomb-zstd': () => bomb('zstd'),
  'false-coding': () => whole(200, { ...HTML, 'content-encoding': 'gzip' }, SOME),
  'binary-html': () => whole(200, HTML, binaryBytes(7, 1_000_000)),
  'no-type': () => whole(200, {}, SOME),
  nested: () => htmlAnswer(200, `${'<div>'.repeat(TAGS)}<a href="/page/1">deep</a>`),
  unclosed: () => htmlAnswer(200, `<p>${'<a href="x'.repeat(300_000)}<!--`),
  'million-links': () => bad({ kind: 'stream', everyMs: 0, chunks: manyLinks }),
  'redirect-circle': ({ path }) => to(path === '/circle' ? '/redirect-circle' : '/circle'),
  'redirect-loopback': ({ secret }) => to(secret('127.0.0.1')),
  'redirect-ipv6': ({ secret }) => to(secret('[::1]')),
  'redirect-mapped': ({ secret }) => to(secret('[::ffff:127.0.0.1]')),
  'redirect-decimal': ({ secret }) => to(secret('2130706433')),
  'redirect-zero': ({ secret }) => to(secret('0.0.0.0')),
  'redirect-metadata': () => to('http://169.254.169.254/latest/meta-data/'),
  'redirect-name': ({ name }) => to(name('inside')),
  'redirect-name-metadata': ({ name }) => to(name('metadata')),
  'redirect-file': () => to('file:///etc/passwd'),
  'redirect-broken': () => to('http://[not-an-address/'),
  'robots-endless': () => htmlAnswer(200, '<title>Ordinary</title>'),
  'robots-silence': () => htmlAnswer(200, '<title>Ordinary</title>'),
  'sitemap-loop': () => htmlAnswer(200, '<title>Ordinary</title>'),
};

export const HOSTILE: readonly string[] = Object.keys(SCRIPTS);

export function hostileDrafts(): Draft[] {
  return Object.entries(SCRIPTS).map(([label, script]) => ({
    label,
    linked: true,
    path: `/${label}`,
    honest: label === 'robots-silence' ? [] : HONEST,
    answer(path, _request, { origin, settings }) {
      if (path === '/robots.txt') return robotsFor(label, origin);
      if (path === '/sitemap.xml') return sitemapLoop(origin);
      if (path === `/${label}` || path === '/circle') return script(inside(settings, path));
      if (HONEST.includes(path) || path.startsWith('/m/')) return rootPage(label, path);
      return htmlAnswer(404, '<h1>Not Found</h1>');
    },
  }));
}

function inside(settings: Settings, path: string): Inside {
  return {
    path,
    secret: (address) => `${originOf('http', address, settings.port)}/secret`,
    name: (label) => `${originOf('http', `${label}.x${settings.seed}.test`, settings.port)}/`,
  };
}

export function rootPage(label: string, path: string): WebAnswer {
  const links = [`/${label}`, ...HONEST].map((href) => `<li><a href="${href}">${href}</a>`);
  return htmlAnswer(
    200,
    `<!doctype html><title>${label} ${path}</title><ul>${links.join('')}</ul>`,
  );
}

function robotsFor(label: string, origin: string): WebAnswer {
  const text = (body: string) => whole(200, { 'content-type': 'text/plain' }, Buffer.from(body));
  if (label === 'robots-silence') return bad({ kind: 'silence' });
  if (label === 'robots-endless') {
    const line = Buffer.from(`# ${'x'.repeat(16_000)}\n`);
    return { ...text(''), body: { kind: 'stream', everyMs: 0, chunks: () => forever(line) } };
  }
  if (label === 'million-links') return text('User-agent: *\nDisallow: /m/\n');
  if (label === 'sitemap-loop') return text(`Sitemap: ${origin}/sitemap.xml\n`);
  return htmlAnswer(404, '<h1>Not Found</h1>');
}

/** An index that names itself. */
function sitemapLoop(origin: string): WebAnswer {
  const xml = `<sitemapindex><sitemap><loc>${origin}/sitemap.xml</loc></sitemap></sitemapindex>`;
  return whole(200, { 'content-type': 'application/xml' }, Buffer.from(xml));
}

const bad = (body: AnswerBody): WebAnswer => ({ ...whole(200, HTML, EMPTY), body });
const to = (location: string): WebAnswer => whole(302, { location }, EMPTY);

function* forever(chunk: Uint8Array): Generator<Uint8Array> {
  for (;;) yield chunk;
}

function* singleBytes(): Generator<Uint8Array> {
  for (let at = 0; ; at++) yield SOME.subarray(at % SOME.length, (at % SOME.length) + 1);
}

function* manyLinks(): Generator<Uint8Array> {
  yield Buffer.from('<!doctype html><title>A million links</title>\n');
  for (let at = 0; at < LINKS; at += 1_000) {
    let html = '';
    for (let n = at; n < at + 1_000; n++) html += `<a href="/m/${n}">${n}</a>\n`;
    yield Buffer.from(html);
  }
}
