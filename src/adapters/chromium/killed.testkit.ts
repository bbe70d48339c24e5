/** A child process in the middle of a page, to be killed: prints the browser's process id. */
import { jobOf } from '../../ports/renderer.contract.ts';
import { systemClock } from '../node/clock.ts';
import { openChromium } from './index.ts';
import { browsersOf } from './processes.testkit.ts';

const renderer = openChromium({
  ...{ clock: systemClock(), executable: process.argv[2], folders: '', cwd: process.cwd() },
  ...{ pages: 1, pagesPerBrowser: 10, memoryMax: 1 << 30 },
});
const { job } = jobOf('<body><script src=/never.js></script>', () => {
  process.stdout.write(`${browsersOf(process.pid)[0]}\n`);
  return new Promise(() => undefined);
});
await renderer.render(job);
