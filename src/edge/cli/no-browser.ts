/** What a person hears when a page needs a browser and there is none: once, with the way out. */
import { safeText } from './format.ts';
import type { Log } from './log.ts';

export function sayNoBrowser(log: Log): (problem: string, fix: string) => void {
  return (problem, fix) => {
    const what = 'Some pages show little without their scripts and are not rendered';
    const message = `${what}: ${safeText(problem, 300)}. ${fix}`;
    log.say('warn', 'render', message, { problem: safeText(problem, 300) });
  };
}
