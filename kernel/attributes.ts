/**
 * What stands between a tag's name and its `>`.
 *
 * `skipAttributes` only finds the end, for the many tags that say nothing about links.
 * `readAttributes` also notes where the values are. Both follow the tokenizer's states, so a `>`
 * in quotes doesn't end a tag, a quote in an unquoted value is a character, and the first of two
 * equal names wins.
 */
import { ENDS_ATTRIBUTE_NAME } from '../src/page/byte-classes';
import { ATTRIBUTES, NAMES_AT, SHAPES_AT, VALUES_AT } from '../src/page/kernel-layout';
import {
  APOSTROPHE,
  classOf,
  EQUALS,
  find,
  findEither,
  GREATER,
  isSpace,
  LOWER_CASE,
  lettersMask,
  pageEnd,
  QUOTE,
  SLASH,
} from './bytes';

/** The attributes that are asked for here; a slot number each (../src/page/attributes.ts). */
export const HREF: i32 = 0;
export const REL: i32 = 1;
export const SRC: i32 = 2;
export const XLINK_HREF: i32 = 9;

/** The tag that was read last ends with `/>`. */
export let selfClosing: bool = false;
/** Of the attribute that was read last: its name, and its value. */
export let nameFrom: i32 = 0;
export let nameTo: i32 = 0;
export let attributeFrom: i32 = 0;
export let attributeTo: i32 = 0;
let tagEnd: i32 = -1;
let isUsed: bool = true;

/** Where an attribute's value starts, or -1 when the tag that was read doesn't have it. */
export function valueFrom(slot: i32): i32 {
  return load<i32>(VALUES_AT + (slot << 3));
}

export function valueTo(slot: i32): i32 {
  return load<i32>(VALUES_AT + (slot << 3), 4);
}

/** Past the `>`, or -1 when the page ends inside the tag: such a tag does not exist. */
export function skipAttributes(from: i32): i32 {
  let segment = from;
  let at = from;
  while (at < pageEnd) {
    at = findEither(GREATER, EQUALS, at);
    if (at >= pageEnd) return -1;
    if (load<u8>(at) === GREATER) return at + 1;
    const isNamed = endsName(segment, at);
    at++;
    if (isNamed) segment = at = skipValue(at);
  }
  return -1;
}

/** Whether a name stands before this `=`; one that no name precedes is itself part of one. */
function endsName(from: i32, equals: i32): bool {
  let at = equals - 1;
  while (at >= from && isSpace(at)) at--;
  return at >= from && load<u8>(at) !== SLASH;
}

/** Past the value that follows an `=`; at the `>` when there is none. */
function skipValue(from: i32): i32 {
  let at = from;
  while (at < pageEnd && isSpace(at)) at++;
  const first = load<u8>(at);
  if (at < pageEnd && (first === QUOTE || first === APOSTROPHE)) return find(first, at + 1) + 1;
  while (at < pageEnd && load<u8>(at) !== GREATER && !isSpace(at)) at++;
  return at;
}

/** Reads a whole tag; answers as `skipAttributes` does. */
export function readAttributes(from: i32): i32 {
  if (isUsed) memory.fill(VALUES_AT, 0xff, ATTRIBUTES << 3);
  isUsed = false;
  selfClosing = false;
  let at = from;
  let next = nextAttribute(at);
  for (; next > 0; next = nextAttribute(at)) {
    keep();
    at = next;
  }
  return tagEnd;
}

/** Reads one attribute; answers where it ends, or 0 when there is none: the tag has ended. */
export function nextAttribute(from: i32): i32 {
  let at = from;
  tagEnd = -1;
  while (at < pageEnd && (load<u8>(at) === SLASH || isSpace(at))) at++;
  if (at >= pageEnd) return 0;
  if (load<u8>(at) === GREATER) {
    selfClosing = at > from && load<u8>(at - 1) === SLASH;
    tagEnd = at + 1;
    return 0;
  }
  nameFrom = at++;
  while (at < pageEnd && (classOf(load<u8>(at)) & ENDS_ATTRIBUTE_NAME) === 0) at++;
  nameTo = at;
  while (at < pageEnd && isSpace(at)) at++;
  attributeFrom = attributeTo = at;
  if (at >= pageEnd || load<u8>(at) !== EQUALS) return at;
  return readValue(at + 1);
}

/** A value that never ends is none, and neither is its tag. */
function readValue(from: i32): i32 {
  let at = from;
  while (at < pageEnd && isSpace(at)) at++;
  const first = load<u8>(at);
  const isQuoted = at < pageEnd && (first === QUOTE || first === APOSTROPHE);
  const past = skipValue(at);
  attributeFrom = isQuoted ? at + 1 : at;
  attributeTo = isQuoted ? past - 1 : past;
  return past > pageEnd ? 0 : past;
}

/** Length and first letter tell our names apart, so one comparison is enough. */
function keep(): void {
  const name = nameFrom;
  const length = nameTo - name;
  const shape = ((length & 15) << 5) | ((load<u8>(name) as i32) & 31);
  const slot: i32 = load<i8>(SHAPES_AT + shape);
  if (slot < 0 || valueFrom(slot) !== -1) return;
  const known = NAMES_AT + (slot << 4);
  if (((load<u64>(name) | LOWER_CASE) & lettersMask(length)) !== load<u64>(known)) return;
  if (((load<u64>(name, 8) | LOWER_CASE) & lettersMask(length - 8)) !== load<u64>(known, 8)) return;
  store<i32>(VALUES_AT + (slot << 3), attributeFrom);
  store<i32>(VALUES_AT + (slot << 3), attributeTo, 4);
  isUsed = true;
}
