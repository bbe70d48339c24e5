/**
 * Menus, sidebars and footers that are only a `div` with a name: older pages have no other tags
 * for them. What the name says is believed when it is exactly such a name (`sidebar`, not
 * `sidebar-left-layout`, which is a frame around everything).
 *
 * Asked once for each kind of div; the kernel remembers the answer and counts divs (divs.ts there).
 */
const NAMED = /(?:^|[\s"'/])(?:class|id|role)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;
const KIND = 'nav|navbar|navigation|menu|menubar|sidebar|footer|breadcrumbs?|contentinfo';
const PLACE = 'site|page|main|top|bottom|side|left|right|global|primary|secondary|doc|sphinx';
const SHARED = new RegExp(`^(?:(?:${PLACE})[-_]?)?(?:${KIND})$|^nav(?:header|footer)$`, 'i');

/** Takes a div's attributes as they stand in the page. */
export function hasSharedName(attributes: string): boolean {
  for (const [, a, b, c] of attributes.matchAll(NAMED)) {
    if ((a ?? b ?? c ?? '').split(/\s+/).some((name) => SHARED.test(name))) return true;
  }
  return false;
}
