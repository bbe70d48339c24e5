/**
 * A Chromium for tests that look at pages: the one that ORB_CHROMIUM names, one that is
 * installed, or the one that npm brought. Where none starts, the reason is printed, and under
 * CI=true that is a failure.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Nothing that would call home; the sandbox is for pages of others, and needs rights. */
const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--hide-scrollbars',
];

export interface NoBrowser {
  readonly reason: string;
}

export async function startBrowser(): Promise<Browser | NoBrowser> {
  try {
    const executablePath = await findBrowser();
    return await chromium.launch({ executablePath, args: FLAGS });
  } catch (error) {
    const reason = `no Chromium could be started: ${(error as Error).message.split('\n')[0]}`;
    if (process.env.CI === 'true') throw new Error(reason, { cause: error });
    process.stderr.write(`SKIPPED: the dashboard was not looked at, ${reason}\n`);
    return { reason };
  }
}

/** For `--chromium`: the path of one, or undefined with the reason printed. */
export async function browserPath(t: { skip(reason: string): void }): Promise<string | undefined> {
  try {
    return await findBrowser();
  } catch (error) {
    const reason = `no Chromium was found: ${(error as Error).message.split('\n')[0]}`;
    if (process.env.CI === 'true') throw new Error(reason, { cause: error });
    t.skip(reason);
    return undefined;
  }
}

async function findBrowser(): Promise<string> {
  const named = process.env.ORB_CHROMIUM;
  if (named !== undefined) return named;
  const installed = INSTALLED.find((path) => existsSync(path));
  if (installed !== undefined) return installed;
  const packed = await import('@sparticuz/chromium');
  return packed.default.executablePath();
}
