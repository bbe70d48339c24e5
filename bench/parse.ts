/**
 * How fast a page becomes links: our scanner beside htmlparser2 and parse5, in one run over
 * the same real pages (tools/corpus.ts), each doing the same job: hrefs resolved to URLs,
 * anchor texts, title, and in the second line all words too.
 *
 *   npm run bench -- parse [--pages N]
 */
import { Parser } from 'htmlparser2';
import { parse } from 'parse5';
import { scanHtml, sniffCharset, toUtf8 } from '../src/page/index.ts';
import { linkResolver } from '../src/url/index.ts';
import { type CorpusPage, corpusPages } from '../tools/corpus.ts';

type Emit = (line: { bench: string; metric: string; value: number; unit: string }) => void;

/** What each contestant answers, so that nobody skips the work: the number of links. */
type Contestant = (page: CorpusPage) => number;

const HTML = 'text/html';

export async function run(args: string[], emit: Emit): Promise<void> {
  const given = args.indexOf('--pages');
  const pages = corpusPages(given < 0 ? 1_500 : Number(args[given + 1]));
  if (pages.length === 0) throw new Error('no corpus here: run `npm run corpus` first');
  const bytes = pages.reduce((sum, page) => sum + page.body.length, 0);
  const line = (metric: string, value: number, unit: string): void =>
    emit({ bench: 'parse', metric, value, unit });
  line('pages', pages.length, 'pages');
  line('mean_page', bytes / pages.length, 'bytes');
  const few = pages.filter((_, i) => i % 5 === 0);
  const ours = measure('orbweaver_links', scanLinks, pages, 3, line);
  measure('orbweaver_links_text', scanWords, pages, 3, line);
  const theirs = measure('htmlparser2_links', htmlparser2Links, few, 1, line);
  const referee = measure('parse5_links', parse5Links, few, 1, line);
  line('htmlparser2_over_orbweaver', theirs / ours, 'times');
  line('parse5_over_orbweaver', referee / ours, 'times');
}

/** The best of some rounds after one to warm up, in microseconds a page. */
function measure(
  name: string,
  contestant: Contestant,
  pages: readonly CorpusPage[],
  rounds: number,
  line: (metric: string, value: number, unit: string) => void,
): number {
  let best = Number.POSITIVE_INFINITY;
  let links = 0;
  for (let round = 0; round <= rounds; round++) {
    links = 0;
    const from = process.hrtime.bigint();
    for (const page of pages) links += contestant(page);
    const micros = Number(process.hrtime.bigint() - from) / 1_000 / pages.length;
    if (round > 0) best = Math.min(best, micros);
  }
  line(`${name}_time`, best, 'µs/page');
  line(`${name}_rate`, 1e6 / best, 'pages/s');
  line(`${name}_found`, links / pages.length, 'links/page');
  return best;
}

function scanLinks(page: CorpusPage): number {
  return scanHtml(toUtf8(page.body, sniffCharset(page.body, HTML)), page.url).urls.length;
}

function scanWords(page: CorpusPage): number {
  const body = toUtf8(page.body, sniffCharset(page.body, HTML));
  return scanHtml(body, page.url, { text: true }).urls.length;
}

function htmlparser2Links(page: CorpusPage): number {
  const resolve = linkResolver(page.url);
  const urls: string[] = [];
  const texts: string[] = [];
  let title = '';
  let text = '';
  let inside = '';
  const parser = new Parser({
    onopentag(name, attributes) {
      inside = name;
      const url = name === 'a' && attributes.href ? resolve(attributes.href) : undefined;
      if (url !== undefined) urls.push(url);
    },
    ontext(words) {
      if (inside === 'title') title += words;
      text += words;
    },
    onclosetag(name) {
      if (name === 'a') texts.push(text);
      text = '';
    },
  });
  parser.end(page.body.toString('utf8'));
  return title === '\0' ? 0 : urls.length;
}

interface Node {
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: { readonly name: string; readonly value: string }[];
  readonly childNodes?: Node[];
}

function parse5Links(page: CorpusPage): number {
  const resolve = linkResolver(page.url);
  const urls: string[] = [];
  const walk = (node: Node): void => {
    const href = node.nodeName === 'a' && node.attrs?.find(({ name }) => name === 'href');
    const url = href ? resolve(href.value) : undefined;
    if (url !== undefined) urls.push(url);
    for (const child of node.childNodes ?? []) walk(child);
  };
  walk(parse(page.body.toString('utf8')) as Node);
  return urls.length;
}
