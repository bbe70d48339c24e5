/**
 * A host of documents (X2): papers, feeds, data, notes. Behind each stand pages that nothing else
 * links to, under `/from/`; what no crawler should ask for stands under `/never/`.
 *
 *   files/report.pdf, report-again.pdf   one text twice, in two files
 *   files/closed.pdf                     its header says nofollow
 *   files/sent-as-text                   a PDF by its bytes alone
 *   bad/                                 locked, cut off, too deep: kept, with a reason
 */

import { htmlAnswer, type WebAnswer, whole } from '../exchange.ts';
import { mix } from '../hash.ts';
import * as body from './document-bodies.ts';
import { notFound } from './layout.ts';
import { proseOf } from './prose.ts';
import type { Label, QuarterHost, QuarterOrder } from './quarter.ts';
import { eachHost, seedOf } from './site-host.ts';

type Body = string | Uint8Array;
type Headers = Readonly<Record<string, string>>;
type Make = (origin: string, words: readonly string[]) => Body;

/** Path, type, the text that it has, its body, and headers besides. */
type Row = readonly [path: string, type: string, text: string, make: Make, headers?: Headers];

const PDF = 'application/pdf';
const joined =
  (make: (origin: string, title: string, words: string) => string, title: string): Make =>
  (origin, words) =>
    make(origin, title, words.join(' '));

const ROWS: readonly Row[] = [
  [
    '/files/report.pdf',
    PDF,
    'report',
    (origin, words) =>
      body.paperOf(
        'The report',
        [...words, `See ${origin}/from/pdf-text.`],
        [`${origin}/from/pdf`],
      ),
  ],
  [
    '/files/report-again.pdf',
    PDF,
    'report',
    (origin, words) =>
      body.paperOf('The report again', [...words, `See ${origin}/from/pdf-text.`], []),
  ],
  [
    '/files/closed.pdf',
    PDF,
    'closed',
    (origin, words) => body.paperOf('Closed', words, [`${origin}/never/nofollow`]),
    { 'x-robots-tag': 'nofollow' },
  ],
  [
    '/files/sent-as-text',
    'text/plain',
    'sent',
    (origin, words) => body.paperOf('Sent as text', words, [`${origin}/from/sent-as-text`]),
  ],
  ['/feeds/rss.xml', 'application/rss+xml', 'rss', joined(body.rssOf, 'RSS of the host')],
  ['/feeds/atom.xml', 'text/xml', 'atom', joined(body.atomOf, 'Atom of the host')],
  [
    '/feeds/feed.json',
    'application/feed+json',
    'json-feed',
    joined(body.jsonFeedOf, 'JSON Feed of the host'),
  ],
  ['/data/list.json', 'application/json', 'json', joined(body.jsonOf, 'A list')],
  ['/data/linked.json', 'application/ld+json', 'json-ld', joined(body.jsonLdOf, 'Linked data')],
  ['/data/catalogue.xml', 'application/xml', 'xml', joined(body.xmlOf, 'A catalogue')],
  ['/maps/extra.xml', 'application/xml', 'map', (origin) => body.mapOf(origin)],
  [
    '/notes/readme.md',
    'text/markdown',
    'markdown',
    (_, words) => body.markdownOf('Read me', words.join('\n\n')),
  ],
  [
    '/notes/plain.txt',
    'text/plain',
    'plain',
    (origin, words) => `${words.join('\n')}\nMore: ${origin}/from/plain.\n`,
  ],
  [
    '/bad/locked.pdf',
    PDF,
    'locked',
    (origin, words) => body.paperOf('Locked', words, [`${origin}/never/locked`], body.LOCKED),
  ],
  [
    '/bad/cut.pdf',
    PDF,
    'cut',
    (origin, words) => cut(body.paperOf('Cut', words, [`${origin}/from/cut`])),
  ],
  ['/bad/deep.json', 'application/json', 'deep', () => '['.repeat(100_000) + ']'.repeat(100_000)],
  ['/bad/nul.txt', 'text/plain', 'nul', () => Buffer.alloc(2_000)],
];

/** Named by documents alone. */
const BEHIND: readonly string[] = [
  ...[
    'pdf',
    'pdf-text',
    'sent-as-text',
    'rss',
    'rss-guid',
    'atom',
    'atom-text',
    'json-feed',
    'json',
  ],
  ...['json-next', 'json-ld', 'xml', 'xml-text', 'map', 'markdown', 'markdown-2', 'plain', 'cut'],
].map((name) => `/from/${name}`);

const SENTENCES = 24;

/** Without its last third: the place of every object is lost, and the page is not. */
function cut(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.length - 350);
}

export function documentHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => {
    const seed = seedOf(order, n);
    const rows = new Map(ROWS.map((row) => [row[0], row]));
    const labelOf = (path: string): Label | undefined => {
      const text =
        rows.get(path)?.[2] ?? (path === '/' || BEHIND.includes(path) ? path : undefined);
      return text === undefined
        ? undefined
        : { role: 'honest', text: `${seed}:${text}`, edited: 0 };
    };
    return {
      ...{ kind: order.kind, label: `${order.kind}-${n}`, popular: false, labelOf },
      answer: (path, _, { origin }) => answerOf(path, rows.get(path), origin, seed),
      paths: () => ['/', ...rows.keys(), ...BEHIND],
    };
  });
}

function answerOf(path: string, row: Row | undefined, origin: string, seed: number): WebAnswer {
  if (row !== undefined) {
    const [, type, text, make, headers] = row;
    const made = make(origin, proseOf(mix(seed, hashOf(text)), SENTENCES));
    return whole(200, { 'content-type': type, ...headers }, Buffer.from(made));
  }
  const isRoot = path === '/';
  if (!isRoot && !BEHIND.includes(path)) return notFound();
  const links = isRoot ? ROWS.map(([to]) => `<p><a href="${to}">The document at ${to}</a>`) : [];
  const words = proseOf(mix(seed, hashOf(path)), SENTENCES).map((one) => `<p>${one}`);
  return htmlAnswer(200, `<!doctype html><title>${path}</title>${words.join('')}${links.join('')}`);
}

function hashOf(text: string): number {
  return [...text].reduce((hash, char) => mix(hash, char.charCodeAt(0)), 7);
}
