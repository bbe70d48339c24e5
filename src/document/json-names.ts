/** What the names in JSON tell: which mean links, which links lead to pages, which hold words. */

/** A relative address counts only under one of these. */
export const LINK_NAMES =
  /^(?:@id|href|url|uri|link|links|permalink|canonical|self|next|prev|previous|first|last|html|page|path|(?:html|web|home_?page|external|next|prev|item|page|content|detail)_?ur[il])$/i;
const NOT_PAGES =
  /^(?:@context|\$schema|schema|@vocab|image|images|img|icon|icons|logo|thumbnail|avatar|photo|picture|poster|favicon|banner|src|srcset)|(?:image|icon|logo|thumbnail|avatar|photo|picture|poster|banner|embed|stream)_?url$/i;
const NOT_A_PAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|js|mjs|woff2?|ttf|mp3|mp4|webm|zip)$/i;
const WORDS =
  /^(?:title|headline|name|label|text|summary|description|content|body|caption|abstract|articlebody)$/i;

/** Recorded in any case; followed when it may lead to a page. */
export function isFollowable(name: string, url: string): boolean {
  return !NOT_PAGES.test(name) && !NOT_A_PAGE.test(url.replace(/[?#].*$/s, ''));
}

/** Its value is said to people, also when it is one word. */
export function nameWords(name: string): boolean {
  return WORDS.test(name);
}
