/**
 * What the scenarios stand on:
 *
 *   place.ts     a folder that is gone after the test
 *   web.ts       the test web in this process, and the flags that lead a crawl to it
 *   orb.ts       the command line as a child: streams, exit code, largest memory
 *   store.ts     a folder's store, opened after a kill and counted through
 *   records.ts   what a folder says about URLs and hosts
 *   walk.ts      what a crawl with filters must find, by walking the web by hand
 *   prometheus.ts   what a reader makes of /metrics     plain-yaml.ts   what we use of YAML
 *   service.ts   `orb serve` in this process, each answer held against its document
 *   browser.ts   a Chromium, or why there is none       attacks.ts   a site whose every text is an attack
 *   looks.ts     pictures of pages, and what axe says of them
 *   found.ts     a host with rules, a page that was fetched
 *   replay.ts    a WACZ in ReplayWeb.page, in that Chromium
 *   serving.ts   an `orb` that serves, as a process     judged.ts   what the web's log says of a crawl
 *   ring*.ts     rings of `orb ring` processes, what happens to them, the network that is cut
 *   live.ts      real engines, of `npm run test:live` or of a test's own
 *   line.ts, disk.ts   a TCP line to a server, to be cut; a disk, to be filled
 *   scale.ts     sizes: small in `npm test`, whole in `npm run test:full`
 */
export { browserPath } from './browser.ts';
export { breakable, type LiveEngine, liveEngine } from './live.ts';
export { type OrbEnd, type OrbRun, orb, startOrb } from './orb.ts';
export { scratch } from './place.ts';
export { plainYaml, type Yaml } from './plain-yaml.ts';
export { Scrape } from './prometheus.ts';
export { keyText, type Records, recordsOf } from './records.ts';
export { isFull, scaled } from './scale.ts';
export { type Inventory, inventoryOf } from './store.ts';
export { type WalkRules, walkWeb } from './walk.ts';
export { asked, openWebFor, pageRequests, type TestWeb, waitForRequests } from './web.ts';
