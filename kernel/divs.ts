/**
 * Menus, sidebars and footers that are only a `div` with a name. What the name says is judged by
 * the host (../src/page/shared-divs.ts) once, and remembered by a hash of the tag's attributes: a
 * site has a few dozen. Two that share a hash are taken for one.
 *
 * A `div` ends where its end tag is, so those inside are counted. One inside another is part of it.
 */
import { DIV_SLOTS, DIVS_AT } from '../src/page/kernel-layout';
import { lettersMask } from './bytes';
import { isSharedDiv } from './host';

/** Longer attributes are not a menu's; shorter ones have no name. */
const ATTRIBUTE_BYTES_MAX: i32 = 512;
const ATTRIBUTE_BYTES_MIN: i32 = 8;
const SPREAD: u64 = 0x9e3779b1 * ((1 as u64) << 32) + 0x85ebca6b;

let depth: i32 = 0;

export function clearDivs(): void {
  depth = 0;
}

/** True when a shared part begins with this tag, whose attributes these bytes are. */
export function openDiv(from: i32, to: i32): bool {
  if (depth > 0) {
    depth++;
    return false;
  }
  const length = to - from;
  if (length < ATTRIBUTE_BYTES_MIN || length > ATTRIBUTE_BYTES_MAX) return false;
  if (!isShared(from, to)) return false;
  depth = 1;
  return true;
}

/** True when the shared part ends with this tag. */
export function closeDiv(): bool {
  return depth > 0 && --depth === 0;
}

function isShared(from: i32, to: i32): bool {
  const hash = hashOf(from, to);
  const slot = DIVS_AT + (((hash >>> 32) as i32) & (DIV_SLOTS - 1)) * 8;
  const known = load<u64>(slot);
  if ((known | 1) === (hash | 1)) return (known & 1) === 1;
  const answer = isSharedDiv(from, to);
  store<u64>(slot, (hash | 1) ^ (answer === 1 ? 0 : 1));
  return answer === 1;
}

function hashOf(from: i32, to: i32): u64 {
  let hash: u64 = (to - from) as u64;
  for (let at = from; at < to; at += 8) {
    hash = (hash ^ (load<u64>(at) & lettersMask(to - at))) * SPREAD;
    hash ^= hash >>> 29;
  }
  return hash;
}
