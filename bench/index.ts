/**
 * The benchmarks: `npm run bench -- NAME [options] [--json]`. What each has measured last is in
 * docs/bench.md.
 *
 *   run.ts          the command            measure.ts     time, CPU, memory
 *   in-child.ts     work in a process      child.ts       the other end of it
 *   population.ts   URLs by number         arc.ts         the parts of a node around a store
 *   fill.ts         many of them, stored   filled.ts      the same in a child
 *   leasing.ts      a worker without a network, in virtual time
 *   crawl-work.ts   a crawl in a child     test-web.ts    testweb/ as a process
 *   docs-web.ts     nginx, real pages      docs-truth.ts  what must be found there
 *   wget2.ts        the yardstick          api-load.ts    requests by a schedule
 *   with-engine.ts  an engine of a cluster processes.ts   cores and CPU of others
 *   ring-work.ts    crawls by rings of processes
 *   cluster-*.ts    all of them, a node's crawl in a child, what it says to each
 */
export const BENCHES: Readonly<Record<string, string>> = {
  crawl: 'whole crawls, politeness off: the test web, --docs (real pages, wget2 beside), --url',
  polite: '500 hosts at one request a second: the rate reached, the smallest gap',
  seen: 'check-and-add of 20 million URLs: rates, memory, disk, false positives',
  redis: 'check-and-add in Redis by batches, one server and a cluster: rates, CPU, commands',
  frontier: 'lease and settle on a store of 20 million URLs',
  restart: 'from process start to the first lease on a store of 20 million URLs',
  api: 'GET /pages/{hash} 500 times a second beside a busy crawl: latency, what the crawl loses',
  simhash: 'the fingerprint of a page; near-duplicate lookup among 10 million',
  rank: 'PageRank and linking domains over a graph of hosts in files: time, memory',
  near: 'near-duplicates in labelled sets of real pages: recall, precision',
  sign: 'what a signature costs a request: microseconds, bytes',
  parse: 'a page becomes links: our scanner beside htmlparser2 and parse5',
  deflate: 'a body becomes small: our deflate beside zlib and zstd',
  parser: 'a page that a parser elsewhere reads: CPU of the node and of the parser',
  markdown: 'what the Markdown of a page costs',
  cluster: 'one node of a cluster beside a crawl in a folder: ratio, CPU, messages per page',
  ring: 'a ring of one and of three nodes beside a crawl in a folder: CPU, messages per page',
  due: 'what is due, by PostgreSQL alone and with sets in Redis beside it: time, CPU, memory',
  postgres: 'a commit of 64 pages to PostgreSQL: time, round trips, what the fence costs',
};
