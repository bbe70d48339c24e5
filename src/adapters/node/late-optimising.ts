/**
 * V8's last compiler later. It begins with a function after 3,000 calls, a loop in it counting as
 * some, and in a crawl of some seconds, whose every function is called once a page at least, that
 * is all of them: a tenth of the CPU went to 440 functions, most of which had little left to do.
 * Those that are called for each link are optimised in the first seconds all the same; the others
 * run as the compiler before it left them until the crawl is long enough to be worth it.
 *
 * For programs of our own only: it changes the whole process. An older V8 has no such number, and
 * would say so to whoever reads stderr. Figures: docs/bench.md.
 */
import * as v8 from 'node:v8';

const CALLS_MIN = 60_000;
/** Node 24's. */
const V8_MIN = 13;

export function optimiseLate(): void {
  if (Number.parseInt(process.versions.v8, 10) < V8_MIN) return;
  v8.setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_MIN}`);
}
