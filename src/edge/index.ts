/**
 * The edge: where people and programs meet the crawl.
 *
 *   cli/   the command line
 */
export { runCli, type World } from './cli/index.ts';
