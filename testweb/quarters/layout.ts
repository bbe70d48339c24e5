/**
 * Templates: the same text in the clothes of different sites.
 *
 *   0  header, nav, main, footer       1  div soup with a sidebar
 *   2  an article between tables       print   nothing but the text
 *
 * What a template adds is of one host: two pages of it share all of that, two hosts nothing.
 */
import { htmlAnswer, type WebAnswer } from '../exchange.ts';
import { Dice, mix } from '../hash.ts';
import { capital, word } from '../words.ts';

export interface Link {
  readonly href: string;
  readonly text: string;
}

export interface Sheet {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Links in the text, one after each paragraph and the rest in a list. */
  readonly links: readonly Link[];
  /** What every page of the host has. */
  readonly frame: Frame;
}

export interface Frame {
  readonly template: 0 | 1 | 2 | 'print';
  readonly site: string;
  readonly navigation: readonly Link[];
  /** More words that every page shares: disclaimers, cookies, 'about us'. */
  readonly boilerplate: string;
}

/** A frame that belongs to a seed: other seeds share no word of it but by chance. */
export function frameOf(seed: number, navigation: readonly Link[], boilerplateWords = 24): Frame {
  const dice = new Dice(mix(seed, 0xf4a3));
  const template = dice.below(3) as 0 | 1 | 2;
  const site = `${capital(word(dice.next()))} ${capital(word(dice.next()))}`;
  const words = Array.from({ length: boilerplateWords }, () => word(dice.next()));
  return { template, site, navigation, boilerplate: words.join(' ') };
}

export function pageAnswer(sheet: Sheet): WebAnswer {
  return htmlAnswer(200, htmlOf(sheet));
}

export function htmlOf(sheet: Sheet): string {
  const { title, frame } = sheet;
  const head = `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>\n`;
  switch (frame.template) {
    case 'print':
      return `${head}<body>\n<h1>${title}</h1>\n${bodyOf(sheet)}</body></html>\n`;
    case 0:
      return (
        `${head}<body>\n<header><b>${frame.site}</b>\n<nav>${list(frame.navigation)}</nav></header>\n` +
        `<main><h1>${title}</h1>\n${bodyOf(sheet)}</main>\n` +
        `<footer><p>${frame.boilerplate}</p></footer>\n</body></html>\n`
      );
    case 1:
      return (
        `${head}<body class="page">\n<div id="top"><div class="logo">${frame.site}</div></div>\n` +
        `<div class="sidebar menu">${list(frame.navigation)}<p>${frame.boilerplate}</p></div>\n` +
        `<div class="content"><h1>${title}</h1>\n${bodyOf(sheet)}</div>\n</body></html>\n`
      );
    case 2:
      return (
        `${head}<body>\n<table><tr><td><nav>${list(frame.navigation)}</nav></td><td>\n` +
        `<article><h2>${title}</h2>\n${bodyOf(sheet)}</article></td></tr></table>\n` +
        `<footer>${frame.site}: ${frame.boilerplate}</footer>\n</body></html>\n`
      );
  }
}

function bodyOf({ paragraphs, links }: Sheet): string {
  let html = '';
  for (const [at, text] of paragraphs.entries()) {
    const link = links[at];
    html += `<p>${text}${link === undefined ? '' : ` ${anchor(link)}`}</p>\n`;
  }
  const rest = links.slice(paragraphs.length);
  return rest.length === 0 ? html : `${html}${list(rest)}`;
}

const list = (links: readonly Link[]): string =>
  `<ul>\n${links.map((link) => `<li>${anchor(link)}</li>\n`).join('')}</ul>`;

const anchor = ({ href, text }: Link): string =>
  `<a href="${href.replaceAll('&', '&amp;')}">${text}</a>`;

export const notFound = (): WebAnswer =>
  htmlAnswer(404, '<!doctype html><title>404</title><h1>Not Found</h1>');
