/**
 * The links of one page in document order, as rows of numbers: where href and rel stand in
 * memory, where the text in the page's words. ../src/page/link-list.ts reads them.
 */
import { ROWS_AT } from '../src/page/kernel-layout';

/** Eight numbers a row, here as bytes. */
const ROW_SHIFT: i32 = 5;
const HREF_TO: i32 = 4;
const REL_FROM: i32 = 8;
const REL_TO: i32 = 12;
const TEXT_FROM: i32 = 16;
const TEXT_TO: i32 = 20;
const KIND: i32 = 24;
const PLACE: i32 = 28;

/** Bits of a place: in a part that the site's pages share, in a list of links. */
const SHARED: i32 = 1;
const LISTED: i32 = 2;

/** So many links with next to nothing between them are a list: a menu in all but name. */
const LIST_LINKS_MIN: i32 = 4;
const BETWEEN_BYTES_MAX: i32 = 12;
/** Above a list that is a menu stands a name, a slogan, no text; and below it one. */
const TOP_BYTES_MAX: i32 = 200;
const TEXT_BYTES_MIN: i32 = 600;

let linksMax: i32 = 0;
export let linkCount: i32 = 0;
/** Links beyond the limit, counted and not kept. */
export let linksDropped: i32 = 0;

export function clearLinks(most: i32): void {
  linksMax = most;
  linkCount = 0;
  linksDropped = 0;
}

function rowOf(link: i32): i32 {
  return ROWS_AT + (link << ROW_SHIFT);
}

/** The new link's index, or -1 when the page is full. Its text comes after. */
export function addLink(kind: i32, from: i32, to: i32, textAt: i32, place: i32): i32 {
  if (linkCount >= linksMax) {
    linksDropped++;
    return -1;
  }
  const row = rowOf(linkCount);
  store<i32>(row, from);
  store<i32>(row, to, HREF_TO);
  store<i32>(row, -1, REL_FROM);
  store<i32>(row, textAt, TEXT_FROM);
  store<i32>(row, textAt, TEXT_TO);
  store<i32>(row, kind, KIND);
  store<i32>(row, place, PLACE);
  return linkCount++;
}

export function setRel(link: i32, from: i32, to: i32): void {
  store<i32>(rowOf(link), from, REL_FROM);
  store<i32>(rowOf(link), to, REL_TO);
}

export function textFrom(link: i32): i32 {
  return link < 0 ? 0 : load<i32>(rowOf(link), TEXT_FROM);
}

function textTo(link: i32): i32 {
  return load<i32>(rowOf(link), TEXT_TO);
}

export function endText(link: i32, at: i32): void {
  store<i32>(rowOf(link), at, TEXT_TO);
}

/**
 * Marks lists of links, those above the page's text as a part that its site shares: menus stand
 * there, whatever their tags are. `from` is where the words after the title begin. Only when
 * all words were gathered: else nothing stands between any two links.
 */
export function markLists(from: i32, to: i32): void {
  let linkBytes: i32 = 0;
  for (let link = 0; link < linkCount; link++) linkBytes += textTo(link) - textFrom(link);
  const hasText = to - from - linkBytes >= TEXT_BYTES_MIN;
  let first: i32 = 0;
  let above: i32 = 0;
  let before: i32 = 0;
  for (let link = 1; link <= linkCount; link++) {
    above += textTo(link - 1) - textFrom(link - 1);
    if (link < linkCount && textFrom(link) - textTo(link - 1) <= BETWEEN_BYTES_MAX) continue;
    const isTop = hasText && textFrom(first) - from - before < TOP_BYTES_MAX;
    if (link - first >= LIST_LINKS_MIN) mark(first, link, isTop ? SHARED : LISTED);
    first = link;
    before = above;
  }
}

function mark(from: i32, to: i32, place: i32): void {
  for (let link = from; link < to; link++) {
    store<i32>(rowOf(link), load<i32>(rowOf(link), PLACE) | place, PLACE);
  }
}
