/**
 * One pass over a page's UTF-8 bytes that finds its links, title and words.
 *
 * No tree is built. What a tree builder would do to links is kept as a few facts: how deep in
 * templates (whose content isn't in the page), whether in noscript, in SVG, in a frameset,
 * which anchor is open. Values stay places in memory until they are wanted; hrefs are resolved
 * after the pass, because a `<base>` below a link still moves it.
 *
 * We run no scripts, so noscript holds markup: its links count. Its words, refreshes and base
 * don't: they are written for someone else ("please enable JavaScript").
 *
 * Not here: what a start tag does (start-tag.ts), the state that both share (state.ts).
 */
import { IS_LETTER } from '../src/page/byte-classes';
import { GAP_AT, RESULT_AT, ZONE_AT } from '../src/page/kernel-layout';
import {
  TAG_A,
  TAG_ANNOTATION_XML,
  TAG_DIV,
  TAG_MTEXT,
  TAG_NOSCRIPT,
  TAG_TEMPLATE,
} from '../src/page/kernel-tags';
import {
  BANG,
  classOf,
  DASH,
  find,
  GREATER,
  LESS,
  pageEnd,
  QUESTION,
  SLASH,
  setPageEnd,
} from './bytes';
import { clearDivs, closeDiv } from './divs';
import {
  breakOut,
  clearForeign,
  closeForeign,
  foreignDepth,
  isForeign,
  leaveForeign,
} from './foreign';
import { clearLinks, linkCount, linksDropped, markLists } from './links';
import { endOfBogusComment, endOfComment } from './raw-text';
import { skipTag, startTag } from './start-tag';
import {
  clearState,
  closeAnchor,
  decideCollecting,
  isCollecting,
  isOrdinary,
  leaveNoscript,
  leaveTemplate,
  speak,
  takesText,
  templates,
  text,
  titleFrom,
  titleTo,
} from './state';
import { nameEnd, readTagName } from './tags';
import { addToTag, clearText, GAP_INLINE, markCount, textLength, widenGap } from './text';
import { clearZones, closeZone, NAMED_DIV } from './zones';

/** `[CDATA[`. */
const CDATA: u64 = 0x5b4154 * ((1 as u64) << 32) + 0x4144435b;
const CDATA_MASK: u64 = 0xffffff * ((1 as u64) << 32) + 0xffffffff;
const BRACKET: u8 = 0x5d;

/** Scans the bytes between two places; zeros stand behind them. Results are left at RESULT_AT. */
export function scan(
  from: i32,
  to: i32,
  wordsAt: i32,
  textBytesMax: i32,
  linksMax: i32,
  options: i32,
): void {
  setPageEnd(to);
  clearText(wordsAt, textBytesMax);
  clearLinks(linksMax);
  clearForeign();
  clearZones();
  clearDivs();
  clearState(options);
  let at = from;
  while (at < pageEnd) {
    const less = textTo(at);
    if (less === pageEnd) break;
    at = markup(less);
  }
  closeAnchor();
  if (takesText) markLists(max(0, titleTo), textLength);
  store<i32>(RESULT_AT, linkCount);
  store<i32>(RESULT_AT, linksDropped, 4);
  store<i32>(RESULT_AT, textLength, 8);
  store<i32>(RESULT_AT, markCount, 12);
  store<i32>(RESULT_AT, titleFrom, 16);
  store<i32>(RESULT_AT, titleTo, 20);
}

/** The text up to the next tag; answers where that is. */
function textTo(at: i32): i32 {
  if (isCollecting && takesText && isOrdinary) return addToTag(at, pageEnd);
  const less = find(LESS, at);
  if (less > at && (isCollecting || !isOrdinary)) text(at, less, true);
  return less;
}

/** Acts on what `<` opens here and answers where to go on. */
function markup(less: i32): i32 {
  const next = load<u8>(less + 1);
  if ((classOf(next) & IS_LETTER) !== 0) return startTag(less + 1);
  if (next === SLASH) return slash(less);
  if (next === BANG) return declaration(less);
  if (next === QUESTION) return endOfBogusComment(less + 2);
  text(less, less + 1, false);
  return less + 1;
}

function slash(less: i32): i32 {
  if (less + 2 >= pageEnd) {
    text(less, less + 2, false);
    return less + 2;
  }
  const after = load<u8>(less + 2);
  if ((classOf(after) & IS_LETTER) !== 0) return endTag(less + 2);
  return after === GREATER ? less + 3 : endOfBogusComment(less + 2);
}

function declaration(less: i32): i32 {
  if (load<u8>(less + 2) === DASH && load<u8>(less + 3) === DASH) {
    widenGap(GAP_INLINE);
    return endOfComment(less + 4);
  }
  if (!isForeign || (load<u64>(less + 2) & CDATA_MASK) !== CDATA) {
    return endOfBogusComment(less + 2);
  }
  const close = endOfCdata(less + 9);
  text(less + 9, close, false);
  return close === pageEnd ? close : close + 3;
}

/** Where `]]>` stands, or the end of the page. */
function endOfCdata(from: i32): i32 {
  for (let at = find(GREATER, from + 2); at < pageEnd; at = find(GREATER, at + 1)) {
    if (load<u8>(at - 1) === BRACKET && load<u8>(at - 2) === BRACKET) return at - 2;
  }
  return pageEnd;
}

function endTag(nameAt: i32): i32 {
  const tag = readTagName(nameAt);
  const past = skipTag(nameEnd);
  if (tag === TAG_A) {
    closeAnchor();
    widenGap(GAP_INLINE);
    return past;
  }
  widenGap(load<u8>(GAP_AT + tag) as i32);
  endPart(tag);
  if (tag === TAG_TEMPLATE && templates > 0) {
    leaveTemplate();
    leaveForeign();
  } else if (foreignDepth > 0) endForeign(tag);
  else if (tag === TAG_NOSCRIPT) leaveNoscript();
  else return past;
  decideCollecting();
  return past;
}

function endPart(tag: i32): void {
  const zone = load<u8>(ZONE_AT + tag) as i32;
  if (zone !== 0) {
    closeZone(zone);
    speak();
  } else if (tag === TAG_DIV && closeDiv()) {
    closeZone(NAMED_DIV);
    speak();
  }
}

function endForeign(tag: i32): void {
  if (isForeign) breakOut(tag);
  closeForeign(tag === TAG_ANNOTATION_XML ? TAG_MTEXT : tag);
}
