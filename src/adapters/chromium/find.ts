/**
 * Which browser there is: the one that is named, one that is installed, or the one that npm's
 * `@sparticuz/chromium` carries. Driver and packed browser are optional packages, looked for
 * beside this one and in the folder that the crawl was started in.
 */
import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserType } from 'playwright-core';
import type { FoundBrowser } from '../../ports/renderer.ts';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const DRIVER = 'playwright-core';
const PACKED = '@sparticuz/chromium';
const FIX =
  `Install one: 'npm install ${DRIVER} ${PACKED}', or '${DRIVER}' beside a Chromium or Chrome ` +
  `of your system; name it with --chromium PATH or ORB_CHROMIUM if it is not found. ` +
  `'--render never' leaves such pages as they are.`;

export interface Places {
  /** As the settings name it. */
  readonly executable: string | undefined;
  /** Where commands are looked for, as in PATH. */
  readonly folders: string;
  /** Where the user's own packages are looked for. */
  readonly cwd: string;
}

export interface Driven {
  readonly driver: BrowserType;
  readonly executablePath: string;
  readonly what: string;
}

export async function findBrowser(places: Places): Promise<FoundBrowser> {
  try {
    const { what } = await findDriven(places);
    return { kind: 'found', what };
  } catch (error) {
    return { kind: 'missing', problem: (error as Error).message, fix: FIX };
  }
}

export async function findDriven({ executable, folders, cwd }: Places): Promise<Driven> {
  const driver = await optional<{ chromium: BrowserType }>(DRIVER, cwd);
  if (driver === undefined) throw new Error(`the package ${DRIVER} is not installed`);
  const { chromium } = driver;
  if (executable !== undefined) {
    if (!(await isThere(executable))) throw new Error(`${executable} cannot be run`);
    return { driver: chromium, executablePath: executable, what: `${executable} (as named)` };
  }
  const installed = await firstThere(folders);
  if (installed !== undefined) {
    return { driver: chromium, executablePath: installed, what: `${installed} (installed)` };
  }
  const packed = await optional<{ executablePath(): Promise<string> }>(PACKED, cwd);
  if (packed === undefined) {
    throw new Error(`no Chromium is installed, and the package ${PACKED} is not there either`);
  }
  const executablePath = await packed.executablePath();
  return { driver: chromium, executablePath, what: `${executablePath} (of ${PACKED})` };
}

async function firstThere(path: string): Promise<string | undefined> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const paths = COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const path of [...paths, ...MAC]) if (await isThere(path)) return path;
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** A package of this name, or undefined: what a user did not install is no error. */
async function optional<T>(name: string, cwd: string): Promise<T | undefined> {
  const there = createRequire(pathToFileURL(join(cwd, 'package.json')).href);
  const ways = [() => name, () => pathToFileURL(there.resolve(name)).href];
  for (const way of ways) {
    try {
      const found = await import(way());
      return (found.default ?? found) as T;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
}
