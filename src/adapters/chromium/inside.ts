/**
 * What is run inside a page, in a world of its own: the page's scripts can neither see nor
 * replace what is used here.
 */

/** Scrolls to the end, lists of their own included; answers how much there is now. */
export const SCROLL = `(() => {
  const root = document.scrollingElement ?? document.documentElement;
  root.scrollTo(0, root.scrollHeight);
  let height = root.scrollHeight;
  const all = document.querySelectorAll('main, section, div, ul, ol');
  for (let i = 0, found = 0; i < all.length && i < 2000 && found < 5; i++) {
    const one = all[i];
    if (one.scrollHeight <= one.clientHeight + 40 || one.clientHeight === 0) continue;
    one.scrollTop = one.scrollHeight;
    height += one.scrollHeight;
    found++;
  }
  return height + ':' + document.getElementsByTagName('*').length;
})()`;

/** The document as HTML; open shadow roots stand as templates, so that their links are found. */
export function serialize(bytesMax: number): string {
  return `(() => {
    const roots = [];
    const all = document.getElementsByTagName('*');
    if (all.length * 10 > ${bytesMax}) return { tooLarge: all.length + ' elements' };
    for (const one of all) if (one.shadowRoot !== null) roots.push(one.shadowRoot);
    // One can stand in another; the list grows while it is walked.
    for (let i = 0; i < roots.length && i < 10000; i++) {
      for (const one of roots[i].querySelectorAll('*')) if (one.shadowRoot !== null) roots.push(one.shadowRoot);
    }
    const inner = roots.map((root) => '<div>' + root.innerHTML + '</div>').join('');
    const outer = document.documentElement.outerHTML;
    const html = '<!DOCTYPE html>' + (inner === '' ? outer : outer.replace(/<\\/body>\\s*<\\/html>\\s*$/i, () => inner + '</body></html>'));
    if (html.length > ${bytesMax}) return { tooLarge: html.length + ' characters' };
    return { html, base: document.baseURI };
  })()`;
}
