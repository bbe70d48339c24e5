/**
 * The sections of the table of settings. A step of the path is given its own, never the whole.
 *
 *   crawl   what to start from      polite  how gently to ask     store   what to keep
 *   limits  where to end            agent   who we say we are     cpu     where to think
 *   scope   what belongs to it      fetch   bounds of a request   output  what to print
 *   usage   what it is for          network how to reach hosts    show    which rows, of what is kept
 *   rank    what hosts are worth    traps   what to leave out     recrawl when to come back
 *   serve   where the service listens, and whom it lets in
 *   cluster the engines that many nodes share, and what this one does
 *   broker  who a node is to Kafka
 *   ring    where a node of a ring is found, and what lets it in
 *   fetcher whom a node that only fetches fetches for
 *   nearness  who is near which hosts
 *   content how documents that are not HTML are read
 *   readable  pages as Markdown
 *   hooks   whom it tells about its pages
 *   render  whose scripts are run, and in which browser
 *   comply  what is decided about pages, by whom and why
 *   regions how long what is stored where is kept
 *   plan, fleet, price   what a crawl would take: nothing here changes one
 */
export { agent } from './agent.ts';
export { broker } from './broker.ts';
export { cluster } from './cluster.ts';
export { comply } from './comply.ts';
export { content } from './content.ts';
export { cpu } from './cpu.ts';
export { crawl } from './crawl.ts';
export { fetch } from './fetch.ts';
export { fetcher } from './fetcher.ts';
export { fleet } from './fleet.ts';
export { hooks } from './hooks.ts';
export { limits } from './limits.ts';
export { nearness } from './nearness.ts';
export { network } from './network.ts';
export { output } from './output.ts';
export { plan } from './plan.ts';
export { polite } from './polite.ts';
export { price } from './price.ts';
export { rank } from './rank.ts';
export { readable } from './readable.ts';
export { recrawl } from './recrawl.ts';
export { regions } from './regions.ts';
export { render } from './render.ts';
export { ring } from './ring.ts';
export { scope } from './scope.ts';
export { serve } from './serve.ts';
export { show } from './show.ts';
export { store } from './store.ts';
export { traps } from './traps.ts';
export { usage } from './usage.ts';
