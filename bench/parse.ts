/**
 * How fast a page becomes links: our scanner beside htmlparser2 and parse5, in one run over
 * the same real pages (tools/corpus.ts), each doing the same job: charset, hrefs resolved to
 * canonical URLs, anchor texts, title. Only ours is also measured with all words.
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
  const pages = corpusPages(given < 0 ? 600 : Number(args[given + 1]));
  if (pages.length === 0) throw new Error('no corpus here: run `npm run corpus` first');
  const bytes = pages.reduce((sum, page) => sum + page.body.length, 0);
  const line = (metric: string, value: number, unit: string): void =>
    emit({ bench: 'parse', metric, value, unit });
  line('pages', pages.length, 'pages');
  line('mean_page', bytes / pages.length, 'bytes');
  const ours = measure('orbweaver_links', scanLinks, pages, 5, line);
  measure('orbweaver_links_text', scanWords, pages, 5, line);
  const theirs = measure('htmlparser2_links', htmlparser2Links, pages, 2, line);
  const referee = measure('parse5_links', parse5Links, pages, 1, line);
  line('htmlparser2_over_orbweaver', theirs / ours, 'times');
  line('parse5_over_orbweaver', referee / ours, 'times');
}

/**
 * The best of some rounds after one to warm up: CPU microseconds a page, all threads of the
 * process, so that neighbours on the machine count little.
 */
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
    const from = process.cpuUsage();
    for (const page of pages) links += contestant(page);
    const { user, system } = process.cpuUsage(from);
    if (round > 0) best = Math.min(best, (user + system) / pages.length);
  }
  line(`${name}_time`, best, 'µs/page');
  line(`${name}_rate`, 1e6 / best, 'pages/s');
  line(`${name}_found`, links / pages.length, 'links/page');
  return best;
}

function scanLinks(page: CorpusPage): number {
  return scanHtml(toUtf8(page.body, sniffCharset(page.body, HTML)), page.url).order.length;
}

function scanWords(page: CorpusPage): number {
  const body = toUtf8(page.body, sniffCharset(page.body, HTML));
  return scanHtml(body, page.url, { text: true }).order.length;
}

function htmlparser2Links(page: CorpusPage): number {
  const resolve = linkResolver(page.url);
  const urls: string[] = [];
  const texts: string[] = [];
  const title: string[] = [];
  let into: string[] | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'title') into = title;
      const url = name === 'a' && attributes.href ? resolve(attributes.href) : undefined;
      if (url === undefined) return;
      urls.push(url);
      into = [];
    },
    ontext(words) {
      into?.push(words);
    },
    onclosetag(name) {
      if (name === 'a' && into !== undefined) texts.push(into.join('').trim());
      if (name === 'a' || name === 'title') into = undefined;
    },
  });
  parser.end(new TextDecoder(sniffCharset(page.body, HTML)).decode(page.body));
  return title.length > 0 && texts.length <= urls.length ? urls.length : 0;
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
  const texts: string[] = [];
  const words = (node: Node): string => node.value ?? (node.childNodes ?? []).map(words).join('');
  const walk = (node: Node): void => {
    const href = node.nodeName === 'a' && node.attrs?.find(({ name }) => name === 'href');
    const url = href ? resolve(href.value) : undefined;
    if (url !== undefined) {
      urls.push(url);
      texts.push(words(node).trim());
    }
    for (const child of node.childNodes ?? []) walk(child);
  };
  const source = new TextDecoder(sniffCharset(page.body, HTML)).decode(page.body);
  walk(parse(source) as Node);
  return texts.length;
}
