/**
 * Menus, sidebars and footers that are only a `div` with a name: older pages have no other tags
 * for them. What the name says is believed when it is exactly such a name (`sidebar`, not
 * `sidebar-left-layout`, which is a frame around everything).
 *
 * A `div` ends where its end tag is, so those inside are counted. One inside another is part of it.
 */
const NAMED = /(?:^|[\s"'/])(?:class|id|role)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const KIND = 'nav|navbar|navigation|menu|menubar|sidebar|footer|breadcrumbs?|contentinfo';
const PLACE = 'site|page|main|top|bottom|side|left|right|global|primary|secondary|doc|sphinx';
const SHARED = new RegExp(`^(?:(?:${PLACE})[-_]?)?(?:${KIND})$|^nav(?:header|footer)$`, 'i');

/** Tags are told apart by a hash of their attributes: a site has a few dozen. */
const REMEMBERED_MAX = 10_000;
const remembered = new Map<number, boolean>();
/** Longer attributes are not a menu's. */
const ATTRIBUTE_BYTES_MAX = 512;

export class SharedDivs {
  #depth = 0;

  /** True when a shared part begins with this tag, whose attributes these bytes are. */
  open(bytes: Buffer, from: number, to: number): boolean {
    if (this.#depth > 0) {
      this.#depth++;
      return false;
    }
    if (to - from < 8 || !isShared(bytes, from, to)) return false;
    this.#depth = 1;
    return true;
  }

  /** True when the shared part ends with this tag. */
  close(): boolean {
    return this.#depth > 0 && --this.#depth === 0;
  }
}

function isShared(bytes: Buffer, from: number, to: number): boolean {
  if (to - from > ATTRIBUTE_BYTES_MAX) return false;
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  const known = remembered.get(hash);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const shared = hasSharedName(bytes.toString('latin1', from, to));
  remembered.set(hash, shared);
  return shared;
}

function hasSharedName(attributes: string): boolean {
  for (const [, a, b, c] of attributes.matchAll(NAMED)) {
    if ((a ?? b ?? c ?? '').split(/\s+/).some((name) => SHARED.test(name))) return true;
  }
  return false;
}
