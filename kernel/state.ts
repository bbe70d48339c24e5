/**
 * What a scan knows of where it stands, beside the stacks that have files of their own: whether
 * words count here, whether the page is an ordinary one, and which anchor is open.
 */
import { isSpace } from './bytes';
import { isQuiet } from './foreign';
import { endText, textFrom } from './links';
import {
  addText,
  speakAs,
  textLength,
  VOICE_LINK,
  VOICE_OWN,
  VOICE_SHARED,
  VOICE_TEXT,
} from './text';
import { boilerplate, ownDepth } from './zones';

/** Longer anchor texts are cut; in bytes here, in characters when they become strings. */
const ANCHOR_BYTES_MAX: i32 = 800;

/** Bits of a scan's options. */
const WITH_TEXT: i32 = 1;
const WITH_RESOURCES: i32 = 2;

/** Gather all words, not only those of links and title. */
export let takesText: bool = false;
/** Note images and forms too. */
export let takesResources: bool = false;
export let isCollecting: bool = false;
/** Something is on the page that no frameset may follow. */
export let isOrdinary: bool = false;
export let isFrameset: bool = false;
export let isNoscript: bool = false;
/** How deep. */
export let templates: i32 = 0;
export let anchor: i32 = -1;
export let titleFrom: i32 = -1;
export let titleTo: i32 = -1;

export function clearState(options: i32): void {
  takesText = (options & WITH_TEXT) !== 0;
  takesResources = (options & WITH_RESOURCES) !== 0;
  isCollecting = takesText;
  isOrdinary = isFrameset = isNoscript = false;
  templates = 0;
  anchor = titleFrom = titleTo = -1;
}

export function decideCollecting(): void {
  const isMuted = isNoscript || templates > 0 || isFrameset || isQuiet;
  isCollecting = !isMuted && (takesText || anchor >= 0);
}

export function text(from: i32, to: i32, references: bool): void {
  if (!isOrdinary && templates === 0) isOrdinary = hasWords(from, to);
  if (!isCollecting) return;
  addText(from, to, references);
  if (takesText) return;
  if (textLength - textFrom(anchor) > ANCHOR_BYTES_MAX) isCollecting = false;
}

function hasWords(from: i32, to: i32): bool {
  for (let at = from; at < to; at++) if (!isSpace(at)) return true;
  return false;
}

/** The first title is the page's; each is text. */
export function title(from: i32, to: i32): void {
  if (isNoscript || templates > 0 || (titleFrom >= 0 && !isCollecting)) return;
  const at = textLength;
  speakAs(VOICE_SHARED);
  addText(from, to, true);
  speak();
  if (titleFrom >= 0) return;
  titleFrom = at;
  titleTo = textLength;
}

export function speak(): void {
  if (boilerplate !== 0) speakAs(VOICE_SHARED);
  else {
    const link = anchor >= 0 ? VOICE_LINK : VOICE_OWN;
    speakAs(ownDepth > 0 ? link | VOICE_TEXT : link);
  }
}

export function openAnchor(link: i32): void {
  anchor = link;
  decideCollecting();
  speak();
}

export function closeAnchor(): void {
  if (anchor < 0) return;
  endText(anchor, textLength);
  anchor = -1;
  decideCollecting();
  speak();
}

/** A tag that isn't of a page's head has come. */
export function becomeOrdinary(): void {
  isOrdinary = !isFrameset;
}

/** A frameset counts as one only where nothing of an ordinary page came before. */
export function enterFrameset(): void {
  if (!isOrdinary) isFrameset = true;
}

export function enterTemplate(): void {
  templates++;
}

export function leaveTemplate(): void {
  templates--;
}

export function enterNoscript(): void {
  isNoscript = true;
}

export function leaveNoscript(): void {
  isNoscript = false;
}
