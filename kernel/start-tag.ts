/**
 * What a start tag does: it names a link, changes how what follows is read, or only shapes the
 * text. Tags that say something of the page as a whole are noted by the host (host.ts).
 */
import { GAP_AT, HEAD_ONLY_AT, ZONE_AT } from '../src/page/kernel-layout';
import {
  PLAIN,
  TAG_A,
  TAG_ANNOTATION_XML,
  TAG_AREA,
  TAG_BASE,
  TAG_DIV,
  TAG_FRAME,
  TAG_FRAMESET,
  TAG_HTML,
  TAG_IFRAME,
  TAG_LINK,
  TAG_MATH,
  TAG_META,
  TAG_MTEXT,
  TAG_NOFRAMES,
  TAG_NOSCRIPT,
  TAG_PLAINTEXT,
  TAG_SCRIPT,
  TAG_SVG,
  TAG_TEMPLATE,
  TAG_TEXTAREA,
  TAG_TITLE,
  TAG_XMP,
} from '../src/page/kernel-tags';
import {
  HREF,
  REL,
  readAttributes,
  SRC,
  selfClosing,
  skipAttributes,
  valueFrom,
  valueTo,
  XLINK_HREF,
} from './attributes';
import { GREATER, pageEnd } from './bytes';
import { openDiv } from './divs';
import { breakOut, foreignDepth, isForeign, openForeign } from './foreign';
import { noteTag } from './host';
import { addLink, setRel } from './links';
import { endOfRawText, endOfScript } from './raw-text';
import {
  anchor,
  becomeOrdinary,
  closeAnchor,
  decideCollecting,
  enterFrameset,
  enterNoscript,
  enterTemplate,
  isFrameset,
  isNoscript,
  isOrdinary,
  openAnchor,
  speak,
  takesResources,
  templates,
  text,
  title,
} from './state';
import { nameEnd, readTagName } from './tags';
import { textLength, widenGap } from './text';
import { boilerplate, NAMED_DIV, openZone } from './zones';

/** Kinds of links, in the order of ../src/page/link-list.ts. */
const KIND_A: i32 = 0;
const KIND_AREA: i32 = 1;
const KIND_LINK: i32 = 2;
const KIND_FRAME: i32 = 3;
const KIND_IFRAME: i32 = 4;

export function startTag(nameAt: i32): i32 {
  const tag = readTagName(nameAt);
  const at = nameEnd;
  if (foreignDepth > 0) {
    breakOut(tag);
    if (isForeign) return startForeign(tag, at);
  }
  if (!isOrdinary && load<u8>(HEAD_ONLY_AT + tag) === 0 && templates === 0) becomeOrdinary();
  widenGap(load<u8>(GAP_AT + tag) as i32);
  if (tag === TAG_A) return startAnchor(at);
  if (tag === 0) return skipTag(at);
  if (tag >= PLAIN) return startPlain(tag, at);
  return startActing(tag, at);
}

/** Past a tag whose attributes don't matter. */
export function skipTag(at: i32): i32 {
  if (load<u8>(at) === GREATER) return at + 1;
  const past = skipAttributes(at);
  return past < 0 ? pageEnd : past;
}

function startPlain(tag: i32, at: i32): i32 {
  const past = skipTag(at);
  const zone = load<u8>(ZONE_AT + tag) as i32;
  if (zone !== 0) {
    openZone(zone);
    speak();
  } else if (tag === TAG_DIV && openDiv(at, past)) {
    openZone(NAMED_DIV);
    speak();
  }
  return past;
}

/** Inside a drawing or formula only anchors are links. */
function startForeign(tag: i32, at: i32): i32 {
  widenGap(load<u8>(GAP_AT + tag) as i32);
  if (tag === TAG_A) return startAnchor(at);
  const past = readAttributes(at);
  if (past < 0) return pageEnd;
  const isIsland = tag === TAG_ANNOTATION_XML && noteTag(tag, 0) !== 0;
  openForeign(isIsland ? TAG_MTEXT : tag, selfClosing);
  decideCollecting();
  return past;
}

function startAnchor(at: i32): i32 {
  const past = readAttributes(at);
  if (past < 0) return pageEnd;
  if (anchor >= 0) closeAnchor();
  const isOld = isForeign && valueFrom(HREF) < 0;
  const link = takeLink(KIND_A, isOld ? XLINK_HREF : HREF);
  if (link >= 0 && !(isForeign && selfClosing)) openAnchor(link);
  return past;
}

/** Takes the link that an attribute names. Its index, or -1 when it isn't kept. */
function takeLink(kind: i32, attribute: i32): i32 {
  const from = valueFrom(attribute);
  if (from < 0 || templates > 0) return -1;
  if (isFrameset && kind !== KIND_FRAME) return -1;
  const link = addLink(kind, from, valueTo(attribute), textLength, boilerplate);
  const rel = valueFrom(REL);
  if (rel >= 0 && link >= 0) setRel(link, rel, valueTo(REL));
  return link;
}

function startActing(tag: i32, at: i32): i32 {
  if (tag >= TAG_TITLE && tag <= TAG_PLAINTEXT) return startContainer(tag, at);
  const past = readAttributes(at);
  if (past < 0) return pageEnd;
  if (tag === TAG_SVG || tag === TAG_MATH) openForeign(tag, selfClosing);
  else if (tag === TAG_HTML) noteTag(tag, 0);
  else if (templates === 0 && !isFrameset) mention(tag);
  return past;
}

/** A tag that names something outside the page. */
function mention(tag: i32): void {
  if (tag === TAG_AREA) takeLink(KIND_AREA, HREF);
  else if (tag === TAG_LINK) {
    if (valueFrom(REL) >= 0 && noteTag(tag, 0) !== 0) takeLink(KIND_LINK, HREF);
  } else if (tag === TAG_BASE) {
    if (!isNoscript) noteTag(tag, 0);
  } else if (tag === TAG_META || takesResources) noteTag(tag, isNoscript ? 1 : 0);
}

/** Tags that change how what follows is read. */
function startContainer(tag: i32, at: i32): i32 {
  if (tag === TAG_IFRAME || tag === TAG_FRAME) return startFrame(tag, at);
  const past = skipTag(at);
  if (tag === TAG_SCRIPT) return endOfScript(past);
  if (tag === TAG_TEMPLATE) enterTemplate();
  else if (tag === TAG_NOSCRIPT) enterNoscript();
  else if (tag === TAG_FRAMESET) enterFrameset();
  else return rawText(tag, past);
  decideCollecting();
  return past;
}

function startFrame(tag: i32, at: i32): i32 {
  const past = readAttributes(at);
  if (past < 0) return pageEnd;
  if (tag === TAG_IFRAME) {
    takeLink(KIND_IFRAME, SRC);
    return endOfRawText(past, TAG_IFRAME);
  }
  if (isFrameset) takeLink(KIND_FRAME, SRC);
  return past;
}

function rawText(tag: i32, from: i32): i32 {
  if (isFrameset && tag !== TAG_NOFRAMES) return from;
  if (tag === TAG_PLAINTEXT) {
    text(from, pageEnd, false);
    return pageEnd;
  }
  const past = endOfRawText(from, tag);
  if (tag === TAG_TITLE) title(from, past);
  else if (tag === TAG_TEXTAREA) text(from, past, true);
  else if (tag === TAG_XMP) text(from, past, false);
  return past;
}
