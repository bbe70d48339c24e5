/**
 * The edge: where people and programs meet the crawl.
 *
 *   cli/   the command line      api/   the service over HTTP      library/   a call in a program
 */
export { runCli, type World } from './cli/index.ts';
