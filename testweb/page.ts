/**
 * An HTML page, spelled from its links and its text.
 *
 * Besides links that count, a page holds decoys that do not: addresses in comments, scripts,
 * images, `mailto:`. They lead to `/decoy/…`, which no honest page links to, so that a request
 * for one in the log is a crawler's mistake.
 */
import { Dice, mix, SALT } from './hash.ts';
import type { Host } from './hosts.ts';
import { hrefOf, type Spelling, upFrom } from './hrefs.ts';
import { type Graph, identityOf, LinkList, linksOf } from './links.ts';
import { type Nature, natureOf } from './nature.ts';
import { pathOf } from './resources.ts';
import { CYRILLIC, capital, JAPANESE, sentences, word } from './words.ts';

export interface PageOrder {
  readonly graph: Graph;
  readonly host: Host;
  readonly resource: number;
  readonly bodyBytes: number;
  /** Of a changing page: how often it has changed. */
  readonly version: number;
  /** What the head declares; undefined leaves it out. */
  readonly metaCharset: string | undefined;
  /** Absolute URLs that stand at the end of the page, besides its own links. */
  readonly extra: readonly string[];
}

const scratch = new LinkList();

export function renderPage(order: PageOrder): string {
  const { graph, host, resource } = order;
  const nature = natureOf(graph.natures, host, resource) ?? 'missing';
  const identity = identityOf(graph, host, resource);
  const dice = new Dice(mix(identity, SALT.text));
  const anywhere = nature === 'twin' || host.mirrored;
  const based = !anywhere && dice.below(20) === 0;
  const path = pathOf(host, resource);
  const spelling: Spelling = { from: host, anywhere, up: based ? '../../' : upFrom(path) };
  linksOf(graph, host, resource, scratch);
  let html = head(order, nature, dice, based, anywhere ? undefined : host.origin + path);
  html += navigation(order, spelling, dice);
  html += `<main>\n<h1>${foreign(nature, dice)}${titleOf(dice)}</h1>\n`;
  if (nature === 'changing') {
    html += `<p>Edition ${order.version}. ${sentences[mix(identity, order.version) % 2048]}</p>\n`;
  }
  return html + prose(order, spelling, dice, nature, html.length) + foot(order.extra, dice);
}

function head(
  order: PageOrder,
  nature: Nature,
  dice: Dice,
  based: boolean,
  canonical: string | undefined,
): string {
  const meta = order.metaCharset === undefined ? '' : `<meta charset="${order.metaCharset}">\n`;
  const title = foreign(nature, dice) + titleOf(dice);
  let html = `<!doctype html>\n<html lang="en">\n<head>\n${meta}<title>${title}</title>\n`;
  if (based) html += '<base href="/base/deep/">\n';
  if (canonical !== undefined) {
    html += `<link rel="canonical" href="${canonical.replaceAll('&', '&amp;')}">\n`;
  }
  if (nature === 'meta-noindex') html += '<meta name="robots" content="noindex">\n';
  if (nature === 'meta-nofollow') html += '<meta name="ROBOTS" content="NoFollow, noarchive">\n';
  if (dice.below(200) === 0) html += '<meta http-equiv="refresh" content="300; url=/">\n';
  const sheet = `<link rel="stylesheet" href="/decoy/site.css">\n`;
  return `${html}${sheet}<script src="/decoy/site.js" defer></script>\n</head>\n<body>\n`;
}

function navigation(order: PageOrder, spelling: Spelling, dice: Dice): string {
  let html = '<header><nav><ul>\n';
  for (let at = 0; at < scratch.navEnd; at++) {
    html += `<li>${anchor(order, spelling, at, dice.next())}</li>\n`;
  }
  return `${html}</ul></nav></header>\n`;
}

function prose(o: PageOrder, spelling: Spelling, dice: Dice, nature: Nature, so: number): string {
  const target = Math.floor((o.bodyBytes * (60 + dice.below(81))) / 100) - so - 400;
  const text = nature === 'near' ? new Dice(mix(o.host.seed, dice.below(3))) : dice;
  const links = scratch.length;
  let at = scratch.navEnd;
  let html = '';
  while (html.length < target) {
    html += '<p>';
    for (let n = 3; n > 0; n--) html += sentences[text.next() & 2047]!;
    if (at < links) html += anchor(o, spelling, at++, dice.next());
    html += ` ${sentences[text.next() & 2047]!}</p>\n`;
  }
  if (nature === 'near') html += `<p>${sentences[dice.next() & 2047]!}</p>\n`;
  if (at < links) html += '<ul class="more">\n';
  const listed = at < links;
  while (at < links) html += `<li>${anchor(o, spelling, at++, dice.next())}</li>\n`;
  return listed ? `${html}</ul>\n` : html;
}

/** One link, in one of the ways that people write them. */
function anchor(order: PageOrder, spelling: Spelling, at: number, draw: number): string {
  const to = order.graph.hosts[scratch.hosts[at]!]!;
  const resource = scratch.resources[at]!;
  const href = hrefOf(spelling, to, resource, draw);
  if (resource === 11 * to.size) {
    return `<link rel="alternate" type="application/rss+xml" href="${href}"><a href="${href}">Feed</a>`;
  }
  const text = word(draw >>> 12);
  switch ((draw >>> 4) & 63) {
    case 0:
      return `<a href='${href}'>${text}</a>`;
    case 1:
      return `<A class=link HREF=${href}>${text} ${word(draw)}</A>`;
    case 2:
      return `<a title="a > b" href = "\n ${href} "><b>${text}</b></a>`;
    case 3:
      return `<iframe title="${text}" src="${href}"></iframe>`;
    case 4:
      return `<map name="${text}"><area alt="${text}" href="${href}"></map>`;
    case 5:
      return `<a data-href="/decoy/attribute" href="${href}">${text}<img src="/decoy/i.png" alt=""></a>`;
    default:
      return `<a href="${href}">${text} ${word(draw)}</a>`;
  }
}

function foot(extra: readonly string[], dice: Dice): string {
  let html = '</main>\n<footer>\n';
  for (const url of extra) html += `<a href="${url}">elsewhere</a>\n`;
  html += '<a rel="nofollow" href="/">home</a> <a href="mailto:mail@example.test">mail</a>\n';
  html += '<!-- <a href="/decoy/comment">old</a> -->\n';
  html += `<script>var next = '<a href="/decoy/script">' + ${dice.below(1000)};</script>\n`;
  return `${html}<a href="javascript:void(0)">top</a>\n</footer>\n</body>\n</html>\n`;
}

function titleOf(dice: Dice): string {
  return `${capital(word(dice.next()))} ${word(dice.next())} ${word(dice.next())}`;
}

function foreign(nature: Nature, dice: Dice): string {
  if (nature === 'windows-1251' || nature === 'wrong-meta' || nature === 'utf-16') {
    return `${CYRILLIC[dice.below(CYRILLIC.length)]} ${CYRILLIC[dice.below(CYRILLIC.length)]} `;
  }
  if (nature !== 'shift_jis') return '';
  return `${JAPANESE[dice.below(JAPANESE.length)]}${JAPANESE[dice.below(JAPANESE.length)]} `;
}
