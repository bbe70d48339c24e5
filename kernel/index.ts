/**
 * The part of reading a page that sees every byte, compiled to WebAssembly.
 *
 *   page's bytes ── scan.ts ──▶ rows of links, words with marks ── print.ts ──▶ fingerprints
 *                     │ start-tag, tags, attributes, raw-text,        │ words, letters,
 *                     │ foreign, zones, divs, text, links, state      │ sums, pairs
 *   hrefs.ts: which hrefs are known; href-keys.ts: as what
 *
 * AssemblyScript, and only the part of it that is loads, stores and numbers: no objects, no
 * collector, no runtime. One page at a time; all state is in globals and in memory
 * (../src/page/kernel-layout.ts). What needs strings is asked of the host (host.ts).
 *
 * `node tools/build-kernel.ts` compiles it into ../src/page/kernel-code.ts.
 */
export { attributeFrom, attributeTo, nameFrom, nameTo, nextAttribute } from './attributes';
export { copyBytes, setPageEnd } from './bytes';
export { setFolder } from './href-keys';
export { keepHref, lookUpHref } from './hrefs';
export { print } from './print';
export { scan } from './scan';
