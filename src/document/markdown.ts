/**
 * Markdown (X2): links in all their spellings, the first heading as the title, and the words.
 *
 *   [text](href "title")   [text][id] with [id]: href   <https://…>   <a href="…">   bare URLs
 *
 * Not a renderer: what stands in fenced code is words and no links, pictures are passed over, and
 * what is not understood stays as it is written.
 */
import { type DocumentLink, definePlugin } from './plugin.ts';
import {
  bareUrls,
  isBinary,
  line,
  TITLE_CHARS_MAX,
  textOf,
  withoutControls,
} from './text-tools.ts';

const INLINE =
  /(!?)\[((?:[^[\]\\]|\\.){0,1000})\]\(\s{0,9}(?:<([^<>\n]{0,2000})>|([^\s<>()]{0,2000}(?:\([^\s()]{0,1000}\)[^\s<>()]{0,1000}){0,5}))(?:\s{1,9}["'(][^\n]{0,500}?["')])?\s{0,9}\)/g;
const DEFINITION = /^ {0,3}\[((?:[^[\]\\]|\\.){1,500})\]:[ \t]{0,9}<?([^\s<>]{1,2000})>?/gm;
const ANCHOR = /<a\s[^<>]{0,1000}?href\s{0,9}=\s{0,9}["']?([^"'\s<>]{1,2000})/gi;
const FENCE = /^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|(?![\s\S]))/gm;
const FRONT_MATTER = /^---\r?\n([\s\S]{0,20000}?)\r?\n---\r?\n/;
const ATX = /^ {0,3}#{1,6}[ \t]+(.{1,500}?)[ \t#]*$/m;
const SETEXT = /^(\S.{0,500})\r?\n(?:=+|-{3,})[ \t]*$/m;

const NAMED = /\.(?:md|markdown|mdown|mkd)(?:$|[?#])/i;

export const markdown = definePlugin({
  name: 'markdown',
  types: ['text/markdown', 'text/x-markdown'],
  sniff: (_, { url, mediaType }) =>
    mediaType.endsWith('markdown') ||
    (/^(?:text\/plain|application\/octet-stream|)$/.test(mediaType) && NAMED.test(url)),
  read(page) {
    const whole = textOf(page).replace(/\r\n?/g, '\n');
    if (isBinary(whole)) return { trouble: 'not text, although announced' };
    const front = FRONT_MATTER.exec(whole)?.[1] ?? '';
    const text = withoutControls(
      front === '' ? whole : whole.replace(FRONT_MATTER, ''),
      page.textCharsMax,
    );
    const prose = text.replace(FENCE, '\n');
    return {
      title: line(titleOf(front, prose), TITLE_CHARS_MAX),
      text: wordsOf(text),
      links: linksOf(prose, page.linksMax),
      ...(page.wantsMarkdown && { markdown: whole }),
    };
  },
});

function titleOf(front: string, prose: string): string {
  const named = /^title:[ \t]*["']?(.{1,500}?)["']?[ \t]*$/m.exec(front)?.[1];
  return named ?? wordsOf(ATX.exec(prose)?.[1] ?? SETEXT.exec(prose)?.[1] ?? '');
}

function linksOf(prose: string, max: number): DocumentLink[] {
  const links: DocumentLink[] = [];
  for (const [, bang, text = '', angled, plain] of prose.matchAll(INLINE)) {
    const href = angled ?? plain ?? '';
    if (bang === '' && href !== '') links.push({ href, text: line(wordsOf(text)) });
  }
  for (const [, id = '', href = ''] of prose.matchAll(DEFINITION)) {
    if (!id.startsWith('^')) links.push({ href, text: line(id) });
  }
  for (const [, href = ''] of prose.matchAll(ANCHOR)) links.push({ href });
  const rest = prose.replace(INLINE, ' ').replace(DEFINITION, ' ').replace(ANCHOR, ' ');
  return [...links, ...bareUrls(rest, max)].slice(0, max);
}

/** Without the marks that are no words. */
function wordsOf(text: string): string {
  return text
    .replace(INLINE, (_, __, words) => words)
    .replace(/^ {0,3}(?:#{1,6}|[-*+>]|\d{1,9}[.)])[ \t]+/gm, '')
    .replace(/[*`~]{1,3}(?=\S)|(?<=\S)[*`~]{1,3}/g, '');
}
