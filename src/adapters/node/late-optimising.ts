/**
 * V8's last compiler later. It begins with a function after 3,000 calls, and in a crawl of some
 * seconds, whose every function is called once a page at least, that is all of them: a tenth of
 * the CPU went to 440 functions, of which most had little left to do. Those of a loop over links
 * are called so often that they are optimised in the first seconds all the same; the others run as
 * the compiler before it left them until the crawl has become long enough to be worth it.
 *
 * For programs of our own only: it changes the whole process. Figures: docs/bench.md.
 */
import * as v8 from 'node:v8';

const CALLS_MIN = 100_000;

export function optimiseLate(): void {
  v8.setFlagsFromString(`--invocation-count-for-turbofan=${CALLS_MIN}`);
}
