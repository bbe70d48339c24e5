/**
 * Which part of a page we are in: running text, or what all pages of the site share.
 *
 *   nav header footer aside menu   shared parts: their links say little about their targets
 *   main article                   the page's own; a header in there is that of the text
 *
 * Counters, not a stack: an end tag closes the part that it names and nothing else, so that
 * pages whose tags are crossed or never closed come out right as well. `main` ends them all: no
 * page has its text inside its navigation.
 */
import { ZONES_AT } from '../src/page/kernel-layout';

/** A shared part that only its name tells (divs.ts). */
export const NAMED_DIV: i32 = 0;
const HEADER: i32 = 2;
const FOOTER: i32 = 3;
const SHARED_MAX: i32 = 5;
const MAIN: i32 = 6;

/** 1 inside a shared part, else 0. */
export let boilerplate: i32 = 0;
/** How deep in `main` and `article`. */
export let ownDepth: i32 = 0;
let shared: i32 = 0;

export function clearZones(): void {
  leaveShared();
  ownDepth = 0;
}

/** Takes the number that `ZONE` has for the tag (../src/page/tags.ts). */
export function openZone(zone: i32): void {
  if (zone > SHARED_MAX) {
    if (zone === MAIN) leaveShared();
    ownDepth++;
    return;
  }
  const isOfText = ownDepth > 0 && (zone === HEADER || zone === FOOTER);
  const open = load<u8>(ZONES_AT + zone);
  if (isOfText || open === 255) return;
  store<u8>(ZONES_AT + zone, open + 1);
  shared++;
  boilerplate = 1;
}

export function closeZone(zone: i32): void {
  if (zone > SHARED_MAX) {
    if (ownDepth > 0) ownDepth--;
    return;
  }
  const open = load<u8>(ZONES_AT + zone);
  if (open === 0) return;
  store<u8>(ZONES_AT + zone, open - 1);
  if (--shared === 0) boilerplate = 0;
}

function leaveShared(): void {
  store<u64>(ZONES_AT, 0);
  shared = 0;
  boilerplate = 0;
}
