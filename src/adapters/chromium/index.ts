/**
 * A Chromium behind the renderer port, driven through playwright-core (J2).
 *
 *   find.ts      which browser and which driver there are     flags.ts    what it may not do
 *   browser.ts   one process: started, watched, ended         memory.ts   what its processes take
 *   page.ts      one page: a context of its own, its limits   inside.ts   what is run in the page
 *   gate.ts      everything that a page asks for              renderer.ts  the port: pool, recycling
 */
export { openChromium } from './renderer.ts';
